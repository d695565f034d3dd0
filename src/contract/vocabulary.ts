/**
 * The contract's closed vocabularies, in its order, and limits. They are separate from the schemas, because the service needs
 * only the words: loading the schema library would take most of a thread's start and a third of the service's start.
 */
export const BASES = ['tst', 'stf', 'stj', 'tjmg', 'trt3', 'eproc'] as const;
export const TIPOS = [
  'acordao',
  'decisao_monocratica',
  'decisao_presidencia',
  'decisao_vice_presidencia',
  'decisao_corregedoria',
  'sumula',
  'orientacao_jurisprudencial',
  'precedente_normativo',
  'informativo',
] as const;
export const ORDENS = ['relevancia', 'recentes'] as const;
export const ORDEM_PADRAO = 'relevancia';
export const STATUS_EMENTA = ['completa', 'truncada', 'suspeita', 'ausente'] as const;
export const RAMOS = ['trabalhista', 'estadual', 'federal', 'superior'] as const;
export const CODIGOS_TRIBUNAL = ['tst', 'stf', 'stj', 'tnu', 'trf6', 'trt3', 'tjmg'] as const;
/** `BR` marks national courts; the rest are the 26 states and the federal district. */
// prettier-ignore
export const UFS = [
  'BR', 'AC', 'AL', 'AM', 'AP', 'BA', 'CE', 'DF', 'ES', 'GO', 'MA', 'MG', 'MS', 'MT',
  'PA', 'PB', 'PE', 'PI', 'PR', 'RJ', 'RN', 'RO', 'RR', 'RS', 'SC', 'SE', 'SP', 'TO',
] as const;

export type Base = (typeof BASES)[number];
export type Tipo = (typeof TIPOS)[number];
export type Ordem = (typeof ORDENS)[number];
export type StatusEmenta = (typeof STATUS_EMENTA)[number];
export type Ramo = (typeof RAMOS)[number];
export type CodigoTribunal = (typeof CODIGOS_TRIBUNAL)[number];
export type Uf = (typeof UFS)[number];

export const LIMITE_MAX = 50;
export const LIMITE_PADRAO = 20;
/** Length of `q`, in Unicode code points. */
export const Q_MIN = 2;
export const Q_MAX = 300;
/** Length of `trecho_da_ementa`, in UTF-16 units; an ementa that is cut leaves one of at least `TRECHO_CUT_MIN`. */
export const TRECHO_MAX = 400;
export const TRECHO_CUT_MIN = 340;
/** The service rejects a search over more bases than this without a choice of courts. */
export const BASES_SEM_ESCOLHA_MAX = 8;

/** The parameters of the search route, in the order of error messages. */
export const PARAMETROS = [
  'q',
  'tribunal',
  'uf',
  'ramo',
  'tipo',
  'data_de',
  'data_ate',
  'ordem',
  'limite',
  'cursor',
] as const;
export type Parametro = (typeof PARAMETROS)[number];
/** The number has no leading zero and fits 64 bits. */
export const ID_PATTERN = `^(${BASES.join('|')}):([1-9][0-9]{0,18})$`;
/** Matches are counted up to here. */
export const CONTAGEM_MAX = 1000;

/** True if `word` is one of `words`; narrows its type. */
export function isOneOf<const T extends readonly string[]>(words: T, word: unknown): word is T[number] {
  return typeof word === 'string' && words.includes(word);
}
