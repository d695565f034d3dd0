import { zstdCompressSync, constants } from 'node:zlib';
import { elementAt } from './element-at.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { DamagedBase } from './seal.ts';

/*
 * The rests of neighbouring records (`record.ts`) share a block, a row somewhat longer than a page. Each group in a block is
 * compressed as a whole (zstd), most with a dictionary, which takes under half the bytes of compressing each rest alone.
 */

export const RECORDS_PER_BLOCK = 16;
/** Larger groups take fewer bytes, but make it slower to read a record. */
const GROUP_SIZE = 8;
/** Higher levels take much longer and save few bytes. */
const COMPRESSION_LEVEL = 1;
/** Larger dictionaries make each write slower. */
const DICTIONARY_BYTES = 48 * 1024;
/** A base gets its dictionary at this number of records. */
export const DICTIONARY_RECORDS = 1_024;
/** A longer rest is held compressed until its block is written. */
const WAITING_MAX = 64 * 1024;
/** Separates a block's rests; JSON never contains it. */
const REST_END = 0x1e;

/** A dictionary, made from rests in a base's first records. Blocks have the id. */
export interface ZstdDictionary {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** The decisions of which it has texts. */
  readonly docIds: readonly number[];
}

export type UnpackerOf = (id: number) => Unpacker;

/** The first bytes of every zstd frame. */
const MAGIC = 0xfd2fb528;
/** The descriptor of a single-segment frame with an eight-byte content size. */
const DESCRIPTOR = 0b1110_0000;
const SIZE_AT = 5;
const BLOCK_AT = 13;
const CONTENT_AT = 16;
/** The header of a raw block, if not the last, is the length shifted by this. */
const LENGTH_BIT = 3;

/**
 * Unpacks groups that were compressed with a dictionary. A raw dictionary acts like earlier content (RFC 8878, section 5), so
 * a frame with the dictionary as an uncompressed block, and then the group's blocks, has both. That is faster than a new
 * decoder for each group.
 */
export class Unpacker {
  readonly #groupAt: number;
  /** Header, dictionary, and space for a group's blocks. */
  #frame: Buffer;

  constructor(dictionary: Uint8Array) {
    this.#groupAt = CONTENT_AT + dictionary.length;
    this.#frame = Buffer.alloc(this.#groupAt);
    this.#frame.writeUInt32LE(MAGIC);
    this.#frame.writeUInt8(DESCRIPTOR, 4);
    this.#frame.writeUIntLE(dictionary.length << LENGTH_BIT, BLOCK_AT, CONTENT_AT - BLOCK_AT);
    this.#frame.set(dictionary, CONTENT_AT);
  }

