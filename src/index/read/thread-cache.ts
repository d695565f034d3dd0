import { LRUCache } from 'lru-cache';
import type { NearReply } from '../../engine/messages.ts';
import type { TermEntry } from '../format/terms.ts';
import type { Unpacker } from '../format/record-block.ts';
import type { Frame } from '../format/record.ts';
import type { Bits } from './bitset.ts';

export interface ListFacts {
  readonly entry: TermEntry | null;
  /** Null until impacts are read. */
  impacts: ImpactFacts | null;
}

export interface ImpactFacts {
  /** The highest impact in each block; 0 if not known. */
  readonly maxima: Uint8Array;
  /** By impact, the fraction of a block's decisions that have at least this impact, in 255ths. */
  readonly shares: Uint8Array;
}

/** A part of a word's positions in a block, and where each group of decisions begins there. */
export interface PositionsPart {
  readonly bytes: Uint8Array;
  readonly groups: Uint32Array;
}

/** A block's values in a column: the lowest, the lowest above 0, the highest; of codes also which there are, a bit for each. */
export interface Extent {
  readonly min: number;
  readonly minAboveZero: number;
  readonly max: number;
  readonly codes: number;
}

const FACTS_MAX = 2_000;
/** An entry's cost besides its bytes; most words are rare, with lists shorter than that. */
const ENTRY_BYTES = 450;
/** Limits for each thread. */
const ROW_BYTES_MAX = 4 * 1024 * 1024;
const POSITION_BYTES_MAX = 1024 * 1024;
const RESUMOS_MAX = 1_000;
/** Of five words at most. */
const NEAR_MAX = 1_000;
const FRAMES_MAX = 1_000;
const PREFIXES_MAX = 50;
/** For all prefixes together: a short one has tens of thousands. */
const WORDS_MAX = 20_000;
const MAXIMA_MAX = 2_000;
/** Of 8 KiB each. */
const MERGED_MAX = 100;
/** Filters remembered as used. */
export const FILTERS_MAX = 100;
/** Of 8 KiB each: sixteen filters of a base of a million decisions. */
const ACCEPTED_MAX = 256;
/** Values for filters: dates of 1,800,000 decisions. */
const COLUMN_BYTES_MAX = 8 * 1024 * 1024;

/** A connection's cache for a data generation, read-only. Reading again from SQLite takes ten times as long. */
export type ThreadCache = Readonly<ReturnType<typeof emptyCache>>;

function emptyCache(generation: number) {
  return {
    generation,
    /** The facts of lists, by name. */
    facts: new LRUCache<string, ListFacts>({ max: FACTS_MAX }),
    /** `postings` rows and parts of positions, by key. */
    rows: new LRUCache<number, Uint8Array>({
      maxSize: ROW_BYTES_MAX,
      sizeCalculation: ({ length }) => ENTRY_BYTES + length,
    }),
    positions: new LRUCache<number, PositionsPart>({
      maxSize: POSITION_BYTES_MAX,
      sizeCalculation: ({ bytes }) => ENTRY_BYTES + bytes.length,
    }),
    /** Words by prefix. */
    words: new LRUCache<string, readonly TermEntry[]>({
      max: PREFIXES_MAX,
      maxSize: WORDS_MAX,
      sizeCalculation: ({ length }) => length + 1,
    }),
    /** The highest impacts of bitmaps merged for prefixes, by row key. */
    maxima: new LRUCache<number, number>({ max: MAXIMA_MAX }),
    /** Decisions in a block, by prefix and block. */
    merged: new LRUCache<string, Bits>({ max: MERGED_MAX }),
    /** Values of a column in a block and their extents, by key. */
    columns: new LRUCache<number, Uint8Array | Uint32Array>({
      maxSize: COLUMN_BYTES_MAX,
      sizeCalculation: ({ byteLength }) => ENTRY_BYTES + byteLength,
    }),
    extents: new Map<number, Extent>(),
    /** Filters that were used, and the decisions that each accepts, by filter and block. */
    filters: new Set<string>(),
    accepted: new LRUCache<string, Bits>({ max: ACCEPTED_MAX }),
    /** Frames by number, and unpackers by dictionary id. */
    frames: new LRUCache<number, Frame>({ max: FRAMES_MAX }),
    unpackers: new Map<number, Unpacker>(),
    /** Resumos whose checksums were verified, by doc id. */
    resumos: new LRUCache<number, string>({ max: RESUMOS_MAX }),
    /** The words near a word, by what was asked of it; without any if the base has the word itself. */
    near: new LRUCache<string, { readonly words: NearReply['near'][number] }>({ max: NEAR_MAX }),
  };
}

const known = new WeakMap<object, ThreadCache>();

/** The cache of a data generation; it replaces any other generation's cache. */
export function threadCacheAt(connection: object, generation: number): ThreadCache {
  let found = known.get(connection);
  if (found?.generation !== generation) {
    found = emptyCache(generation);
    known.set(connection, found);
  }
  return found;
}

/** For a file that may have other bytes now. */
export function clearThreadCache(connection: object): void {
  known.delete(connection);
}
