import { Type, type Static, type TProperties } from 'typebox';
import type { Checked, Documento, Pagina, Resumo } from '../../client/client.ts';
import { VEREDITOS } from '../../client/check.ts';
import { hasAnswer } from '../../client/page.ts';
import { BuscaSchema } from '../../contract/busca.ts';
import { DocumentoSchema } from '../../contract/documento.ts';
import { nullable } from '../../contract/nullable.ts';
import { ParametrosSchema } from '../../contract/parametros.ts';
import { ID_PATTERN, Q_MAX, Q_MIN } from '../../contract/vocabulary.ts';
import { Q_DESCRIPTION } from './texts.ts';

/** Size limits of an answer, for the assistant's context. */
const ITEMS_MAX = 20;
const ITEMS_DEFAULT = 10;
const TEXT_LENGTH_MAX = 12_000;
const LIST_LENGTH_MAX = 50;
const QUESTION_LENGTH_MAX = 10_000;

const only = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The parameters of the search route, with fewer items. */
export const PedidoSchema = only({
  ...ParametrosSchema.properties,
  q: Type.String({ minLength: Q_MIN, maxLength: Q_MAX, description: Q_DESCRIPTION }),
  limite: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: ITEMS_MAX,
      default: ITEMS_DEFAULT,
      description: 'Itens por página.',
    }),
  ),
});
const { q: _q, ...others } = PedidoSchema.properties;
/** The same with a question in place of `q`. */
export const PerguntaSchema = only({
  pergunta: Type.String({
    minLength: 1,
    maxLength: QUESTION_LENGTH_MAX,
    description: 'A pergunta do usuário ou um texto seu, como está.',
  }),
  ...others,
});
export const LeituraSchema = only({
  id: Type.String({ pattern: ID_PATTERN, description: 'O id como veio na busca, por exemplo stj:123.' }),
});

/** Of a tool without arguments. */
export const NothingSchema = Type.Object({});

/** Of a text to check: it must fit a request over HTTP. */
const DRAFT_LENGTH_MAX = 30_000;
export const CITATIONS_MAX = 50;
export const MinutaSchema = only({
  texto: Type.String({
    minLength: 1,
    maxLength: DRAFT_LENGTH_MAX,
    description: 'O texto com as citações, como está.',
  }),
});

const avisos = Type.Array(Type.String(), { description: 'O que o usuário precisa saber desta resposta.' });
export const PaginaSchema = only({
  ...BuscaSchema.properties,
  completa: Type.Boolean({ description: 'Se todas as bases consultadas responderam.' }),
  termos_ausentes: Type.Array(Type.String(), {
    description: 'Palavras da busca que nenhuma decisão tem; a última é … se há mais.',
  }),
  termos_proximos: Type.Array(
    Type.Object({
      termo: Type.String(),
      proximos: Type.Array(Type.Object({ texto: Type.String(), decisoes: Type.Integer() })),
    }),
    { description: 'O que as bases têm perto dessas palavras, e em quantas decisões ao menos.' },
  ),
  leitura: nullable(Type.String(), 'A busca como foi lida, em sintaxe FTS5.'),
  sugestao: nullable(
    Type.String(),
    'Uma busca que acha decisões, onde esta nada achou, para oferecer ao usuário.',
  ),
  avisos,
});
export const RespostaSchema = only({
  enviada: Type.String({ description: 'A busca enviada pela pergunta, em sintaxe FTS5.' }),
  ...PaginaSchema.properties,
});
export const RegistroSchema = only({ ...DocumentoSchema.properties, avisos });
type Registro = Static<typeof RegistroSchema>;

export const CitationsSchema = only({
  citacoes: Type.Array(
    Type.Object({
      texto: Type.String({ description: 'A citação como está no texto.' }),
      inicio: Type.Integer({ description: 'Onde começa, em unidades UTF-16.' }),
      fim: Type.Integer(),
      numero: nullable(Type.String(), 'O número numa só forma; nulo se não se lê.'),
      veredito: Type.Enum([...VEREDITOS]),
      ids: Type.Array(Type.String(), {
        description: 'As decisões que são, que divergem ou que podem ser.',
      }),
      registros: Type.Array(Type.String(), { description: 'O que a base tem delas, uma linha cada.' }),
      avisos: Type.Array(Type.String(), { description: 'O que é outro: citado e guardado.' }),
    }),
  ),
  avisos,
});

