import type { Termo } from '../src/base/messages.ts';
import { BLOCK_SIZE } from '../src/base/schema.ts';
import { BudgetExceeded } from './budget.ts';
import { EMPTY, intersect, newBits, setBit, type Bits } from './bits.ts';
import type { Connection } from './connection.ts';
import type { Lists } from './lists.ts';

/** In which order blocks are asked for. */
export type Direction = 'ascending' | 'descending';

/** Matches fetched by one statement; another one goes on where it ended. */
const CHUNK_MAX = 2_048;
/** FTS5 merges every word of a prefix before its first row, each time: above this it is asked only once. */
const PREFIX_POSTINGS_MAX = 5_000;
/**
 * What FTS5 takes at the least: for each word of each decision that holds the rarest of the words, and for each
 * posting of a prefix. Measured over a million decisions: 0.2 to 0.4 µs and 0.15 to 0.3 µs.
 */
const MS_PER_CANDIDATE = 0.000_2;
const MS_PER_PREFIX_POSTING = 0.000_3;

const SQL = {
  ascending:
    'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid >= ? AND within_budget() ORDER BY rowid LIMIT ?',
  descending:
    'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid <= ? AND within_budget() ORDER BY rowid DESC LIMIT ?',
} as const;

/**
 * Part of a query that asks where words stand: a phrase, NEAR, words in some columns. FTS5 says which decisions
 * match. Between one match and the next it cannot be stopped, so it is not even asked where that may take
 * longer than there is time.
 */
export class Passage {
  readonly #connection: Connection;
  readonly #lists: Lists;
  readonly #direction: Direction;
  readonly #termos: readonly Termo[];
  #fts5: string;
  #candidates: number;
  readonly #found = new Map<number, Bits>();
  /** The next number to ask about; null when FTS5 has no more. */
  #next: number | null;
  /** Which part of all that there is FTS5 may have to go through until it can be stopped. */
  #risk = 1;

  constructor(
    connection: Connection,
    lists: Lists,
    { fts5, termos, direction }: { fts5: string; termos: readonly Termo[]; direction: Direction },
  ) {
    this.#connection = connection;
    this.#lists = lists;
    this.#direction = direction;
    this.#termos = termos;
    this.#fts5 = fts5;
    this.#candidates = Math.min(...termos.map((termo) => lists.of(termo).postings));
    this.#next = direction === 'ascending' ? 0 : Number.MAX_SAFE_INTEGER;
  }

  /** Limits it to decisions that hold a word too, where that word is so rare that FTS5 gets by with less. */
  narrow(word: Termo): void {
    const { postings } = this.#lists.of(word);
    if (postings * NARROWER < this.#candidates) {
      this.#fts5 = `(${this.#fts5}) AND "${word.texto}"`;
      this.#candidates = postings;
    }
  }

  /** @param within only these matter; null for all. @throws BudgetExceeded */
  bits(block: number, within: Bits | null): Bits {
    while (this.#next !== null && !this.#isPast(block)) this.#fetch(this.#next);
    const found = this.#found.get(block)?.slice() ?? EMPTY;
    if (within !== null && found !== EMPTY) intersect(found, within);
    return found;
  }

  /** True when all of the block has been asked about. */
  #isPast(block: number): boolean {
    const next = this.#next ?? 0;
    return this.#direction === 'ascending' ? next >= (block + 1) * BLOCK_SIZE : next < block * BLOCK_SIZE;
  }

  #fetch(from: number): void {
    const { budget, statement } = this.#connection;
    const prefixPostings = this.#prefixPostings();
    if (this.#cost(prefixPostings) * this.#risk > budget.remaining()) throw new BudgetExceeded();
    this.#risk = RISK_AFTER_MATCHES;
    const most = prefixPostings > PREFIX_POSTINGS_MAX ? Number.MAX_SAFE_INTEGER : CHUNK_MAX;
    // As a whole number: the library binds any other as a floating-point one, of which FTS5 takes no notice.
    const rows = statement<number>(SQL[this.#direction]).pluck().all(this.#fts5, BigInt(from), most);
    for (const numero of rows) {
      const block = Math.floor(numero / BLOCK_SIZE);
      let bits = this.#found.get(block);
      if (bits === undefined) {
        bits = newBits();
        this.#found.set(block, bits);
      }
      setBit(bits, numero % BLOCK_SIZE);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < most) this.#next = null;
    else this.#next = this.#direction === 'ascending' ? last + 1 : last - 1;
  }

  /** Milliseconds until FTS5 has been through all, at the least. */
  #cost(prefixPostings: number): number {
    return this.#candidates * this.#termos.length * MS_PER_CANDIDATE + prefixPostings * MS_PER_PREFIX_POSTING;
  }

  #prefixPostings(): number {
    let sum = 0;
    for (const termo of this.#termos) if (termo.prefixo) sum += this.#lists.of(termo).postings;
    return sum;
  }
}

/** Where matches have come at all, the next one is not as far away as the end. */
const RISK_AFTER_MATCHES = 1 / 8;
/** A word must be this many times rarer than the passage's own before it is worth the seeking. */
const NARROWER = 8;
