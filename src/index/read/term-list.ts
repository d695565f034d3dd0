import type { Bits } from './bitset.ts';
import type { Kept } from './thread-cache.ts';
import type { Candidates } from './scores.ts';

/** The decisions that hold a term of the query, block by block. */
export interface TermList {
  /** How many of a block's there are, at the most; 0 only where there is none. */
  count(block: number): number;
  /** Those of them: a fresh set, or `EMPTY`. */
  bits(block: number): Bits;
  /** Keeps in `bits` what is among them. @returns whether that is anything. */
  keep(block: number, bits: Bits): boolean;
  /** Adds to the scores of the candidates what the term weighs in each. */
  score(block: number, candidates: Candidates, weight: number): void;
  /** Decisions up to a number, each counted once. */
  frequency(horizon: number): number;
  /** Postings that FTS5 would go through for it. */
  readonly postings: number;
  /** The word ids it stands for. */
  readonly ids: ReadonlySet<number>;
}

/** What lists are read for: who stands in them, or also how much they weigh there. */
export type Reads = 'members' | 'impacts';

/** What one request reads of lists. */
export interface Reading {
  /** Blocks of numbers that there are. */
  readonly blocks: number;
  readonly reads: Reads;
  /** Of the data generation that the request reads. */
  readonly kept: Kept;
}

export const LIST_SQL = 'SELECT dados FROM impacto WHERE lista = ?';
export const LENGTH_SQL = 'SELECT length(dados) FROM impacto WHERE lista = ?';
