import { missing } from '../format/element-at.ts';
import { IMPACT_MAX } from '../format/bm25f.ts';
import type { QueryTerm } from '../../engine/messages.ts';
import { known } from '../format/known.ts';
import type { TermEntry } from '../format/terms.ts';
import { popCount, type DenseList, type PostingList, type SparseList } from '../format/posting-list.ts';
import { BLOCK_SIZE, impactsKey } from '../format/schema.ts';
import { EMPTY, copyOf, countBits, hasBit, newBits, truncate, unite, uniteFew, type Bits } from './bitset.ts';
import type { Budget } from './budget.ts';
import {
  forEachAtLeast,
  forEachInBitmap,
  highestOf,
  type AtLeast,
  type BlockCollector,
} from './block-collector.ts';
import type { Reading, TermList } from './term-list.ts';

/** The decisions of a block that have any of the words. */
interface Merged {
  readonly bits: Bits;
  /** The best impact by offset: always from short lists, and from long ones as far as needed. */
  readonly best: Uint8Array;
  readonly long: LongList[];
  /** The highest impact in short lists. */
  max: number;
  /** All impacts of long lists from this one upwards are in `best`. */
  from: number;
}

/** A list that is a bitmap in a block. Its impacts are read when first needed, because most never are. */
interface LongList {
  readonly list: DenseList;
  readonly impacts: () => Uint8Array;
  /** The highest impact. */
  readonly max: () => number;
}

function longList({ rows, cache }: Reading, word: TermEntry, block: number, list: DenseList): LongList {
  let read: Uint8Array | null = null;
  const impacts = () => (read ??= rows.impacts(word, block, list, false));
  const max = () => known(cache.maxima, impactsKey(word.id, block), () => highestOf(impacts()));
  return { list, impacts, max };
}

/** Measured: to skip an impact that is too low. */
const SKIP_NS = 0.6;
const NO_IMPACTS = new Uint8Array(0);
const NONE: Merged = { bits: EMPTY, best: NO_IMPACTS, long: [], max: 0, from: 0 };
/** Lists merged between two checks of the budget. */
const MERGED_AT_ONCE = 256;

/** The union of the lists of all words with a prefix. A decision's impact is the highest among these words. */
export class MergedList implements TermList {
  readonly #budget: Budget;
  readonly #reading: Reading;
  readonly term: QueryTerm;
  readonly #words: readonly TermEntry[];
  readonly #merged = new Map<number, Merged>();
  #all: ReadonlyMap<number, Merged> | null = null;

  constructor(budget: Budget, reading: Reading, term: QueryTerm, words: readonly TermEntry[]) {
    this.#budget = budget;
    this.#reading = reading;
    this.term = term;
    this.#words = words;
  }

  count(block: number): number {
    return countBits(this.members(block));
  }

  members(block: number): Bits {
    return this.#words.length === 0 ? EMPTY : this.#merge(block).bits;
  }

  max(block: number): number {
    const { max, long } = this.#merge(block);
    return long.reduce((most, one) => Math.max(most, one.max()), max);
  }

  costOfAtLeast(block: number): number {
    const { long } = this.#merge(block);
    return long.reduce((sum, { list }) => sum + list.count, BLOCK_SIZE) * SKIP_NS;
  }

  addAtLeast(block: number, { least, matches, idf }: AtLeast, collector: BlockCollector): void {
    const merged = this.#merge(block);
    const { best, long } = merged;
    // All other decisions have lower impacts.
    if (least < merged.from) {
      for (const { list, impacts, max } of long) {
        if (max() < least) continue;
        forEachInBitmap(list.bitmap, impacts(), least, (offset, impact) => {
          if (impact > (best[offset] ?? missing())) best[offset] = impact;
        });
      }
      merged.from = least;
    }
    forEachAtLeast(best, least, (offset, impact) => {
      if (hasBit(matches, offset)) collector.add(offset, idf * impact);
    });
  }

