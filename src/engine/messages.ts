import { Type, type Static } from 'typebox';
import { CodigoTribunalSchema, OrdemSchema, TipoSchema } from '../contract/enums.ts';
import { literals } from '../contract/literals.ts';
import { nullable } from '../contract/nullable.ts';

/**
 * The messages between a base actor and its port, and what an actor reports: plain serialisable data, each request with
 * its budget in milliseconds and each reply with the base's commit generation.
 */
const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A positive word of the query, as the tokenizer folds it; `prefix`: any word that starts with it. */
export const QueryTermSchema = Type.Object({ token: Type.String({ minLength: 1 }), prefix: Type.Boolean() });
export type QueryTerm = Static<typeof QueryTermSchema>;

/**
 * The query, as one tree of the decisions that match:
 * - `term`: with the word;
 * - `positional`: with every one of `phrases`, its words side by side, all in one column; several with at most `distance`
 *   words between them (null for one phrase); only in the columns of the mask, bit `n` for column `n`; `first`: at the
 *   very beginning of the column;
 * - `and`, `or`: in all or any of the parts; `not`: in `of` and not in `without`; `nothing`: none.
 */
export type Tree =
  | { kind: 'nothing' }
  | ({ kind: 'term' } & QueryTerm)
  | Positional
  | { kind: 'and' | 'or'; parts: Tree[] }
  | { kind: 'not'; of: Tree; without: Tree };
