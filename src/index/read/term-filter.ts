import { missing } from '../format/element-at.ts';
import { known } from '../format/known.ts';
import { isBelow } from '../format/terms.ts';
import type { Connection } from './connection.ts';
import { rowOf } from './terms.ts';
import type { ThreadCache } from './thread-cache.ts';

/** With six bits set for each term, 0.1% of the names that the base lacks pass. */
const BITS_PER_TERM = 16;
const HASHES = 6;

/**
 * A Bloom filter over a generation's term dictionary: it saves reading a row for nearly every name that the base lacks. It is
 * filled in the order of the dictionary, some rows a request, because a large base has thousands.
 */
export class TermFilter {
  /** The highest term id. */
  readonly terms: number;
  /** Bits for each possible hash. */
  readonly #scale: number;
  readonly #bits: Uint8Array;
  /** The first name of the next row to read; null when the whole dictionary is read. */
  #next: Uint8Array | null = new Uint8Array(0);

  constructor(terms: number) {
    this.terms = terms;
    this.#bits = new Uint8Array(Math.ceil((terms * BITS_PER_TERM + 1) / 8));
    this.#scale = (this.#bits.length * 8) / 2 ** 32;
  }

  /** Reads rows until the dictionary ends. @throws BudgetExceeded when the time is used up; the next call continues. */
  extend(connection: Connection): void {
    while (this.#next !== null) {
      connection.budget.check();
      const row = rowOf(connection, this.#next, this.terms);
      while (row?.advance() === true) {
        this.#add(hashOf(row.name, row.length));
        row.skip();
      }
      this.#next = row?.next ?? null;
    }
  }

  /** False only if the base lacks the name. */
  mayHave(name: Uint8Array): boolean {
    if (this.#next !== null && !isBelow(name, this.#next)) return true;
    const hash = hashOf(name, name.length);
    for (let turn = 0; turn < HASHES; turn += 1) {
      const at = this.#placeOf(hash, turn);
      if ((((this.#bits[at >>> 3] ?? missing()) >>> (at & 7)) & 1) === 0) return false;
    }
    return true;
  }

  #add(hash: number): void {
    for (let turn = 0; turn < HASHES; turn += 1) {
      const at = this.#placeOf(hash, turn);
      this.#bits[at >>> 3] = (this.#bits[at >>> 3] ?? missing()) | (1 << (at & 7));
    }
  }

  /** The bit for a turn: each turn adds a second mix of the hash (Kirsch and Mitzenmacher 2006). A division takes longer. */
  #placeOf(hash: number, turn: number): number {
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    const turned = (mixed ^ (mixed >>> 13)) + Math.imul(turn, Math.imul(mixed, 0xc2b2ae35) | 1);
    return Math.floor((turned >>> 0) * this.#scale);
  }
}

const filters = new WeakMap<ThreadCache, TermFilter>();

/** The filter of a data generation, made when it is first needed. */
export function termFilterOf(cache: ThreadCache, terms: number): TermFilter {
  return known(filters, cache, () => new TermFilter(terms));
}

/** An odd number near 2 ** 32 divided by the golden ratio. */
const FACTOR = 0x9e3779b1;

/** The bytes as digits of a number, modulo 2 ** 32. */
function hashOf(name: Uint8Array, length: number): number {
  let hash = 0;
  for (let at = 0; at < length; at += 1) hash = (Math.imul(hash, FACTOR) + (name[at] ?? missing())) | 0;
  return hash;
}
