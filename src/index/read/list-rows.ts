import { hasBlock, type Entry } from '../format/lexicon.ts';
import { PART_SIZE, groupsOf } from '../format/places.ts';
import { NO_POSTINGS, openList, type PostingList } from '../format/posting-list.ts';
import { BLOCK_SIZE, listKey, placesKey, weightsKey } from '../format/schema.ts';
import { DamagedBase, unseal } from '../format/seal.ts';
import type { Connection } from './connection.ts';
import type { ThreadCache, PlacePart } from './thread-cache.ts';

const LIST_SQL = 'SELECT dados FROM impacto WHERE lista = ?';
const PLACES_SQL = 'SELECT dados FROM posicao WHERE parte = ?';

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
    return openList(this.#row(listKey(entry.id, block), keeps));
  }

  /** The weights of those who stand in it. */
  weights({ id }: Entry, block: number, { count, impacts }: PostingList, keeps = true): Uint8Array {
    if (impacts !== null) return impacts;
    const weights = this.#row(weightsKey(id, block), keeps);
    if (weights.length !== count) throw new DamagedBase('a list has not as many weights as decisions');
    return weights;
  }

  /** A part of the positions of a word that has them apart from its list. */
  places({ id }: Entry, block: number, { count }: PostingList, part: number): PlacePart {
    const { places } = this.#cache;
    const key = placesKey(id, block, part);
    let found = places.get(key);
    if (found === undefined) {
      const bytes = unseal('posicao', key, this.#connection.value<Buffer>(PLACES_SQL).get(key));
      found = { bytes, groups: groupsOf(bytes, Math.min(PART_SIZE, count - part * PART_SIZE)) };
      places.set(key, found);
    }
    return found;
  }

  #row(key: number, keeps: boolean): Uint8Array {
    const { rows } = this.#cache;
    let content = rows.get(key);
    if (content === undefined) {
      content = unseal('impacto', key, this.#connection.value<Buffer>(LIST_SQL).get(key));
      if (keeps) rows.set(key, content);
    }
    return content;
  }
}

function listOf({ numero, impact, places }: NonNullable<Entry['single']>): PostingList {
  const offsets = Uint16Array.of(numero % BLOCK_SIZE);
  return { count: 1, offsets, bitmap: null, impacts: Uint8Array.of(impact), places };
}
