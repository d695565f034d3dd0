import type { CodigoTribunal, Ordem, Tipo } from '../contract/vocabulary.ts';

/*
 * The messages between a base actor and its port, and what an actor reports: plain serialisable data, each request with
 * its budget in milliseconds and each reply with the base's commit generation. Numbers of decisions, counts and dates
 * (`yyyymmdd`) are whole and not negative. JSON texts of decisions are binary strings: the UTF-8 as it is stored and sent, one
 * character a byte, so that nobody decodes and encodes it on the way.
 */

/** A positive word of the query, as the tokenizer folds it; `prefix`: any word that starts with it. */
export interface QueryTerm {
  token: string;
  prefix: boolean;
}

/**
 * The query, as one tree of the decisions that match:
 * - `term`: with the word;
 * - `positional`: with every one of `phrases`, its words side by side, all in one column; several with at most `distance`
 *   words between them (null for one phrase); only in the columns of the mask, bit `n` for column `n`; `first`: at the
 *   very beginning of the column;
 * - `and`, `or`: in all or any of the parts, two at least; `not`: in `of` and not in `without`; `nothing`: none.
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

/** Which decisions count: null means all. Dates of judgment, both ends included. */
export interface DocFilter {
  tribunais: CodigoTribunal[] | null;
  tipo: Tipo | null;
  judged_from: number | null;
  judged_to: number | null;
}

/**
 * By inclusion: the next page holds the numbers below `below`. `generation` is the commit generation of the page
 * before: older data do not have all of these numbers.
 */
interface AfterRecentes {
  ordem: 'recentes';
  below: number;
  generation?: number;
}
/**
 * By relevance: the decisions up to `doc_id_max` (the highest number when the first page was made), ranked with the
 * document frequencies `df` of that moment, one for each term (none if nothing matched), that come after (`score`, `doc_id`);
 * a null `score`: from the first. `generation` is the commit generation of that page: a decision replaced since then keeps its place.
 */
export interface AfterRelevancia {
  ordem: 'relevancia';
  doc_id_max: number;
  df: number[];
  score: number | null;
  doc_id: number;
  generation: number;
}
export type After = AfterRecentes | AfterRelevancia;

/**
 * `budget_ms`: longest duration. `work_ms`: most processor time; a request that needs more is expensive. Threads share
 * processors, so one that only waited is not.
 */
interface Budgeted {
  budget_ms: number;
  work_ms?: number;
}

/**
 * The numbers of one page from one base, in the order asked, the first `rows_max` of them as Resumo JSON text too.
 * `count_ms`: how long counting may take, within the budget; null asks for no count.
 */
export interface SearchRequest extends Budgeted {
  kind: 'search';
  tree: Tree;
  terms: QueryTerm[];
  filter: DocFilter;
  ordem: Ordem;
  after: After | null;
  doc_ids_max: number;
  rows_max: number;
  count_ms: number | null;
}

/**
 * The rows of known numbers: `resumo` or `documento` JSON text, null for an unknown one. `generation_min`: of the data that
 * named them; older data may lack some.
 */
export interface ReadRequest extends Budgeted {
  kind: 'read';
  generation_min?: number;
  object: 'resumo' | 'documento';
  doc_ids: number[];
}

/** One bounded slice of the coverage calculation: the decisions with numbers above `above`. */
export interface CoverRequest extends Budgeted {
  kind: 'cover';
  above: number;
  rows_max: number;
}

/**
 * A word that the base is said not to hold, by its tokens: several are a number written with marks. `forms`: other ways to
 * write it, best first. `edits`: whether words one edit away count too. `anyway`: also if the base holds it.
 */
export interface NearWord {
  tokens: string[];
  forms: string[][];
  edits: boolean;
  anyway: boolean;
}

/** What the base holds near some words. `tree`: of a search to try with them in their place; null: none. */
export interface NearRequest extends Budgeted {
  kind: 'near';
  words: NearWord[];
  tree: Tree | null;
  filter: DocFilter;
}

export type BaseRequest = SearchRequest | ReadRequest | CoverRequest | NearRequest;
/** A request without its budget, which is what is left until its deadline when it is sent to a thread. */
export type Unbudgeted<R extends BaseRequest> = R extends BaseRequest ? Omit<R, 'budget_ms'> : never;

/**
 * The state of the base that a reply was read from. `generation`: raised by each commit. `docs`: how many decisions
 * the base then holds. `version`: of the data, the same in every copy of the file. `data_version`: differs between any two
 * states, also of different files; a reply without it is never cached. `file`: names the file, whatever is written to it.
 * `made_up`: the decisions are made up.
 */
interface OfGeneration {
  generation: number;
  docs: number;
  version?: string;
  data_version?: string;
  file?: string;
  made_up?: boolean;
}

/** `doc_ids`: at most `doc_ids_max`, and fewer only when the base has no more. `start`: the place before the first of them. */
export interface SearchReply extends OfGeneration {
  kind: 'search';
  doc_ids: number[];
  scores: number[] | null;
  start: After;
  resumos: string[];
  /** Matches counted, to 1,001 at the most; null when not asked or when time did not allow. */
  count: number | null;
  /**
   * Of a first page that is not full: the places in `terms` of what no decision of the base holds, whatever the filter.
   * Missing if there is none, or if the search did not check.
   */
  absent?: number[];
  /** What the thread spent on counting and on reading rows, milliseconds. */
  count_ms: number;
  rows_ms: number;
}

export interface ReadReply extends OfGeneration {
  kind: 'read';
  rows: (string | null)[];
}

/** Totals of one slice; `to` is the last number seen, null when the slice was the last one. */
export interface CoverReply extends OfGeneration {
  kind: 'cover';
  total: number;
  judged_min: number | null;
  judged_max: number | null;
  published_min: number | null;
  published_max: number | null;
  types: Tipo[];
  to: number | null;
}

/**
 * `near`: for each word, best first, what the base holds and in how many decisions, counted to 1,000; null if it holds the
 * word itself, as far as time allowed to see. `found`: the replacement of each word with which the search finds a decision;
 * null if none. `is_whole`: false if the work or the time ran out.
 */
export interface NearReply extends OfGeneration {
  kind: 'near';
  near: ({ tokens: string[]; docs: number }[] | null)[];
  found: (string[] | null)[] | null;
  is_whole: boolean;
}

export type BaseReply = SearchReply | ReadReply | CoverReply | NearReply;
/** The reply that belongs to a request. */
export type ReplyTo<R extends BaseRequest> = Extract<BaseReply, { kind: R['kind'] }>;

/**
 * A base as an operator sees it. `detail`: why it does not answer. `threads_busy`: threads that run a batch.
 * `threads_left_behind`: abandoned threads that still run, because a statement does not end. `restarts`: of threads, since
 * the port was made. `under_way`: running batches. `generation`, `docs`, `made_up`: from the latest reply; null before it.
 */
export interface BaseStatus {
  readonly state: 'unknown' | 'up' | 'down';
  readonly detail: string;
  readonly threads: number;
  readonly threads_busy: number;
  readonly threads_left_behind: number;
  readonly restarts: number;
  readonly waiting: number;
  readonly under_way: number;
  readonly generation: number | null;
  readonly docs: number | null;
  readonly made_up: boolean | null;
}
