import { LRUCache } from 'lru-cache';
import type { Bits } from './bitset.ts';
import type { Connection } from './connection.ts';

/** What is known of a stored list without reading it: its id, null where there is none, and counts by block. */
export interface ListFacts {
  readonly id: number | null;
  readonly counts: Map<number, number>;
}

/**
 * What a connection keeps of one data generation, ready for use: most queries have words that others had, and the
 * newest decisions of common words are the same ones. To read any of it again takes SQLite ten times as long as to
 * find it here. Nobody may write to what is kept.
 */
export interface Kept {
  readonly geracao: number;
  /** The facts of lists, by term. */
  readonly facts: LRUCache<string, ListFacts>;
  /** The bytes of stored lists, or of their bitmaps alone, by row of `impacto`. */
  readonly lists: LRUCache<number, Buffer>;
  readonly bitmaps: LRUCache<number, Buffer>;
  /** The words that begin with a prefix, and who stands in a block with any of them, by prefix and block. */
  readonly words: LRUCache<string, readonly number[]>;
  readonly merged: LRUCache<string, Bits>;
  /** Resumos whose checksum was looked at, with their ids, by number. */
  readonly resumos: LRUCache<number, string>;
}

const FACTS_MAX = 2_000;
/** Of an entry beside its bytes; most words are rare, and their lists shorter than that. */
const ENTRY_BYTES = 450;
/** Of a thread each. */
const LIST_BYTES_MAX = 3 * 1024 * 1024;
const BITMAP_BYTES_MAX = 1024 * 1024;
const RESUMOS_MAX = 1_000;
const PREFIXES_MAX = 50;
/** Of 8 KiB each. */
const MERGED_MAX = 100;

const known = new WeakMap<Connection, Kept>();

/** What is kept for a data generation; what was kept for another one is let go. */
export function keptAt(connection: Connection, geracao: number): Kept {
  let found = known.get(connection);
  if (found?.geracao !== geracao) {
    found = {
      geracao,
      facts: new LRUCache({ max: FACTS_MAX }),
      lists: byteCache(LIST_BYTES_MAX),
      bitmaps: byteCache(BITMAP_BYTES_MAX),
      words: new LRUCache({ max: PREFIXES_MAX }),
      merged: new LRUCache({ max: MERGED_MAX }),
      resumos: new LRUCache({ max: RESUMOS_MAX }),
    };
    known.set(connection, found);
  }
  return found;
}

/** For when the file may have become another one under the same connection. */
export function forgetKept(connection: Connection): void {
  known.delete(connection);
}

function byteCache(most: number): LRUCache<number, Buffer> {
  return new LRUCache({ maxSize: most, sizeCalculation: ({ length }) => ENTRY_BYTES + length });
}
