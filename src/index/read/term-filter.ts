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
        this.#add(hashOf(row.name, 0, FNV_START, row.length));
        row.skip();
      }
      this.#next = row?.next ?? null;
    }
  }

  /** False only if the base lacks the name. */
  mayHave(name: Uint8Array, hash = hashOf(name)): boolean {
    if (this.#next !== null && !isBelow(name, this.#next)) return true;
    for (let turn = 0; turn < HASHES; turn += 1) {
      const at = this.#placeOf(hash, turn);
      if ((((this.#bits[at >>> 3] ?? 0) >>> (at & 7)) & 1) === 0) return false;
    }
    return true;
  }

  #add(hash: number): void {
    for (let turn = 0; turn < HASHES; turn += 1) {
      const at = this.#placeOf(hash, turn);
      this.#bits[at >>> 3] = (this.#bits[at >>> 3] ?? 0) | (1 << (at & 7));
    }
  }

  /** The bit for a turn: each turn adds a mix of the first hash (Kirsch and Mitzenmacher 2006). A division takes longer. */
  #placeOf(hash: number, turn: number): number {
    const turned = (hash + Math.imul(turn, Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) | 1)) >>> 0;
    return Math.floor(turned * this.#scale);
  }
}

const filters = new WeakMap<ThreadCache, TermFilter>();

/** The filter of a data generation, made when it is first needed. */
export function termFilterOf(cache: ThreadCache, terms: number): TermFilter {
  return known(filters, cache, () => new TermFilter(terms));
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a. @param hash of the bytes before `from`. */
export function hashOf(name: Uint8Array, from = 0, hash = FNV_START, length = name.length): number {
  let next = hash;
  for (let at = from; at < length; at += 1) next = Math.imul(next ^ (name[at] ?? 0), FNV_PRIME);
  return next;
}
