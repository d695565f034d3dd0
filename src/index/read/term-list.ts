import type { TermEntry } from '../format/terms.ts';
import type { QueryTerm } from '../../engine/messages.ts';
import type { Members } from './bitset.ts';
import type { AtLeast, BlockCollector } from './block-collector.ts';
import type { ListRows } from './list-rows.ts';
import type { ThreadCache } from './thread-cache.ts';

/** The decisions with a term of the query, block by block. */
export interface TermList {
  readonly term: QueryTerm;
  count(block: number): number;
  members(block: number): Members;
  /** The highest impact in a block. */
  max(block: number): number;
  /** An estimate for `addAtLeast`, in nanoseconds. Call `max` first. */
  costOfAtLeast(block: number, least: number): number;
  /** Adds the matches with an impact of at least `least`, above 0. */
  addAtLeast(block: number, wanted: AtLeast, collector: BlockCollector): void;
  /** Adds `idf` times the impact to the score for each hit. */
  addImpacts(block: number, idf: number, collector: BlockCollector): void;
  /** The number of decisions up to a doc id. */
  frequency(docIdMax: number): number;
  /** Whether any decision has the term. A prefix occurs if such words were ever indexed. */
  occurs(): boolean;
  /** The words' entries in the dictionary. */
  words(): readonly TermEntry[];
}

/** Whether impacts are read too. */
export type Reads = 'members' | 'impacts';

export interface Reading {
  /** Blocks in the base. */
  readonly blocks: number;
  readonly reads: Reads;
  readonly cache: ThreadCache;
  readonly rows: ListRows;
}
