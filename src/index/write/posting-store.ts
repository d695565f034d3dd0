import type Database from 'better-sqlite3';
import { bug } from '../../bug.ts';
import { elementAt, missing } from '../format/element-at.ts';
import { INLINE_MAX, PART_SIZE, skipPositions } from '../format/positions.ts';
import {
  NO_BYTES,
  NO_POSTINGS,
  SPARSE_MAX,
  densePart,
  offsetsOf,
  openList,
  sparsePart,
  type PostingList,
} from '../format/posting-list.ts';
import { PART_HEAD_BYTES, ROW_BYTES_MAX, aligned, forEachPart, joinedRow } from '../format/posting-row.ts';
import { BLOCK_SIZE, postingsKey, positionsKey, impactsKey } from '../format/schema.ts';
import { u32At } from '../format/seal.ts';
import { blockIn, type Changes } from './changes.ts';
import { MergedPositions } from './merged-positions.ts';
import { RowStore } from './row-store.ts';

const SHORT_RUN_MAX = 64;

/** A list's part in a block. */
interface ListPart {
  readonly termId: number;
  readonly block: number;
}

/** Writes posting lists and positions. */
export class PostingStore {
  readonly #rows: RowStore;
  readonly #merged = new MergedPositions();

  constructor(db: Database.Database) {
    this.#rows = new RowStore(db);
  }

