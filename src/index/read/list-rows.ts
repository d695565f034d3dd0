import { hasBlock, rowOver, type Entry } from '../format/terms.ts';
import { PART_SIZE, groupsOf } from '../format/positions.ts';
import { NO_POSTINGS, openList, type PostingList } from '../format/posting-list.ts';
import { aligned, forEachPart, partOf } from '../format/posting-row.ts';
import { BLOCK_SIZE, postingsKey, positionsKey, impactsKey } from '../format/schema.ts';
import { DamagedBase, unseal } from '../format/seal.ts';
import type { Connection } from './connection.ts';
import type { ThreadCache, PositionsPart } from './thread-cache.ts';

const LIST_SQL = 'SELECT data FROM postings WHERE id = ?';
const POSITIONS_SQL = 'SELECT data FROM positions WHERE id = ?';

/** Reads the rows of lists and positions; each is checked when it comes from the file. */
export class ListRows {
  readonly #connection: Connection;
  readonly #cache: ThreadCache;

  constructor(connection: Connection, cache: ThreadCache) {
    this.#connection = connection;
    this.#cache = cache;
  }

  /** Who stands in a list in a block. @param keeps false for what is read once, of many lists. */
  list(entry: Entry, block: number, keeps = true): PostingList {
    if (!hasBlock(entry, block)) return NO_POSTINGS;
    if (entry.single !== null) return listOf(entry.single);
    const part = partOf(this.#row(postingsKey(entry.id, rowOver(entry, block)), keeps), block);
    return part === null ? NO_POSTINGS : openList(part);
  }

  /** Calls `visit` with what a list holds in each block, each row read once and not kept. */
  forEachPart({ id, rows, single }: Entry, visit: (block: number, list: PostingList) => void): void {
    if (single !== null) visit(Math.floor(single.docId / BLOCK_SIZE), listOf(single));
    for (let at = 0; at < rows.length; at += 2) {
      forEachPart(this.#row(postingsKey(id, rows[at] ?? 0), false), (block, content) => {
        visit(block, openList(content));
      });
    }
  }

  /** The weights of those who stand in it. */
  weights({ id }: Entry, block: number, { count, impacts }: PostingList, keeps = true): Uint8Array {
    if (impacts !== null) return impacts;
    const weights = this.#row(impactsKey(id, block), keeps);
    if (weights.length !== count) throw new DamagedBase('a list has not as many weights as decisions');
    return weights;
  }

  /** A part of the positions of a word that has them apart from its list. */
  positions({ id }: Entry, block: number, { count }: PostingList, part: number): PositionsPart {
    const { positions } = this.#cache;
    const key = positionsKey(id, block, part);
    let found = positions.get(key);
    if (found === undefined) {
      const bytes = unseal('positions', key, this.#connection.value<Buffer>(POSITIONS_SQL).get(key));
      found = { bytes, groups: groupsOf(bytes, Math.min(PART_SIZE, count - part * PART_SIZE)) };
      positions.set(key, found);
    }
    return found;
  }

  #row(key: number, keeps: boolean): Uint8Array {
    const { rows } = this.#cache;
    let content = rows.get(key);
    if (content === undefined) {
      content = aligned(unseal('postings', key, this.#connection.value<Buffer>(LIST_SQL).get(key)));
      if (keeps) rows.set(key, content);
    }
    return content;
  }
}

function listOf({ docId, impact, positions }: NonNullable<Entry['single']>): PostingList {
  const offsets = Uint16Array.of(docId % BLOCK_SIZE);
  return { count: 1, offsets, bitmap: null, impacts: Uint8Array.of(impact), positions };
}