  addImpacts(block: number, idf: number, { offsets, scores, count }: BlockCollector): void {
    const { best, long } = this.#merge(block);
    // No word has a decision in the block.
    if (best === NO_IMPACTS) return;
    const wanted = newBits();
    uniteFew(wanted, offsets, count);
    for (const { list, impacts } of long) keepBestOf(best, list.bitmap, impacts(), wanted);
    for (let at = 0; at < count; at += 1) {
      scores[at] = (scores[at] ?? missing()) + idf * (best[offsets[at] ?? missing()] ?? missing());
    }
  }

  frequency(docIdMax: number): number {
    let sum = 0;
    for (let block = 0; block < this.#reading.blocks; block += 1) {
      const bits = copyOf(this.members(block));
      truncate(bits, docIdMax + 1 - block * BLOCK_SIZE);
      sum += countBits(bits);
    }
    return sum;
  }

  occurs(): boolean {
    return this.#words.length > 0;
  }

  words(): readonly TermEntry[] {
    return this.#words;
  }

  #merge(block: number): Merged {
    return known(this.#merged, block, () =>
      this.#reading.reads === 'members' ? this.#members(block) : this.#ofAll(block),
    );
  }

  /** A block's members, cached because the same prefixes recur while users type. */
  #members(block: number): Merged {
    const bits = known(this.#reading.cache.merged, `${this.term.token} ${block}`, () => {
      // A search by recency usually needs one block.
      const found = this.#merged.size === 0 ? this.#inBlock(block) : this.#ofAll(block).bits;
      // The cache outlives this search's sets.
      return found.slice();
    });
    return { ...NONE, bits };
  }

  #inBlock(block: number): Bits {
    const bits = newBits();
    this.#forEachWord((word) => {
      addMembers(bits, this.#reading.rows.list(word, block, false));
    });
    return bits;
  }

  /** Reads all blocks together: a row has several. */
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
          const best = reads === 'impacts' ? new Uint8Array(BLOCK_SIZE) : NO_IMPACTS;
          all.set(block, (merged = { bits: newBits(), best, long: [], max: 0, from: IMPACT_MAX + 1 }));
        }
        addMembers(merged.bits, list);
        if (reads !== 'impacts') return;
        if (list.kind === 'sparse') keepBest(merged, list);
        else merged.long.push(longList(this.#reading, word, block, list));
      });
    });
    return all;
  }

  /** @throws BudgetExceeded */
  #forEachWord(visit: (word: TermEntry) => void): void {
    for (const [at, word] of this.#words.entries()) {
      if (at % MERGED_AT_ONCE === 0) this.#budget.check();
      visit(word);
    }
  }
}

function addMembers(bits: Bits, list: PostingList): void {
  if (list.kind === 'dense') unite(bits, list.bitmap);
  else uniteFew(bits, list.offsets, list.count);
}

function keepBest(merged: Merged, { offsets, impacts, count }: SparseList): void {
  const { best } = merged;
  for (let at = 0; at < count; at += 1) {
    const offset = offsets[at] ?? missing();
    const impact = impacts[at] ?? missing();
    if (impact > (best[offset] ?? missing())) best[offset] = impact;
    if (impact > merged.max) merged.max = impact;
  }
}

/** Raises `best` to a bitmap's impacts in the wanted decisions; other decisions may be included. */
function keepBestOf(best: Uint8Array, bitmap: Uint32Array, impacts: Uint8Array, wanted: Bits): void {
  let rank = 0;
  for (let word = 0; word < bitmap.length; word += 1) {
    const listed = bitmap[word] ?? missing();
    const both = listed & (wanted[word] ?? missing());
    const end = rank + popCount(listed);
    // If the list has far more decisions, only the wanted ones are visited.
    const visitsAll = both !== 0 && 2 * popCount(both) > end - rank;
    for (let left = visitsAll ? listed : both; left !== 0; left &= left - 1) {
      const bit = left & -left;
      const offset = word * 32 + 31 - Math.clz32(bit);
      const impact = impacts[visitsAll ? rank++ : rank + popCount(listed & (bit - 1))] ?? missing();
      if (impact > (best[offset] ?? missing())) best[offset] = impact;
    }
    rank = end;
  }
}