  /** @throws DamagedBase */
  unpack(group: Uint8Array): Buffer {
    const { size, end } = headerOf(group);
    const length = this.#groupAt + group.length - end;
    if (this.#frame.length < length) this.#frame = Buffer.concat([this.#frame], 2 * length);
    this.#frame.writeBigUInt64LE(BigInt(this.#groupAt - CONTENT_AT + size), SIZE_AT);
    this.#frame.set(group.subarray(end), this.#groupAt);
    return Bun.zstdDecompressSync(this.#frame.subarray(0, length)).subarray(this.#groupAt - CONTENT_AT);
  }
}

/** The length of a frame's content, and where its header ends. @throws DamagedBase */
function headerOf(frame: Uint8Array): { size: number; end: number } {
  const reader = new ByteReader(frame, 4);
  const descriptor = reader.byte();
  // Our frames have a content size, and neither a dictionary id nor a checksum.
  if ((descriptor & 0b1_1111) !== 0) throw new DamagedBase('a group has another header');
  const isOneSegment = (descriptor & 0b10_0000) !== 0;
  if (!isOneSegment) reader.byte();
  const bytes = elementAt([isOneSegment ? 1 : 0, 2, 4, 8], descriptor >> 6);
  if (bytes === 0) throw new DamagedBase('a group has no content size');
  const size = Buffer.from(reader.take(bytes)).readUIntLE(0, Math.min(bytes, 6));
  return { size: bytes === 2 ? size + 256 : size, end: reader.at };
}

/** The block of a decision's rest, and the index there. */
export function blockOf(docId: number): number {
  return Math.floor((docId - 1) / RECORDS_PER_BLOCK);
}

export function indexInBlock(docId: number): number {
  return (docId - 1) % RECORDS_PER_BLOCK;
}

/** A rest in an open block. Long rests are held compressed, because sixteen would fill a load's memory. */
export class WaitingRest {
  readonly size: number;
  readonly #isPacked: boolean;
  readonly #held: Uint8Array;

  constructor(rest: Uint8Array) {
    this.size = rest.length;
    this.#isPacked = this.size > WAITING_MAX;
    // A copy, because a short rest may be a part of a long buffer.
    this.#held = this.#isPacked
      ? Bun.zstdCompressSync(rest, { level: COMPRESSION_LEVEL })
      : Buffer.from(rest);
  }

  /** Bytes of memory. */
  get bytesHeld(): number {
    return this.#held.length;
  }

  bytes(): Uint8Array {
    return this.#isPacked ? Bun.zstdDecompressSync(this.#held) : this.#held;
  }
}

/** A dictionary from an even sample of rests, by doc id. */
export function dictionaryFrom(id: number, rests: ReadonlyMap<number, Uint8Array>): ZstdDictionary {
  const length = [...rests.values()].reduce((sum, rest) => sum + rest.length, 0);
  const step = Math.max(1, Math.floor(length / DICTIONARY_BYTES));
  const picked = [...rests].filter((_, at) => at % step === 0);
  const parted = picked.flatMap(([, rest]) => [rest, Uint8Array.of(REST_END)]);
  const bytes = Buffer.concat(parted).subarray(0, DICTIONARY_BYTES);
  return { id, bytes, docIds: picked.map(([docId]) => docId) };
}

/** A `dictionary` row: whose texts it has, and the dictionary. */
export function writeDictionary({ bytes, docIds }: ZstdDictionary): Uint8Array {
  const row = new ByteWriter(DICTIONARY_BYTES + 256);
  row.varint(docIds.length);
  for (const docId of docIds) row.varint(docId);
  row.copy(bytes, 0, bytes.length);
  return row.result();
}

export function readDictionary(id: number, content: Uint8Array): ZstdDictionary {
  const reader = new ByteReader(content);
  const docIds = Array.from({ length: reader.varint() }, () => reader.varint());
  return { id, docIds, bytes: content.subarray(reader.at) };
}

/** A group as stored, null if it has changed; and its rests, null until they are needed. */
interface Group {
  packed: Uint8Array | null;
  rests: WaitingRest[] | null;
}

/** A block to which rests are added, or in which they are replaced. Only changed groups are compressed again. */
export class OpenBlock {
  readonly #groups: Group[] = [];
  /** The stored block's dictionary. */
  readonly #id: number = 0;
  readonly #unpackerOf: UnpackerOf;

  /** @param stored null for a new block. */
  constructor(stored: Uint8Array | null, unpackerOf: UnpackerOf) {
    this.#unpackerOf = unpackerOf;
    if (stored === null) return;
    const { id, groups } = openBlock(stored);
    this.#id = id;
    for (const packed of groups) this.#groups.push({ packed, rests: null });
  }

  get isChanged(): boolean {
    return this.#groups.some(({ packed }) => packed === null);
  }

  /** Undefined if the block has none there. */
  rest(index: number): WaitingRest | undefined {
    const group = this.#groups[Math.floor(index / GROUP_SIZE)];
    return group === undefined ? undefined : this.#restsOf(group)[index % GROUP_SIZE];
  }

  put(index: number, rest: WaitingRest): void {
    const group = (this.#groups[Math.floor(index / GROUP_SIZE)] ??= { packed: null, rests: null });
    this.#restsOf(group)[index % GROUP_SIZE] = rest;
    group.packed = null;
  }

  pack(dictionary: ZstdDictionary | null): Uint8Array {
    const id = dictionary?.id ?? 0;
    const block = new ByteWriter(16 * 1024);
    block.varint(id);
    for (const group of this.#groups) {
      const stored = id === this.#id ? group.packed : null;
      const packed = stored ?? compressed(joined(this.#restsOf(group)), dictionary);
      block.varint(packed.length);
      block.copy(packed, 0, packed.length);
    }
    return block.result();
  }

  #restsOf(group: Group): WaitingRest[] {
    if (group.rests !== null) return group.rests;
    const rests = group.packed === null ? [] : restsIn(group.packed, this.#id, this.#unpackerOf);
    return (group.rests = rests.map((rest) => new WaitingRest(rest)));
  }
}

/** Unpacks one long rest at a time. */
function joined(rests: readonly WaitingRest[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(rests.reduce((sum, { size }) => sum + size + 1, -1));
  let at = 0;
  for (const rest of rests) {
    if (at > 0) bytes[at - 1] = REST_END;
    bytes.set(rest.bytes(), at);
    at += rest.size + 1;
  }
  return bytes;
}

function compressed(group: Uint8Array, dictionary: ZstdDictionary | null): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL };
  return zstdCompressSync(group, dictionary === null ? { params } : { params, dictionary: dictionary.bytes });
}

/** All rests in a block. @throws DamagedBase */
export function unpackBlock(block: Uint8Array, unpackerOf: UnpackerOf): Uint8Array[] {
  const { id, groups } = openBlock(block);
  return groups.flatMap((group) => restsIn(group, id, unpackerOf));
}

/** The rest at an index. @throws DamagedBase */
export function unpackRest(block: Uint8Array, index: number, unpackerOf: UnpackerOf): Uint8Array {
  const { id, groups } = openBlock(block);
  const group = elementAt(groups, Math.floor(index / GROUP_SIZE));
  return elementAt(restsIn(group, id, unpackerOf), index % GROUP_SIZE);
}

/** The dictionary's id, 0 for none, and the packed groups. @throws DamagedBase */
function openBlock(block: Uint8Array): { readonly id: number; readonly groups: readonly Uint8Array[] } {
  const reader = new ByteReader(block);
  const id = reader.varint();
  const groups: Uint8Array[] = [];
  while (reader.at < block.length) groups.push(reader.take(reader.varint()));
  return { id, groups };
}

/** The rests in a packed group. */
function restsIn(group: Uint8Array, id: number, unpackerOf: UnpackerOf): Uint8Array[] {
  const content = id === 0 ? Bun.zstdDecompressSync(group) : unpackerOf(id).unpack(group);
  const rests: Uint8Array[] = [];
  let from = 0;
  for (let end = content.indexOf(REST_END); end >= 0; end = content.indexOf(REST_END, from)) {
    rests.push(content.subarray(from, end));
    from = end + 1;
  }
  rests.push(content.subarray(from));
  return rests;
}
