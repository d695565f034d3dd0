import { known } from '../format/known.ts';
import { isBelow } from '../format/terms.ts';
import type { Connection } from './connection.ts';
import { rowOf } from './terms.ts';
import type { ThreadCache } from './thread-cache.ts';

/** With four bits set for each term, 0.6% of the names that the base lacks pass. */
const BITS_PER_TERM = 12;
const HASHES = 4;
const encoder = new TextEncoder();

/**
 * A Bloom filter over a generation's term dictionary: it saves reading a row for nearly every name that the base lacks. It is
 * filled in the order of the dictionary, some rows a request, because a large base has thousands.
 */
export class TermFilter {
  /** The highest term id. */
  readonly terms: number;
  /** In bits. */
  readonly #size: number;
  readonly #bits: Uint8Array;
  /** The first name of the next row to read; null when the whole dictionary is read. */
  #next: Uint8Array | null = new Uint8Array(0);

  constructor(terms: number) {
    this.terms = terms;
    this.#size = Math.max(1, terms * BITS_PER_TERM);
    this.#bits = new Uint8Array(Math.ceil(this.#size / 8));
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
  mayHave(name: string): boolean {
    if (this.#next !== null && !isBelow(encoder.encode(name), this.#next)) return true;
    const hash = hashOfText(name);
    for (let turn = 0; turn < HASHES; turn += 1) {
      const at = placeOf(hash, turn) % this.#size;
      if ((((this.#bits[at >>> 3] ?? 0) >>> (at & 7)) & 1) === 0) return false;
    }
    return true;
  }

  #add(hash: number): void {
    for (let turn = 0; turn < HASHES; turn += 1) {
      const at = placeOf(hash, turn) % this.#size;
      this.#bits[at >>> 3] = (this.#bits[at >>> 3] ?? 0) | (1 << (at & 7));
    }
  }
}

const filters = new WeakMap<ThreadCache, TermFilter>();

/** The filter of a data generation, made when it is first needed. */
export function termFilterOf(cache: ThreadCache, terms: number): TermFilter {
  return known(filters, cache, () => new TermFilter(terms));
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a. */
function hashOf(name: Uint8Array, length = name.length): number {
  let hash = FNV_START;
  for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (name[at] ?? 0), FNV_PRIME);
  return hash;
}

/** The same of a text in UTF-8; nearly all names are ASCII and need no bytes. */
function hashOfText(name: string): number {
  let hash = FNV_START;
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (code > 0x7f) return hashOf(encoder.encode(name));
    hash = Math.imul(hash ^ code, FNV_PRIME);
  }
  return hash;
}

/** The hash for a turn: each turn adds a mix of the first hash (Kirsch and Mitzenmacher 2006). */
function placeOf(hash: number, turn: number): number {
  return (hash + turn * (Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) | 1)) >>> 0;
}