const url = Type.String({ description: 'O endereço do registro no serviço, que pede a chave.' });
export const SearchSchema = only({
  query: Type.String({ minLength: Q_MIN, maxLength: QUESTION_LENGTH_MAX, description: Q_DESCRIPTION }),
});
export const ResultsSchema = Type.Object({
  results: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), url })),
  avisos: Type.Optional(avisos),
});
export const FetchedSchema = Type.Object({
  id: Type.String(),
  title: Type.String(),
  text: Type.String({ description: 'Ementa, tese e dispositivo; nunca o inteiro teor.' }),
  url,
  metadata: Type.Object({}, { description: 'Os outros campos do registro.' }),
});

/** What names a decision for a person. */
export function titleOf({ id, fonte, tipo, processo, data_julgamento: judged }: Titled): string {
  return [fonte, processo ?? tipo, judged, id].filter((part) => part !== null).join(' · ');
}
type Titled = Pick<Resumo, 'id' | 'fonte' | 'tipo' | 'processo' | 'data_julgamento'>;

/** A page with a warning where nothing was found. */
export function pageWithWarning(page: Pagina): Pagina {
  if (page.itens.length > 0 || !hasAnswer(page)) return page;
  const where = page.completa ? '' : ' nas bases que responderam';
  const line = `nada encontrado${where}; isso não prova que a decisão não existe`;
  return { ...page, avisos: [line, ...page.avisos] };
}

export function itemsAsked(limite: number | undefined): number {
  return limite ?? ITEMS_DEFAULT;
}

export function citationOf({ itens, ...cited }: Checked) {
  return { ...cited, ids: [...cited.ids], registros: itens.map(headOf), avisos: [...cited.avisos] };
}

/** A record with truncated long texts and lists, and a warning for each. */
export function recordOf(record: Documento): Registro {
  const warnings: string[] = [];
  const text = (name: string, value: string | null) => {
    if (value === null || value.length <= TEXT_LENGTH_MAX) return value;
    warnings.push(`${name} cortada em ${TEXT_LENGTH_MAX} de ${value.length} caracteres`);
    return `${value.slice(0, TEXT_LENGTH_MAX)}…`;
  };
  const list = (name: string, values: string[] | null) => {
    if (values === null || values.join('').length <= TEXT_LENGTH_MAX) return values;
    warnings.push(`${name}: só os primeiros de ${values.length}, cada um cortado`);
    return values.slice(0, LIST_LENGTH_MAX).map((one) => one.slice(0, TEXT_LENGTH_MAX / LIST_LENGTH_MAX));
  };
  if (record.ementa_status !== 'completa')
    warnings.push(`ementa ${record.ementa_status}: confira-a na origem`);
  const isLong = JSON.stringify(record.extras).length > TEXT_LENGTH_MAX;
  if (isLong) warnings.push('extras deixados de fora: são longos demais');
  return {
    ...record,
    extras: isLong ? {} : record.extras,
    ementa: text('ementa', record.ementa),
    tese: text('tese', record.tese),
    dispositivo: text('dispositivo', record.dispositivo),
    citacao: text('citacao', record.citacao),
    legislacao_citada: list('legislacao_citada', record.legislacao_citada),
    temas: list('temas', record.temas),
    avisos: warnings,
  };
}

/** The id, the court, the type and the dates, if the source gives them. */
function headOf(item: Omit<Resumo, 'trecho_da_ementa'>): string {
  const { id, fonte, tipo, processo, data_julgamento: judged, data_publicacao: published } = item;
  const dates = [
    judged === null ? null : `julgada ${judged}`,
    published === null ? null : `publicada ${published}`,
  ];
  return [id, fonte, tipo, processo, ...dates].filter((part) => part !== null).join(' | ');
}
