import { elementAt } from '../format/element-at.ts';
import { rowOver, type SingleEntry, type TermEntry } from '../format/terms.ts';
import { known } from '../format/known.ts';
import { PART_SIZE, groupsOf } from '../format/positions.ts';
import { NO_POSTINGS, openList, type PostingList } from '../format/posting-list.ts';
import { aligned, forEachPart, partOf } from '../format/posting-row.ts';
import { BLOCK_SIZE, postingsKey, positionsKey, impactsKey } from '../format/schema.ts';
import { DamagedBase, type RowOf } from '../format/seal.ts';
import type { ThreadCache, PositionsPart } from './thread-cache.ts';

/** Reads list and position rows. */
export class ListRows {
  readonly #rowOf: RowOf;
  readonly #cache: ThreadCache;

  constructor(rowOf: RowOf, cache: ThreadCache) {
    this.#rowOf = rowOf;
    this.#cache = cache;
  }

  /** A list's postings in a block. @param keeps whether the cache keeps the row; false for merges of many lists. */
  list(entry: TermEntry, block: number, keeps = true): PostingList {
    if (entry.kind === 'single') return blockOf(entry) === block ? listOf(entry) : NO_POSTINGS;
    const row = rowOver(entry.rows, block);
    const part = row < 0 ? null : partOf(this.#row(postingsKey(entry.id, row), keeps), block);
    return part === null ? NO_POSTINGS : openList(part);
  }

  /** Calls `visit` with a list's postings in each block. Reads each row once and caches none. */
  forEachPart(entry: TermEntry, visit: (block: number, list: PostingList) => void): void {
    if (entry.kind === 'single') {
      visit(blockOf(entry), listOf(entry));
      return;
    }
    const { id, rows } = entry;
    for (let at = 0; at < rows.length; at += 2) {
      forEachPart(this.#row(postingsKey(id, elementAt(rows, at)), false), (block, content) => {
        visit(block, openList(content));
      });
    }
  }

  impacts({ id }: TermEntry, block: number, list: PostingList, keeps = true): Uint8Array {
    if (list.kind === 'sparse') return list.impacts;
    const impacts = this.#row(impactsKey(id, block), keeps);
    if (impacts.length !== list.count) throw new DamagedBase('a list has not as many impacts as decisions');
    return impacts;
  }

  /** A part of a word's positions, if they are not in the list. */
  positions({ id }: TermEntry, block: number, { count }: PostingList, part: number): PositionsPart {
    const key = positionsKey(id, block, part);
    return known(this.#cache.positions, key, () => {
      const bytes = this.#rowOf('positions', key);
      return { bytes, groups: groupsOf(bytes, Math.min(PART_SIZE, count - part * PART_SIZE)) };
    });
  }

  #row(key: number, keeps: boolean): Uint8Array {
    const { rows } = this.#cache;
    const read = () => aligned(this.#rowOf('postings', key));
    return keeps ? known(rows, key, read) : (rows.get(key) ?? read());
  }
}

function blockOf({ docId }: SingleEntry): number {
  return Math.floor(docId / BLOCK_SIZE);
}

function listOf({ docId, impact, positions }: SingleEntry): PostingList {
  const offsets = Uint16Array.of(docId % BLOCK_SIZE);
  return { kind: 'sparse', count: 1, offsets, impacts: Uint8Array.of(impact), positions };
}
