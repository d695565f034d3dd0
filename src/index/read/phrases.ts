import type { Termo } from '../../engine/messages.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { BudgetExceeded } from './budget.ts';
import {
  EMPTY,
  copyOf,
  highestOf,
  intersect,
  lowestOf,
  newBits,
  setBit,
  subtract,
  unite,
  type Bits,
} from './bitset.ts';
import type { Connection } from './connection.ts';
import type { Lists } from './lists.ts';
import { tickOf } from './yield-term.ts';

/** In which order blocks are asked for. */
export type Direction = 'ascending' | 'descending';

/** Matches fetched by one statement; another one goes on where it ended. The newest come a page's worth first. */
const CHUNK_MIN = 32;
const CHUNK_MAX = 2_048;
const CHUNK_GROWTH = 4;
/** FTS5 merges every word of a prefix before its first row, each time: above this it is asked only once. */
const PREFIX_POSTINGS_MAX = 5_000;
/**
 * What FTS5 takes at the least: for each word of each decision that holds the rarest of the words, and for each
 * posting of a prefix. Measured over a million decisions: 0.2 to 0.4 µs and 0.15 to 0.3 µs.
 */
const MS_PER_CANDIDATE = 0.000_2;
const MS_PER_PREFIX_POSTING = 0.000_3;
/** What may take longer than this until its first match, or than a part of the time there is, must be stoppable. */
const UNSTOPPABLE_MS_MAX = 25;
/** So little time that what cannot be stopped at all is not begun. */
const LITTLE_MS = 100;
const UNSTOPPABLE_SHARE_MAX = 1 / 4;

/** To ask whether there is time left for each row is a third of the work: only where rows may be long in coming. */
const SQL = {
  ascending: 'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid >= ? ORDER BY rowid LIMIT ?',
  descending: 'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid <= ? ORDER BY rowid DESC LIMIT ?',
} as const;
const STOPPABLE_SQL = {
  ascending: SQL.ascending.replace('ORDER', 'AND within_budget() ORDER'),
  descending: SQL.descending.replace('ORDER', 'AND within_budget() ORDER'),
} as const;
const SPAN_SQL = 'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid >= ? AND rowid <= ?';
const STOPPABLE_SPAN_SQL = `${SPAN_SQL} AND within_budget()`;

/**
 * Part of a query that asks where words stand: a phrase, NEAR, words in some columns. FTS5 says which decisions
 * match. Between one row and the next it cannot be stopped. A passage that may take long to its next match is
 * asked together with a word that is there now and then (`tick.ts`), so that there are rows; the decisions with that
 * word are then asked about once more by themselves. With prefixes that does not help, for these are merged
 * before the first row: there FTS5 is not even asked where that may take longer than there is time.
 */
export class Passage {
  readonly #connection: Connection;
  readonly #unstoppableMsMax: number;
  readonly #lists: Lists;
  readonly #direction: Direction;
  readonly #termos: readonly Termo[];
  #fts5: string;
  #candidates: number;
  readonly #found = new Map<number, Bits>();
  /** The next number to ask about; null when FTS5 has no more. */
  #next: number | null;
  /** The word to ask with; null where FTS5 is asked for the passage alone. Settled at the first block. */
  #tick: Termo | null | undefined;
  /** Matches that the next statement fetches. */
  #chunk: number;

  constructor(
    connection: Connection,
    lists: Lists,
    { fts5, termos, direction }: { fts5: string; termos: readonly Termo[]; direction: Direction },
    unstoppableMsMax = UNSTOPPABLE_MS_MAX,
  ) {
    this.#connection = connection;
    this.#unstoppableMsMax = unstoppableMsMax;
    this.#lists = lists;
    this.#direction = direction;
    this.#termos = termos;
    this.#fts5 = fts5;
    this.#candidates = Math.min(...termos.map((termo) => lists.of(termo).postings));
    this.#next = direction === 'ascending' ? 0 : Number.MAX_SAFE_INTEGER;
    this.#chunk = direction === 'ascending' ? CHUNK_MAX : CHUNK_MIN;
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
    const base = block * BLOCK_SIZE;
    const from = base + (within === null ? 0 : lowestOf(within));
    const to = base + (within === null ? BLOCK_SIZE - 1 : highestOf(within));
    if (from > to) return EMPTY;
    if (this.#tick === undefined) this.#tick = this.#chooseTick();
    const found = this.#foundIn(block, from, to, this.#tick);
    if (within !== null && found !== EMPTY) intersect(found, within);
    return found;
  }

  #foundIn(block: number, from: number, to: number, tick: Termo | null): Bits {
    if (tick === null) return this.#upTo(block, from, to);
    // Of few decisions FTS5 is done before anyone could want to stop it.
    if (this.#longestMs(block, to + 1 - from) > this.#unstoppableMs()) {
      return this.#askWithTick(block, from, to, tick);
    }
    return this.#ask(SPAN_SQL, this.#fts5, from, to).get(block) ?? EMPTY;
  }

