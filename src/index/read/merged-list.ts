import { IMPACT_MAX } from '../format/bm25f.ts';
import type { QueryTerm } from '../../engine/messages.ts';
import type { Entry } from '../format/terms.ts';
import { offsetsOf, type PostingList } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import {
  EMPTY,
  copyOf,
  countBits,
  forEachBit,
  intersect,
  newBits,
  setBit,
  truncate,
  unite,
  uniteFew,
  type Bits,
} from './bitset.ts';
import type { Connection } from './connection.ts';
import type { AtLeast, Hits } from './hits.ts';
import type { Candidates } from './scores.ts';
import type { Reading, TermList } from './term-list.ts';

interface Merged {
  readonly bits: Bits;
  readonly impacts: Uint8Array;
}

/** Of a candidate. */
const MERGED_NS = 3;
const NO_IMPACTS = new Uint8Array(0);
const NONE: Merged = { bits: EMPTY, impacts: NO_IMPACTS };
/** Lists merged between two checks of the budget. */
const MERGED_AT_ONCE = 256;

/**
 * Every word that starts with the given letters, each decision once with the best of its impacts, where these are read.
 */
export class MergedList implements TermList {
  readonly #connection: Connection;
  readonly #reading: Reading;
  readonly term: QueryTerm;
  readonly #words: readonly Entry[];
  readonly #merged = new Map<number, Merged>();
  #all: ReadonlyMap<number, Merged> | null = null;

  constructor(connection: Connection, reading: Reading, term: QueryTerm, words: readonly Entry[]) {
    this.#connection = connection;
    this.#reading = reading;
    this.term = term;
    this.#words = words;
  }

  count(block: number): number {
    return this.#words.length === 0 ? 0 : countBits(this.#merge(block).bits);
  }

  bits(block: number): Bits {
    return this.#words.length === 0 ? EMPTY : copyOf(this.#merge(block).bits);
  }

  keep(block: number, bits: Bits): boolean {
    return intersect(bits, this.#words.length === 0 ? EMPTY : this.#merge(block).bits);
  }

  score(block: number, { matches, scores }: Candidates, idf: number): void {
    const { impacts } = this.#merge(block);
    let place = 0;
    forEachBit(matches, (offset) => {
      scores[place] = (scores[place] ?? 0) + idf * (impacts[offset] ?? 0);
      place += 1;
    });
  }

  max(): number {
    return IMPACT_MAX;
  }

  costOfAtLeast(): number {
    return BLOCK_SIZE * MERGED_NS;
  }

  addAtLeast(block: number, { least, matches, idf }: AtLeast, hits: Hits): void {
    const { impacts } = this.#merge(block);
    forEachBit(matches, (offset) => {
      const impact = impacts[offset] ?? 0;
      if (impact >= least) hits.add(offset, idf * impact);
    });
  }

  addImpacts(block: number, idf: number, { offsets, scores, count }: Hits): void {
    const { impacts } = this.#merge(block);
    for (let at = 0; at < count; at += 1) {
      scores[at] = (scores[at] ?? 0) + idf * (impacts[offsets[at] ?? 0] ?? 0);
    }
  }

  frequency(docIdMax: number): number {
    let sum = 0;
    for (let block = 0; block < this.#reading.blocks; block += 1) {
      const bits = this.bits(block);
      truncate(bits, docIdMax + 1 - block * BLOCK_SIZE);
      sum += countBits(bits);
    }
    return sum;
  }

  occurs(): boolean {
    return this.#words.length > 0;
  }

  words(): readonly Entry[] {
    return this.#words;
  }

  #merge(block: number): Merged {
    let merged = this.#merged.get(block);
    if (merged === undefined) {
      merged = this.#reading.reads === 'members' ? this.#members(block) : this.#ofAll(block);
      this.#merged.set(block, merged);
    }
    return merged;
  }

  /** Those who stand in a block, which are cached: a user who types a word asks for its beginnings again and again. */
  #members(block: number): Merged {
    const { merged } = this.#reading.cache;
    const key = `${this.term.token} ${block}`;
    let bits = merged.get(key);
    if (bits === undefined) {
      // A search by recency most often needs one block alone.
      const found = this.#merged.size === 0 ? this.#inBlock(block) : this.#ofAll(block).bits;
      // Kept for longer than this search has its sets.
      bits = found.slice();
      merged.set(key, bits);
    }
    return { bits, impacts: NO_IMPACTS };
  }

  #inBlock(block: number): Bits {
    const bits = newBits();
    this.#forEachWord((word) => {
      addMembers(bits, this.#reading.rows.list(word, block, false));
    });
    return bits;
  }

  /** All blocks are read at once, for rows go over several of them. */
  #ofAll(block: number): Merged {
    this.#all ??= this.#readAll();
    return this.#all.get(block) ?? NONE;
  }

  #readAll(): Map<number, Merged> {
    const all = new Map<number, Merged>();
    const { rows, reads } = this.#reading;
    this.#forEachWord((word) => {
      rows.forEachPart(word, (block, list) => {
        let merged = all.get(block);
        if (merged === undefined) {
          const impacts = reads === 'impacts' ? new Uint8Array(BLOCK_SIZE) : NO_IMPACTS;
          all.set(block, (merged = { bits: newBits(), impacts }));
        }
        if (reads === 'members') addMembers(merged.bits, list);
        else keepBest(merged, list, rows.impacts(word, block, list, false));
      });
    });
    return all;
  }

  /** @throws BudgetExceeded */
  #forEachWord(visit: (word: Entry) => void): void {
    for (const [at, word] of this.#words.entries()) {
      if (at % MERGED_AT_ONCE === 0) this.#connection.budget.check();
      visit(word);
    }
  }
}

function addMembers(bits: Bits, { count, offsets, bitmap }: PostingList): void {
  if (bitmap !== null) unite(bits, bitmap);
  if (offsets !== null) uniteFew(bits, offsets, count);
}

function keepBest({ bits, impacts: best }: Merged, list: PostingList, impacts: Uint8Array): void {
  const offsets = offsetsOf(list);
  for (let at = 0; at < offsets.length; at += 1) {
    const offset = offsets[at] ?? 0;
    const impact = impacts[at] ?? 0;
    setBit(bits, offset);
    if (impact > (best[offset] ?? 0)) best[offset] = impact;
  }
}
