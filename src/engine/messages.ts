import { Type, type Static } from 'typebox';
import { CodigoTribunalSchema, OrdemSchema, TipoSchema } from '../contract/enums.ts';
import { nullable } from '../contract/nullable.ts';

/**
 * The messages between a base actor and its port: plain serialisable data, each request with its budget in
 * milliseconds and each reply with the base's commit generation.
 */
const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A positive word of the query, as the tokenizer folds it; `prefixo`: any word that starts with it. */
export const TermoSchema = Type.Object({ texto: Type.String({ minLength: 1 }), prefixo: Type.Boolean() });
export type Termo = Static<typeof TermoSchema>;

/**
 * The query, as one tree:
 * - `term`: the decisions that hold the word;
 * - `positional`: those in which every one of `phrases` stands, its words side by side, all in one column; of several,
 *   with at most `distance` words between them (null where there is one); only in the columns of the mask, bit `n` for
 *   column `n`; and at the very beginning of its column where `first` says so;
 * - `and`, `or`: in all or any of the parts; `not`: in `of` and not in `without`; `nothing`: none.
 */
export type Tree =
  | { kind: 'nothing' }
  | ({ kind: 'term' } & Termo)
  | Positional
  | { kind: 'and' | 'or'; parts: Tree[] }
  | { kind: 'not'; of: Tree; without: Tree };
export interface Positional {
  kind: 'positional';
  phrases: Termo[][];
  distance: number | null;
  columns: number;
  first: boolean;
}
const TreeSchema = Type.Unsafe<Tree>(
  Type.Cyclic(
    {
      Tree: Type.Union([
        Type.Object({ kind: Type.Literal('nothing') }),
        Type.Object({ kind: Type.Literal('term'), ...TermoSchema.properties }),
        Type.Object({
          kind: Type.Literal('positional'),
          phrases: Type.Array(Type.Array(TermoSchema, { minItems: 1 }), { minItems: 1 }),
          distance: nullable(whole),
          columns: whole,
          first: Type.Boolean(),
        }),
        Type.Object({
          kind: Type.Union([Type.Literal('and'), Type.Literal('or')]),
          parts: Type.Array(Type.Ref('Tree'), { minItems: 2 }),
        }),
        Type.Object({ kind: Type.Literal('not'), of: Type.Ref('Tree'), without: Type.Ref('Tree') }),
      ]),
    },
    'Tree',
  ),
);

/** Which decisions count: null means all. Dates are those of judgment, `yyyymmdd`, both ends included. */
export const FiltroSchema = Type.Object({
  tribunais: nullable(Type.Array(CodigoTribunalSchema)),
  tipo: nullable(TipoSchema),
  julgamento_de: nullable(whole),
  julgamento_ate: nullable(whole),
});
export type Filtro = Static<typeof FiltroSchema>;

/**
 * By inclusion: the next page holds the numbers below `abaixo_de`. `generation` is the commit generation of the page
 * before: older data do not have all of these numbers.
 */
export const PosicaoRecentesSchema = Type.Object({
  ordem: Type.Literal('recentes'),
  abaixo_de: whole,
  generation: Type.Optional(whole),
});
/**
 * By relevance: the decisions up to `horizonte` (the highest number when the first page was made), ranked
 * with the document frequencies `df` of that moment, one for each term, that come after (`score`, `numero`);
 * a null `score` stands before the first. `generation` is the commit generation of that page: a decision replaced
 * since then keeps the place it had.
 */
export const PosicaoRelevanciaSchema = Type.Object({
  ordem: Type.Literal('relevancia'),
  horizonte: whole,
  df: Type.Array(whole),
  score: nullable(Type.Number()),
  numero: whole,
  generation: whole,
});
export const PosicaoSchema = Type.Union([PosicaoRecentesSchema, PosicaoRelevanciaSchema]);
export type PosicaoRelevancia = Static<typeof PosicaoRelevanciaSchema>;
export type Posicao = Static<typeof PosicaoSchema>;

/**
 * `budget_ms`: longest duration. `work_ms`: most processor time, where that is limited; a request that needs more ends
 * with `deadline` too. Threads share processors, so a request that only waited for one is not expensive.
 */
const budget = {
  budget_ms: Type.Number({ minimum: 0 }),
  work_ms: Type.Optional(Type.Number({ minimum: 0 })),
};

/**
 * One page's worth of numbers from one base, in the order asked, the first `rows_max` of them as Resumo
 * JSON text too. `count_ms`: how long counting may take after that; null asks for no count.
 */
export const SearchRequestSchema = Type.Object({
  kind: Type.Literal('search'),
  tree: TreeSchema,
  termos: Type.Array(TermoSchema),
  filtro: FiltroSchema,
  ordem: OrdemSchema,
  posicao: nullable(PosicaoSchema),
  numeros_max: Type.Integer({ minimum: 1 }),
  rows_max: whole,
  count_ms: nullable(whole),
  ...budget,
});
export type SearchRequest = Static<typeof SearchRequestSchema>;

/**
 * The rows of known numbers: `resumo` or `documento` JSON text, null where there is no such decision. `generation_min`:
 * of the data that named them; older ones may lack some.
 */
