import { LRUCache } from 'lru-cache';
import type { Entry } from '../format/terms.ts';
import type { Unpacker } from '../format/record-block.ts';
import type { Frame } from '../format/record.ts';
import type { Bits } from './bitset.ts';

/** What the dictionary says of a list; null where there is none of its name. */
export interface ListFacts {
  readonly entry: Entry | null;
  /** What is known of its impacts; null until they are read. */
  impacts: ImpactFacts | null;
}

export interface ImpactFacts {
  /** The highest in each block; 0 where it is not known. */
  readonly maxima: Uint8Array;
  /** By impact, the fraction of the decisions of one block that have at least that, in parts of 255. */
  readonly shares: Uint8Array;
}

/** A part of the positions of a word in a block, and where in it the bytes of each group of decisions begin. */
export interface PositionsPart {
  readonly bytes: Uint8Array;
  readonly groups: Uint32Array;
}

const FACTS_MAX = 2_000;
/** Of an entry beside its bytes; most words are rare, and their lists shorter than that. */
const ENTRY_BYTES = 450;
/** Of a thread each. */
const ROW_BYTES_MAX = 4 * 1024 * 1024;
const POSITION_BYTES_MAX = 1024 * 1024;
const RESUMOS_MAX = 1_000;
const FRAMES_MAX = 1_000;
const PREFIXES_MAX = 50;
/** Of all prefixes together: a short one stands for tens of thousands. */
const WORDS_MAX = 20_000;
const MAXIMA_MAX = 2_000;
/** Of 8 KiB each. */
const MERGED_MAX = 100;

/**
 * What a connection keeps of one data generation, ready for use: most queries have words that others had, and the
 * newest decisions of common words are the same ones. To read any of it again takes SQLite ten times as long as to
 * find it here, and its checksum was verified. Nobody may write to what is kept.
 */
export type ThreadCache = Readonly<ReturnType<typeof emptyCache>>;

function emptyCache(generation: number) {
  return {
    generation,
    /** The facts of lists, by name. */
    facts: new LRUCache<string, ListFacts>({ max: FACTS_MAX }),
    /** The contents of rows of `postings` and parts of positions, by their keys. */
    rows: new LRUCache<number, Uint8Array>({
      maxSize: ROW_BYTES_MAX,
      sizeCalculation: ({ length }) => ENTRY_BYTES + length,
    }),
    positions: new LRUCache<number, PositionsPart>({
      maxSize: POSITION_BYTES_MAX,
      sizeCalculation: ({ bytes }) => ENTRY_BYTES + bytes.length,
    }),
    /** The words that begin with a prefix, and who stands in a block with any of them, by prefix and block. */
    words: new LRUCache<string, readonly Entry[]>({
      max: PREFIXES_MAX,
      maxSize: WORDS_MAX,
      sizeCalculation: ({ length }) => length + 1,
    }),
    /** The highest impacts of bitmaps that prefixes were merged from, by the keys of their rows. */
    maxima: new LRUCache<number, number>({ max: MAXIMA_MAX }),
    merged: new LRUCache<string, Bits>({ max: MERGED_MAX }),
    /** Frames of Resumos by their numbers, and what unpacks groups by the ids of dictionaries. */
    frames: new LRUCache<number, Frame>({ max: FRAMES_MAX }),
    unpackers: new Map<number, Unpacker>(),
    /** Resumos whose checksums were verified, by doc id. */
    resumos: new LRUCache<number, string>({ max: RESUMOS_MAX }),
  };
}

const known = new WeakMap<object, ThreadCache>();

/** The cache of a data generation; it replaces the cache of any other one. */
export function threadCacheAt(connection: object, generation: number): ThreadCache {
  let found = known.get(connection);
  if (found?.generation !== generation) {
    found = emptyCache(generation);
    known.set(connection, found);
  }
  return found;
}

/** For when the file may have become another one under the same connection. */
export function dropThreadCache(connection: object): void {
  known.delete(connection);
}
