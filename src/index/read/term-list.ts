import type { Entry } from '../format/terms.ts';
import type { QueryTerm } from '../../engine/messages.ts';
import type { Bits } from './bitset.ts';
import type { AtLeast, Hits } from './hits.ts';
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
  /** Adds to the score of each candidate the term's impact in it, times its idf. */
  score(block: number, candidates: Candidates, idf: number): void;
  /** No impact in a block is higher. */
  max(block: number): number;
  /** What `addAtLeast` takes, in nanoseconds, once `max` was asked for. */
  costOfAtLeast(block: number, least: number): number;
  /** Adds those of the matches that have an impact of at least `least`, above 0. */
  addAtLeast(block: number, wanted: AtLeast, hits: Hits): void;
  /** Adds to the score of each hit the term's impact in it, times its idf. */
  addImpacts(block: number, idf: number, hits: Hits): void;
  /** Decisions up to a doc id, each counted once. */
  frequency(docIdMax: number): number;
  /** Whether any decision holds it. A prefix is said to occur where words that begin so were ever indexed. */
  occurs(): boolean;
  /** The words that it stands for, as the dictionary has them. */
  words(): readonly Entry[];
}

/** What lists are read for: their decisions, or also the impacts of these. */
export type Reads = 'members' | 'impacts';

/** What one request reads of lists. */
export interface Reading {
  /** Blocks that there are. */
  readonly blocks: number;
  /** The highest id of a term. */
  readonly terms: number;
  readonly reads: Reads;
  /** Of the data generation that the request reads. */
  readonly cache: ThreadCache;
  readonly rows: ListRows;
}
