import { missing } from '../format/element-at.ts';
import { hasBlock, type TermEntry } from '../format/terms.ts';
import {
  GROUP_SIZE,
  INLINE_MAX,
  PART_SIZE,
  findStarts,
  readPositions,
  type Positions,
} from '../format/positions.ts';
import { NO_POSTINGS, popCount, type PostingList } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Budget } from './budget.ts';
import { hasBit, type Bits } from './bitset.ts';
import type { ListRows } from './list-rows.ts';

/** A term's positions in a block. */
export interface TermPositions {
  /** @param candidates the only decisions that will be read. */
  open(block: number, candidates: Bits): void;
  /** Adds a decision's positions in the columns of the mask; ascending. */
  read(offset: number, columns: number, into: Positions): void;
}

/** A word's positions, indexed a group of decisions at a time. */
export class WordPositions implements TermPositions {
  readonly #rows: ListRows;
  readonly #entry: TermEntry;
  #block = -1;
  #list: PostingList = NO_POSTINGS;
  /** A bitmap word and the number of decisions before it: consecutive reads are near each other. */
  #word = 0;
  #before = 0;
  #part = -1;
  #bytes = NO_POSTINGS.positions;
  #groups: Uint32Array | null = null;
  /** The part's open group, and where each decision's positions begin. */
  #group = -1;
  readonly #starts = new Uint32Array(INLINE_MAX + 1);

  constructor(rows: ListRows, entry: TermEntry) {
    this.#rows = rows;
    this.#entry = entry;
  }

  open(block: number): void {
    this.openList(block, this.#rows.list(this.#entry, block));
  }

  /** `open` with a known list. */
  openList(block: number, list: PostingList): void {
    this.#block = block;
    this.#list = list;
    this.#word = 0;
    this.#before = 0;
    this.#part = -1;
  }

  read(offset: number, columns: number, into: Positions): void {
    const rank = this.#rankOf(offset);
    if (rank >= 0) this.readAt(rank, columns, into);
  }

  /** `read` for the decision with this rank in the list. */
  readAt(rank: number, columns: number, into: Positions): void {
    const part = Math.floor(rank / PART_SIZE);
    if (part !== this.#part) this.#openPart(part);
    const within = rank % PART_SIZE;
    const group = this.#groups === null ? 0 : Math.floor(within / GROUP_SIZE);
    if (group !== this.#group) this.#openGroup(group);
    readPositions(this.#bytes, this.#starts[within - group * GROUP_SIZE] ?? missing(), columns, into);
  }

  #openPart(part: number): void {
    this.#part = part;
    this.#group = -1;
    if (this.#list.kind === 'sparse' && this.#list.count <= INLINE_MAX) {
      this.#bytes = this.#list.positions;
      this.#groups = null;
      return;
    }
    const { bytes, groups } = this.#rows.positions(this.#entry, this.#block, this.#list, part);
    this.#bytes = bytes;
    this.#groups = groups;
  }

  #openGroup(group: number): void {
    this.#group = group;
    const { count } = this.#list;
    const before = this.#part * PART_SIZE + group * GROUP_SIZE;
    const decisions = this.#groups === null ? count : Math.min(GROUP_SIZE, count - before);
    const start = this.#groups === null ? 0 : (this.#groups[group] ?? missing());
    findStarts(this.#bytes, start, decisions, this.#starts);
  }

  #countBefore(bitmap: Uint32Array, word: number): number {
    let before = this.#before;
    for (let at = this.#word; at < word; at += 1) before += popCount(bitmap[at] ?? missing());
    for (let at = this.#word - 1; at >= word; at -= 1) before -= popCount(bitmap[at] ?? missing());
    this.#word = word;
    this.#before = before;
    return before;
  }

  /** A decision's rank in the list; -1 if it is not in the list. */
  #rankOf(offset: number): number {
    if (this.#list.kind === 'dense') {
      const { bitmap } = this.#list;
      const word = bitmap[offset >>> 5] ?? missing();
      if ((word & (1 << (offset & 31))) === 0) return -1;
      return this.#countBefore(bitmap, offset >>> 5) + popCount(word & ((1 << (offset & 31)) - 1));
    }
    const { offsets, count } = this.#list;
    let low = 0;
    let high = count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = offsets[middle] ?? missing();
      if (found === offset) return middle;
      if (found < offset) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** Words read between two checks of the budget. */
const WORDS_AT_ONCE = 256;

/** The positions of all words with a prefix. */
export class PrefixPositions implements TermPositions {
  readonly #rows: ListRows;
  readonly #words: readonly TermEntry[];
  readonly #budget: Budget;
  /** Words with bitmaps are read for each decision, all other words are merged once. */
  #many: WordPositions[] = [];
  #few: WordPositions[] = [];
  /** For each decision, one more than the last posting's index in the arrays below; 0 if none. */
  #lasts = new Uint32Array(0);
  #before = new Uint32Array(1 << 10);
  #wordOf = new Uint32Array(1 << 10);
  #rankOf = new Uint16Array(1 << 10);

  constructor(rows: ListRows, words: readonly TermEntry[], budget: Budget) {
    this.#rows = rows;
    this.#words = words;
    this.#budget = budget;
  }

  open(block: number, candidates: Bits): void {
    this.#many = [];
    this.#few = [];
    this.#lasts = new Uint32Array(BLOCK_SIZE);
    let size = 0;
    let read = 0;
    for (const word of this.#words) {
      if (!hasBlock(word, block)) continue;
      if (read++ % WORDS_AT_ONCE === 0) this.#budget.check();
      size = this.#add(word, block, candidates, size);
    }
  }

  read(offset: number, columns: number, into: Positions): void {
    const from = into.count;
    for (const word of this.#many) word.read(offset, columns, into);
    for (let at = this.#lasts[offset] ?? missing(); at > 0; at = this.#before[at - 1] ?? missing()) {
      this.#few[this.#wordOf[at - 1] ?? missing()]?.readAt(this.#rankOf[at - 1] ?? missing(), columns, into);
    }
    into.values.subarray(from, into.count).sort();
  }

  #add(word: TermEntry, block: number, candidates: Bits, size: number): number {
    const list = this.#rows.list(word, block, false);
    const positions = new WordPositions(this.#rows, word);
    if (list.kind === 'dense') {
      positions.openList(block, list);
      this.#many.push(positions);
      return size;
    }
    const { count, offsets } = list;
    let end = size;
    for (let rank = 0; rank < count; rank += 1) {
      const offset = offsets[rank] ?? missing();
      if (!hasBit(candidates, offset)) continue;
      if (end === size) {
        positions.openList(block, list);
        this.#few.push(positions);
      }
      if (end === this.#before.length) this.#grow();
      this.#before[end] = this.#lasts[offset] ?? missing();
      this.#wordOf[end] = this.#few.length - 1;
      this.#rankOf[end] = rank;
      end += 1;
      this.#lasts[offset] = end;
    }
    return end;
  }

  #grow(): void {
    this.#before = new Uint32Array(this.#before.buffer.transfer(this.#before.byteLength * 2));
    this.#wordOf = new Uint32Array(this.#wordOf.buffer.transfer(this.#wordOf.byteLength * 2));
    this.#rankOf = new Uint16Array(this.#rankOf.buffer.transfer(this.#rankOf.byteLength * 2));
  }
}