export interface Positional {
  kind: 'positional';
  phrases: QueryTerm[][];
  distance: number | null;
  columns: number;
  first: boolean;
}
const TreeSchema = Type.Unsafe<Tree>(
  Type.Cyclic(
    {
      Tree: Type.Union([
        Type.Object({ kind: Type.Literal('nothing') }),
        Type.Object({ kind: Type.Literal('term'), ...QueryTermSchema.properties }),
        Type.Object({
          kind: Type.Literal('positional'),
          phrases: Type.Array(Type.Array(QueryTermSchema, { minItems: 1 }), { minItems: 1 }),
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

/** Which decisions count: null means all. Dates of judgment, `yyyymmdd`, both ends included. */
export const DocFilterSchema = Type.Object({
  tribunais: nullable(Type.Array(CodigoTribunalSchema)),
  tipo: nullable(TipoSchema),
  judged_from: nullable(whole),
  judged_to: nullable(whole),
});
export type DocFilter = Static<typeof DocFilterSchema>;

/**
 * By inclusion: the next page holds the numbers below `below`. `generation` is the commit generation of the page
 * before: older data do not have all of these numbers.
 */
export const AfterRecentesSchema = Type.Object({
  ordem: Type.Literal('recentes'),
  below: whole,
  generation: Type.Optional(whole),
});
/**
 * By relevance: the decisions up to `doc_id_max` (the highest number when the first page was made), ranked with the
 * document frequencies `df` of that moment, one for each term (none if nothing matched), that come after (`score`, `doc_id`);
 * a null `score`: from the first. `generation` is the commit generation of that page: a decision replaced since then keeps its place.
 */
export const AfterRelevanciaSchema = Type.Object({
  ordem: Type.Literal('relevancia'),
  doc_id_max: whole,
  df: Type.Array(whole),
  score: nullable(Type.Number()),
  doc_id: whole,
  generation: whole,
});
export const AfterSchema = Type.Union([AfterRecentesSchema, AfterRelevanciaSchema]);
export type AfterRelevancia = Static<typeof AfterRelevanciaSchema>;
export type After = Static<typeof AfterSchema>;

/**
 * `budget_ms`: longest duration. `work_ms`: most processor time; a request that needs more is expensive. Threads share
 * processors, so one that only waited is not.
 */
const budget = {
  budget_ms: Type.Number({ minimum: 0 }),
  work_ms: Type.Optional(Type.Number({ minimum: 0 })),
};

/**
 * The numbers of one page from one base, in the order asked, the first `rows_max` of them as Resumo JSON text too.
 * `count_ms`: how long counting may take, within the budget; null asks for no count.
 */
export const SearchRequestSchema = Type.Object({
  kind: Type.Literal('search'),
  tree: TreeSchema,
  terms: Type.Array(QueryTermSchema),
  filter: DocFilterSchema,
  ordem: OrdemSchema,
  after: nullable(AfterSchema),
  doc_ids_max: Type.Integer({ minimum: 1 }),
  rows_max: whole,
  count_ms: nullable(whole),
  ...budget,
});
export type SearchRequest = Static<typeof SearchRequestSchema>;

/**
 * The rows of known numbers: `resumo` or `documento` JSON text, null for an unknown one. `generation_min`: of the data that
 * named them; older data may lack some.
 */
export const ReadRequestSchema = Type.Object({
  kind: Type.Literal('read'),
  generation_min: Type.Optional(whole),
  object: Type.Union([Type.Literal('resumo'), Type.Literal('documento')]),
  doc_ids: Type.Array(whole),
  ...budget,
});
export type ReadRequest = Static<typeof ReadRequestSchema>;

/** One bounded slice of the coverage calculation: the decisions with numbers above `above`. */
export const CoverRequestSchema = Type.Object({
  kind: Type.Literal('cover'),
  above: whole,
  rows_max: Type.Integer({ minimum: 1 }),
  ...budget,
});
export type CoverRequest = Static<typeof CoverRequestSchema>;

/**
 * A word that the base is said not to hold, by its tokens: several are a number written with marks. `forms`: other ways to
 * write it, best first. `edits`: whether words one edit away count too. `anyway`: also if the base holds it.
 */
export const NearWordSchema = Type.Object({
  tokens: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  forms: Type.Array(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
  edits: Type.Boolean(),
  anyway: Type.Boolean(),
});
export type NearWord = Static<typeof NearWordSchema>;

/** What the base holds near some words. `tree`: of a search to try with them in their place; null: none. */
export const NearRequestSchema = Type.Object({
  kind: Type.Literal('near'),
  words: Type.Array(NearWordSchema, { minItems: 1 }),
  tree: nullable(TreeSchema),
  filter: DocFilterSchema,
  ...budget,
});
export type NearRequest = Static<typeof NearRequestSchema>;

const BaseRequestSchema = Type.Union([
  SearchRequestSchema,
  ReadRequestSchema,
  CoverRequestSchema,
  NearRequestSchema,
]);
export type BaseRequest = Static<typeof BaseRequestSchema>;
/** A request without its budget, which is what is left until its deadline when it is sent to a thread. */
export type Unbudgeted<R extends BaseRequest> = R extends BaseRequest ? Omit<R, 'budget_ms'> : never;

/**
 * The state of the base that a reply was read from. `generation`: raised by each commit. `docs`: how many decisions
 * the base then holds. `version`: of the data, the same in every copy of the file. `data_version`: differs between any two
 * states, also of different files; a reply without it is never cached. `file`: names the file, whatever is written to it.
 * `made_up`: the decisions are made up.
 */
const generation = {
  generation: whole,
  docs: whole,
  version: Type.Optional(Type.String()),
  data_version: Type.Optional(Type.String()),
  file: Type.Optional(Type.String()),
  made_up: Type.Optional(Type.Boolean()),
};

/**
 * `doc_ids`: at most `doc_ids_max`, and fewer only when the base has no more. `start`: the place before the first of them.
 */
const SearchReplySchema = Type.Object({
  kind: Type.Literal('search'),
  doc_ids: Type.Array(whole),
  scores: nullable(Type.Array(Type.Number())),
  start: AfterSchema,
  resumos: Type.Array(Type.String()),
  /** Matches counted, to 1,001 at the most; null when not asked or when time did not allow. */
  count: nullable(whole),
  /**
   * Of a first page that is not full: the places in `terms` of what no decision of the base holds, whatever the filter.
   * Missing if there is none, or if the search did not check.
   */
  absent: Type.Optional(Type.Array(whole, { minItems: 1 })),
  /** What the thread spent on counting and on reading rows, milliseconds. */
  count_ms: Type.Number({ minimum: 0 }),
  rows_ms: Type.Number({ minimum: 0 }),
  ...generation,
});
export type SearchReply = Static<typeof SearchReplySchema>;

const ReadReplySchema = Type.Object({
  kind: Type.Literal('read'),
  rows: Type.Array(nullable(Type.String())),
  ...generation,
});
export type ReadReply = Static<typeof ReadReplySchema>;

/** Totals of one slice; `to` is the last number seen, null when the slice was the last one. */
const CoverReplySchema = Type.Object({
  kind: Type.Literal('cover'),
  total: whole,
  judged_min: nullable(whole),
  judged_max: nullable(whole),
  published_min: nullable(whole),
  published_max: nullable(whole),
  types: Type.Array(TipoSchema),
  /** Years of judgment, each with its decisions; undated ones are in none. Absent where the base does not tell. */
  years: Type.Optional(Type.Array(Type.Tuple([whole, whole]))),
  to: nullable(whole),
  ...generation,
});
export type CoverReply = Static<typeof CoverReplySchema>;

const tokens = Type.Array(Type.String());
/**
 * `near`: for each word, best first, what the base holds and in how many decisions, counted to 1,000; null if it holds the
 * word itself, as far as time allowed to see. `found`: the replacement of each word with which the search finds a decision;
 * null if none. `is_whole`: false if the work or the time ran out.
 */
const NearReplySchema = Type.Object({
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

/**
 * A base as an operator sees it. `detail`: why it does not answer. `threads_busy`: threads that run a batch.
 * `threads_left_behind`: abandoned threads that still run, because a statement does not end. `restarts`: of threads, since
 * the port was made. `under_way`: running batches. `generation`, `docs`, `made_up`: from the latest reply; null before it.
 */
const BaseStatusSchema = Type.Object({
  state: literals(['unknown', 'up', 'down'] as const),
  detail: Type.String(),
  threads: whole,
  threads_busy: whole,
  threads_left_behind: whole,
  restarts: whole,
  waiting: whole,
  under_way: whole,
  generation: nullable(whole),
  docs: nullable(whole),
  made_up: nullable(Type.Boolean()),
});
export type BaseStatus = Readonly<Static<typeof BaseStatusSchema>>;
