import { Type, type Static, type TSchema } from 'typebox';
import { OrdemPedidaSchema, TipoSchema } from './enums.ts';
import {
  BASES_SEM_ESCOLHA_MAX,
  CODIGOS_TRIBUNAL,
  LIMITE_MAX,
  LIMITE_PADRAO,
  Q_MAX,
  Q_MIN,
  RAMOS,
  UFS,
  type Parametro,
} from './vocabulary.ts';

const data = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

/** One text and not an array: generated clients send an array as a repeated parameter, which the service rejects. */
const lista = (words: readonly string[], examples: readonly string[], description: string) => {
  const word = `(${words.join('|')})`;
  const shown = `${description} Por exemplo: \`${examples.join('` ou `')}\`.`;
  return Type.Optional(Type.String({ pattern: `^${word}(,${word})*$`, examples, description: shown }));
};

/**
 * The parameters of the search route. Words may have any letter case, and lists may have spaces around
 * their commas. `query/parameters.ts` checks what a schema cannot express, such as the order of two dates.
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
    tribunal: lista(CODIGOS_TRIBUNAL, ['stj', 'stj,tst'], 'Códigos de tribunal, separados por vírgula.'),
    uf: lista(
      UFS,
      ['MG', 'MG,BR'],
      'Siglas de estado, separadas por vírgula; `BR` são os tribunais nacionais.',
    ),
    ramo: lista(
      RAMOS,
      ['federal', 'superior,estadual'],
      'Ramos da Justiça, separados por vírgula. `tribunal`, `uf` e `ramo` combinam-se com E; sem nenhum dos três, ' +
        `todas as bases são consultadas, e mais de ${BASES_SEM_ESCOLHA_MAX} seriam recusadas.`,
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
export type Parametros = Static<typeof ParametrosSchema>;
