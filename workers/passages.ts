import type { Termo } from '../src/base/messages.ts';
import { BLOCK_SIZE } from '../src/base/schema.ts';
import { BudgetExceeded } from './budget.ts';
import { EMPTY, intersect, newBits, setBit, subtract, unite, type Bits } from './bits.ts';
import type { Connection } from './connection.ts';
import type { Lists } from './lists.ts';
import { tickOf } from './tick.ts';

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
/** What may take longer than this until its first match, or than a part of the time there is, must be stoppable. */
const UNSTOPPABLE_MS_MAX = 100;
const UNSTOPPABLE_SHARE_MAX = 1 / 4;

const SQL = {
  ascending:
    'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid >= ? AND within_budget() ORDER BY rowid LIMIT ?',
  descending:
    'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid <= ? AND within_budget() ORDER BY rowid DESC LIMIT ?',
} as const;
const SPAN_SQL = 'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid >= ? AND rowid <= ? AND within_budget()';

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
  /** Decisions with the tick's word that match, once they are known. */
  #ticked: Map<number, Bits> | null = null;

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
    if (this.#tick === undefined) this.#tick = this.#chooseTick();
    if (this.#tick !== null) {
      if (!this.#found.has(block)) this.#found.set(block, this.#askWithTick(block, this.#tick));
    } else {
      while (this.#next !== null && !this.#isPast(block)) this.#fetch(this.#next);
    }
    const found = this.#found.get(block)?.slice() ?? EMPTY;
    if (within !== null && found !== EMPTY) intersect(found, within);
    return found;
  }

  #chooseTick(): Termo | null {
    const longestMs = this.#candidates * this.#termos.length * MS_PER_CANDIDATE;
    const leftMs = this.#connection.budget.remaining();
    // By relevance all of it is needed; and in very little time not even the newest matches are sure to come.
    const needsAll = this.#direction === 'ascending' || leftMs < UNSTOPPABLE_MS_MAX;
    if (needsAll && longestMs > leftMs) throw new BudgetExceeded();
    const mostMs = Math.min(this.#unstoppableMsMax, leftMs * UNSTOPPABLE_SHARE_MAX);
    if (longestMs <= mostMs || this.#termos.some(({ prefixo }) => prefixo)) return null;
    const tick = tickOf(this.#connection, this.#lists.blocks);
    return tick === null ? null : { texto: tick.texto, prefixo: false };
  }

  #askWithTick(block: number, tick: Termo): Bits {
    const list = this.#lists.of(tick);
    this.#ticked ??= this.#ask(`(${this.#fts5}) AND "${tick.texto}"`, 0, Number.MAX_SAFE_INTEGER);
    const from = block * BLOCK_SIZE;
    const rows = this.#ask(`(${this.#fts5}) OR "${tick.texto}"`, from, from + BLOCK_SIZE - 1);
    const found = rows.get(block) ?? newBits();
    subtract(found, list.bits(block));
    unite(found, this.#ticked.get(block) ?? EMPTY);
    return found;
  }

  #ask(fts5: string, from: number, to: number): Map<number, Bits> {
    const found = new Map<number, Bits>();
    // As whole numbers: the library binds any other as a floating-point one, of which FTS5 takes no notice.
    const rows = this.#connection.value<number>(SPAN_SQL).all(fts5, BigInt(from), BigInt(to));
    addTo(found, rows);
    return found;
  }

  /** True when all of the block has been asked about. */
  #isPast(block: number): boolean {
    const next = this.#next ?? 0;
    return this.#direction === 'ascending' ? next >= (block + 1) * BLOCK_SIZE : next < block * BLOCK_SIZE;
  }

  #fetch(from: number): void {
    const { budget, value } = this.#connection;
    const prefixPostings = this.#prefixPostings();
    if (prefixPostings * MS_PER_PREFIX_POSTING > budget.remaining()) throw new BudgetExceeded();
    const most = prefixPostings > PREFIX_POSTINGS_MAX ? Number.MAX_SAFE_INTEGER : CHUNK_MAX;
    const rows = value<number>(SQL[this.#direction]).all(this.#fts5, BigInt(from), most);
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
