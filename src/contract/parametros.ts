import { Type, type TSchema } from 'typebox';
import { CodigoTribunalSchema, OrdemPedidaSchema, RamoSchema, TipoSchema, UfSchema } from './enums.ts';
import {
  BASES_SEM_ESCOLHA_MAX,
  LIMITE_MAX,
  LIMITE_PADRAO,
  Q_MAX,
  Q_MIN,
  type Parametro,
} from './vocabulary.ts';

const data = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

/**
 * The parameters of the search route (spec section 4.2). Lists are written with commas; words are read in any letter
 * case. What a schema cannot say, such as an order between two dates, is in `search/parameters.ts`.
 */
export const ParametrosSchema = Type.Object(
  {
    q: Type.String({
      minLength: Q_MIN,
      maxLength: Q_MAX,
      description:
        `Texto a buscar, de ${Q_MIN} a ${Q_MAX} caracteres. Palavras soltas são termos literais e todas têm de aparecer. ` +
        'Com aspas duplas, parênteses, `*`, ou `AND`, `OR`, `NOT` ou `NEAR` como palavras inteiras em maiúsculas, o texto é ' +
        'lido na sintaxe FTS5. Maiúsculas e acentos não importam.',
    }),
    tribunal: Type.Optional(
      Type.Array(CodigoTribunalSchema, {
        minItems: 1,
        description: 'Códigos de tribunal, separados por vírgula.',
      }),
    ),
    uf: Type.Optional(
      Type.Array(UfSchema, {
        minItems: 1,
        description: 'Siglas de estado, separadas por vírgula; `BR` são os tribunais nacionais.',
      }),
    ),
    ramo: Type.Optional(
      Type.Array(RamoSchema, {
        minItems: 1,
        description:
          'Ramos da Justiça, separados por vírgula. `tribunal`, `uf` e `ramo` combinam-se com E; sem nenhum dos três, ' +
          `todas as bases são consultadas, e mais de ${BASES_SEM_ESCOLHA_MAX} seriam recusadas.`,
      }),
    ),
    tipo: Type.Optional(TipoSchema),
    data_de: data(
      'Início do período do julgamento, inclusive; tem de existir no calendário e não ser posterior a `data_ate`.',
    ),
    data_ate: data('Fim do período do julgamento, inclusive; tem de existir no calendário.'),
    ordem: Type.Optional(OrdemPedidaSchema),
    limite: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITE_MAX,
        default: LIMITE_PADRAO,
        description: 'Itens por página.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'O `proximo_cursor` da página anterior, como veio, com todos os outros parâmetros iguais.',
      }),
    ),
  } satisfies Record<Parametro, TSchema>,
  { additionalProperties: false },
);
