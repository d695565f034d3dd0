import type { Entry } from '../format/terms.ts';
import type { QueryTerm } from '../../engine/messages.ts';
import type { Bits } from './bitset.ts';
import type { Hits } from './hits.ts';
import type { ListRows } from './list-rows.ts';
import type { ThreadCache } from './thread-cache.ts';
import type { Candidates } from './scores.ts';

/** The decisions that hold a term of the query, block by block. */
export interface TermList {
  readonly term: QueryTerm;
  /** How many of a block's there are. */
  count(block: number): number;
  /** Those of them: a fresh set, or `EMPTY`. */
  bits(block: number): Bits;
  /** Keeps in `bits` what is among them. @returns whether that is anything. */
  keep(block: number, bits: Bits): boolean;
  /** Adds to the scores of the candidates what the term weighs in each. */
  score(block: number, candidates: Candidates, weight: number): void;
  /** No impact in a block is higher. */
  max(block: number): number;
  /** What `addAtLeast` takes, in nanoseconds, once `max` was asked for. */
  costOfAtLeast(block: number, least: number): number;
  /** Adds those of the matches that have an impact of at least `least`, above 0, with what the term weighs in each. */
  addAtLeast(block: number, least: number, matches: Bits, weight: number, hits: Hits): void;
  /** Adds to the scores of the hits what the term weighs in each. */
  addImpacts(block: number, weight: number, hits: Hits): void;
  /** Decisions up to a number, each counted once. */
  frequency(horizon: number): number;
  /** Whether any decision holds it. A prefix is said to occur where words that begin so were ever indexed. */
  occurs(): boolean;
  /** The words that it stands for, as the dictionary has them. */
  words(): readonly Entry[];
}

/** What lists are read for: who stands in them, or also how much they weigh there. */
export type Reads = 'members' | 'impacts';

/** What one request reads of lists. */
export interface Reading {
  /** Blocks of numbers that there are. */
  readonly blocks: number;
  /** The highest id of a term. */
  readonly terms: number;
  readonly reads: Reads;
  /** Of the data generation that the request reads. */
  readonly cache: ThreadCache;
  readonly rows: ListRows;
}