export const ReadRequestSchema = Type.Object({
  kind: Type.Literal('read'),
  generation_min: Type.Optional(whole),
  tabela: Type.Union([Type.Literal('resumo'), Type.Literal('documento')]),
  numeros: Type.Array(whole),
  ...budget,
});
export type ReadRequest = Static<typeof ReadRequestSchema>;

/** One bounded slice of the coverage calculation: the decisions with numbers above `acima_de`. */
export const CoverRequestSchema = Type.Object({
  kind: Type.Literal('cover'),
  acima_de: whole,
  linhas_max: Type.Integer({ minimum: 1 }),
  ...budget,
});
export type CoverRequest = Static<typeof CoverRequestSchema>;

/**
 * A word that the base is said not to hold, by its tokens: several are a number written with marks. `forms`: other ways to
 * write it, best first. `edits`: whether words one edit away count too.
 */
export const NearWordSchema = Type.Object({
  tokens: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  forms: Type.Array(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
  edits: Type.Boolean(),
});
export type NearWord = Static<typeof NearWordSchema>;

/** What the base holds near some words. `tree`: of a search to try with them in their place; null: none. */
export const NearRequestSchema = Type.Object({
  kind: Type.Literal('near'),
  words: Type.Array(NearWordSchema, { minItems: 1 }),
  tree: nullable(TreeSchema),
  filtro: FiltroSchema,
  ...budget,
});
export type NearRequest = Static<typeof NearRequestSchema>;

export const BaseRequestSchema = Type.Union([
  SearchRequestSchema,
  ReadRequestSchema,
  CoverRequestSchema,
  NearRequestSchema,
]);
export type BaseRequest = Static<typeof BaseRequestSchema>;

/**
 * The state of the base that a reply was read from. `generation`: raised by each commit. `decisoes`: how many decisions
 * the base then holds. `data_version`: differs between any two states, also of different files; a reply without it is
 * never cached. `file`: names the file, whatever is written to it; missing if the base is elsewhere, where each node has a
 * copy. `demonstracao`: the decisions are made up.
 */
const generation = {
  generation: whole,
  decisoes: whole,
  data_version: Type.Optional(Type.String()),
  file: Type.Optional(Type.String()),
  demonstracao: Type.Optional(Type.Boolean()),
};

/**
 * `numeros`: at most `numeros_max`, and fewer only when the base has no more. `posicoes`: where each of them
 * leaves the reader, aligned with `numeros`; `inicio`: where the reader stands before the first.
 */
export const SearchReplySchema = Type.Object({
  kind: Type.Literal('search'),
  numeros: Type.Array(whole),
  scores: nullable(Type.Array(Type.Number())),
  inicio: PosicaoSchema,
  resumos: Type.Array(Type.String()),
  /** Matches counted, to 1,001 at the most; null when not asked or when time did not allow. */
  contagem: nullable(whole),
  /**
   * Of a first page that is not full: the places in `termos` of what no decision of the base holds, whatever the filter.
   * Missing where there is none, and where it was not looked for.
   */
  ausentes: Type.Optional(Type.Array(whole, { minItems: 1 })),
  /** What the thread spent on counting and on reading rows, milliseconds. */
  count_ms: Type.Number({ minimum: 0 }),
  rows_ms: Type.Number({ minimum: 0 }),
  ...generation,
});
export type SearchReply = Static<typeof SearchReplySchema>;

export const ReadReplySchema = Type.Object({
  kind: Type.Literal('read'),
  linhas: Type.Array(nullable(Type.String())),
  ...generation,
});
export type ReadReply = Static<typeof ReadReplySchema>;

/** Totals of one slice; `ate` is the last number seen, null when the slice was the last one. */
export const CoverReplySchema = Type.Object({
  kind: Type.Literal('cover'),
  total: whole,
  julgamento_min: nullable(whole),
  julgamento_max: nullable(whole),
  publicacao_min: nullable(whole),
  publicacao_max: nullable(whole),
  tipos: Type.Array(TipoSchema),
  /** Years of judgment, each with its decisions; undated ones are in none. Absent where the base does not tell. */
  anos: Type.Optional(Type.Array(Type.Tuple([whole, whole]))),
  ate: nullable(whole),
  ...generation,
});
export type CoverReply = Static<typeof CoverReplySchema>;

const tokens = Type.Array(Type.String());
/**
 * What was found in the time there was. `near`: for each word, best first, what the base holds and in how many decisions,
 * counted to 1,000; null where it does hold the word, for all that there was time to see. `found`: what put in the place of each word makes the search find
 * a decision; null where nothing does. `is_whole`: false where the work or the time ran out.
 */
export const NearReplySchema = Type.Object({
  kind: Type.Literal('near'),
  near: Type.Array(nullable(Type.Array(Type.Object({ tokens, docs: whole })))),
  found: nullable(Type.Array(nullable(tokens))),
  is_whole: Type.Boolean(),
  ...generation,
});
export type NearReply = Static<typeof NearReplySchema>;

export type BaseReply = SearchReply | ReadReply | CoverReply | NearReply;
/** The reply that belongs to a request. */
export type ReplyTo<R extends BaseRequest> = Extract<BaseReply, { kind: R['kind'] }>;