  /** The most that it can take in so many decisions of a block. */
  #longestMs(block: number, decisions: number): number {
    const holders = this.#termos.map((termo) => this.#lists.of(termo).count(block));
    return this.#msFor(Math.min(decisions, ...holders));
  }

  #msFor(candidates: number): number {
    return candidates * this.#termos.length * MS_PER_CANDIDATE;
  }

  #unstoppableMs(): number {
    return Math.min(this.#unstoppableMsMax, this.#connection.budget.remaining() * UNSTOPPABLE_SHARE_MAX);
  }

  /** What there is of a block, once all between two numbers has been asked about. */
  #upTo(block: number, from: number, to: number): Bits {
    const isPast = (next: number) => (this.#direction === 'ascending' ? next > to : next < from);
    while (this.#next !== null && !isPast(this.#next)) this.#fetch(this.#next);
    const found = this.#found.get(block);
    return found === undefined ? EMPTY : copyOf(found);
  }

  #chooseTick(): Termo | null {
    const longestMs = this.#msFor(this.#candidates);
    const leftMs = this.#connection.budget.remaining();
    const hasPrefix = this.#termos.some(({ prefixo }) => prefixo);
    // By relevance all of it is needed; and what cannot be stopped is not begun in very little time.
    const needsAll = this.#direction === 'ascending' || (hasPrefix && leftMs < LITTLE_MS);
    if (needsAll && longestMs > leftMs) throw new BudgetExceeded();
    if (longestMs <= this.#unstoppableMs() || hasPrefix) return null;
    const tick = tickOf(this.#connection, this.#lists.blocks);
    return tick === null ? null : { texto: tick.texto, prefixo: false };
  }

  #askWithTick(block: number, from: number, to: number, tick: Termo): Bits {
    const list = this.#lists.of(tick);
    const found = this.#ask(STOPPABLE_SPAN_SQL, `(${this.#fts5}) OR "${tick.texto}"`, from, to).get(block);
    if (found === undefined) return EMPTY;
    subtract(found, list.bits(block));
    const ticked = this.#ask(STOPPABLE_SPAN_SQL, `(${this.#fts5}) AND "${tick.texto}"`, from, to).get(block);
    if (ticked !== undefined) unite(found, ticked);
    return found;
  }

  #ask(sql: string, fts5: string, from: number, to: number): Map<number, Bits> {
    const found = new Map<number, Bits>();
    // As whole numbers: the library binds any other as a floating-point one, of which FTS5 takes no notice.
    const rows = this.#connection.value<number>(sql).all(fts5, BigInt(from), BigInt(to));
    addTo(found, rows);
    return found;
  }

  #fetch(from: number): void {
    const { budget, value } = this.#connection;
    budget.check();
    const prefixPostings = this.#prefixPostings();
    if (prefixPostings * MS_PER_PREFIX_POSTING > budget.remaining()) throw new BudgetExceeded();
    const most = prefixPostings > PREFIX_POSTINGS_MAX ? Number.MAX_SAFE_INTEGER : this.#chunk;
    this.#chunk = Math.min(CHUNK_MAX, this.#chunk * CHUNK_GROWTH);
    const sql = (prefixPostings > 0 ? STOPPABLE_SQL : SQL)[this.#direction];
    const rows = value<number>(sql).all(this.#fts5, BigInt(from), most);
    addTo(this.#found, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < most) this.#next = null;
    else this.#next = this.#direction === 'ascending' ? last + 1 : last - 1;
  }

  #prefixPostings(): number {
    let sum = 0;
    for (const termo of this.#termos) if (termo.prefixo) sum += this.#lists.of(termo).postings;
    return sum;
  }
}

/** A word must be this many times rarer than the passage's own before it is worth the seeking. */
const NARROWER = 8;

function addTo(found: Map<number, Bits>, numeros: readonly number[]): void {
  for (const numero of numeros) {
    const block = Math.floor(numero / BLOCK_SIZE);
    let bits = found.get(block);
    if (bits === undefined) {
      bits = newBits();
      found.set(block, bits);
    }
    setBit(bits, numero % BLOCK_SIZE);
  }
}