  /**
   * Changes a list's row. @param row the first block. @param changes ascending, each for another decision.
   * @returns whether the row has decisions.
   */
  change(termId: number, row: number, isNew: boolean, changes: Changes): boolean {
    const key = postingsKey(termId, row);
    const parts: Uint8Array[] = [];
    let hasAny = false;
    let { from } = changes;
    let positionsFrom = 0;
    const putBelow = (end: number, list: PostingList) => {
      while (from < changes.to && blockIn(changes.docIds, from) < end) {
        const block = blockIn(changes.docIds, from);
        let to = from + 1;
        while (to < changes.to && blockIn(changes.docIds, to) === block) to += 1;
        const isLast = to === changes.to;
        const positionsEnd = isLast
          ? changes.positions.length
          : skipPositions(changes.positions, positionsFrom, to - from);
        const positions = changes.positions.subarray(positionsFrom, positionsEnd);
        const part = this.#changed({ termId, block }, list, { ...changes, from, to, positions });
        const count = u32At(part, PART_HEAD_BYTES);
        if (list.count > 0 || count > 0) parts.push(part);
        hasAny ||= count > 0;
        from = to;
        positionsFrom = positionsEnd;
      }
    };
    forEachPart(isNew ? NO_BYTES : this.#row(key), (block, content, whole) => {
      putBelow(block, NO_POSTINGS);
      if (from < changes.to && blockIn(changes.docIds, from) === block)
        putBelow(block + 1, openList(content));
      else {
        parts.push(whole());
        hasAny ||= u32At(content, 0) > 0;
      }
    });
    putBelow(Infinity, NO_POSTINGS);
    if (parts.length === 0) parts.push(sparsePart(row, NO_POSTINGS.offsets, NO_BYTES, 0, NO_BYTES));
    this.#rows.put('postings', key, joinedRow(parts));
    return hasAny;
  }

  /**
   * Joins two consecutive rows in a list, unless they are too long together.
   * @param first and @param second their first blocks. @returns whether they were joined.
   */
  join(termId: number, first: number, second: number): boolean {
    const [one, other] = [this.#row(postingsKey(termId, first)), this.#row(postingsKey(termId, second))];
    if (one.length + other.length > ROW_BYTES_MAX) return false;
    this.#rows.put('postings', postingsKey(termId, first), joinedRow([one, other]));
    this.#rows.delete('postings', postingsKey(termId, second));
    return true;
  }

  /** Whether a list's row has decisions. */
  hasAny(termId: number, row: number): boolean {
    let hasAny = false;
    forEachPart(this.#row(postingsKey(termId, row)), (_, content) => {
      hasAny ||= u32At(content, 0) > 0;
    });
    return hasAny;
  }

  /** Deletes the rows of an emptied list. */
  remove(termId: number, rows: readonly number[]): void {
    for (let at = 0; at < rows.length; at += 2)
      this.#rows.delete('postings', postingsKey(termId, elementAt(rows, at)));
  }

  #impactsOf({ termId, block }: ListPart, list: PostingList): Uint8Array {
    return list.kind === 'sparse' ? list.impacts : this.#row(impactsKey(termId, block));
  }

  #row(key: number): Uint8Array {
    return aligned(this.#rows.read('postings', key));
  }

  /** @returns a row's part after some changes. */
  #changed(part: ListPart, list: PostingList, changes: Changes): Uint8Array {
    const before = offsetsOf(list);
    const had = this.#impactsOf(part, list);
    const offsets = new Uint16Array(list.count + changes.to - changes.from);
    const impacts = new Uint8Array(offsets.length);
    const readPart = (at: number) => this.#rows.read('positions', positionsKey(part.termId, part.block, at));
    const merged = this.#merged;
    merged.begin(list.count, inlineIn(list), readPart);
    let rank = 0;
    let count = 0;
    const keepTo = (end: number) => {
      merged.keepTo(end);
      // Most runs are short, and making views would take longer.
      if (end - rank > SHORT_RUN_MAX) {
        offsets.set(before.subarray(rank, end), count);
        impacts.set(had.subarray(rank, end), count);
        count += end - rank;
        rank = end;
      }
      for (; rank < end; rank += 1, count += 1) {
        offsets[count] = before[rank] ?? missing();
        impacts[count] = had[rank] ?? missing();
      }
    };
    const offsetAt = (at: number) => (changes.docIds[at] ?? bug('no doc id')) % BLOCK_SIZE;
    for (let at = changes.from, start = 0; at < changes.to;) {
      const offset = offsetAt(at);
      keepTo(rankOf(before, rank, offset));
      if (before[rank] === offset) {
        rank += 1;
        merged.leaveOut();
      }
      const first = at;
      const next = before[rank] ?? BLOCK_SIZE;
      // Most changes are a single run of decisions after all others.
      for (; at < changes.to && changes.impacts[at] !== 0 && (at === first || offsetAt(at) < next); at += 1) {
        offsets[count] = offsetAt(at);
        impacts[count] = changes.impacts[at] ?? bug('no impact');
        count += 1;
      }
      if (at > first) start = merged.add(changes.positions, start, at - first);
      else {
        start = skipPositions(changes.positions, start, 1);
        at += 1;
      }
    }
    keepTo(list.count);
    this.#putApart(part, list.count, count, merged);
    if (count > SPARSE_MAX) {
      this.#rows.put('postings', impactsKey(part.termId, part.block), impacts.subarray(0, count));
      return densePart(part.block, offsets, count);
    }
    if (list.kind === 'dense') this.#rows.delete('postings', impactsKey(part.termId, part.block));
    return sparsePart(part.block, offsets, impacts, count, count > INLINE_MAX ? NO_BYTES : merged.all());
  }

  /** Writes positions that are not in the list. @param had decisions before. @param count and now. */
  #putApart({ termId, block }: ListPart, had: number, count: number, merged: MergedPositions): void {
    const isApart = count > INLINE_MAX;
    for (const { at, row } of isApart ? merged.parts() : [])
      this.#rows.put('positions', positionsKey(termId, block, at), row);
    const partsBefore = had > INLINE_MAX ? Math.ceil(had / PART_SIZE) : 0;
    for (let at = isApart ? Math.ceil(count / PART_SIZE) : 0; at < partsBefore; at += 1) {
      this.#rows.delete('positions', positionsKey(termId, block, at));
    }
  }
}

function inlineIn(list: PostingList): Uint8Array {
  return list.kind === 'sparse' ? list.positions : NO_BYTES;
}

/** How many offsets are lower than `offset`; the first `known` are. */
function rankOf(offsets: Uint16Array, known: number, offset: number): number {
  let [low, high] = [known, offsets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? missing()) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
