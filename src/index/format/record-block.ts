import { zstdCompressSync, zstdDecompressSync, constants } from 'node:zlib';
import { ByteReader, ByteWriter } from './bytes.ts';
import { DamagedBase } from './seal.ts';

/*
 * The rests of records (`record.ts`) stand in blocks of neighbours. A block is a row somewhat longer than a page, which
 * leaves few bytes of its pages unused. Within a block, each group of neighbours is compressed as one (zstd), most of them
 * with a dictionary. Records are much alike, so this takes under half the bytes of compressing each by itself.
 */

export const RECORDS_PER_BLOCK = 16;
/** More of them take fewer bytes, and longer to read one of. */
const GROUP_SIZE = 8;
/** Higher levels take much longer, with a dictionary most of all, for few bytes less. */
const COMPRESSION_LEVEL = 1;
/** Larger ones take longer for each block that is written. */
const DICTIONARY_BYTES = 48 * 1024;
/** A base gets its dictionary when it has so many records. */
export const DICTIONARY_RECORDS = 1_024;
/** A group's text most often fits, which saves joining the parts of it. */
const OUTPUT_BYTES = 64 * 1024;
/** Parts the rests of a block, which are JSON texts and never hold it. */
const REST_END = '\u001e';
const REST_END_BYTE = 0x1e;

/** What blocks are compressed with: any bytes, here rests of the base's first records. Blocks name it by its id. */
export interface ZstdDictionary {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Gives the dictionary of an id. @throws DamagedBase */
export type DictionaryOf = (id: number) => Uint8Array;

/** The block in which a decision's rest stands, and its place there. */
export function blockOf(numero: number): number {
  return Math.floor((numero - 1) / RECORDS_PER_BLOCK);
}

export function placeIn(numero: number): number {
  return (numero - 1) % RECORDS_PER_BLOCK;
}

/** A dictionary from the rests of many records: some of them, from all over. */
export function dictionaryFrom(rests: readonly string[]): Uint8Array {
  const length = rests.reduce((sum, rest) => sum + rest.length, 0);
  const step = Math.max(1, Math.floor(length / DICTIONARY_BYTES));
  const picked = rests.filter((_, at) => at % step === 0);
  return Buffer.from(picked.join(REST_END)).subarray(0, DICTIONARY_BYTES);
}

/** A block: the id of its dictionary (a varint, 0 for none), and its groups, each after its length (a varint). */
export function packBlock(rests: readonly string[], dictionary: ZstdDictionary | null): Uint8Array {
  const block = new ByteWriter(16 * 1024);
  block.varint(dictionary?.id ?? 0);
  for (let from = 0; from < rests.length; from += GROUP_SIZE) {
    const packed = compressed(rests.slice(from, from + GROUP_SIZE).join(REST_END), dictionary);
    block.varint(packed.length);
    block.copy(packed, 0, packed.length);
  }
  return block.result();
}

function compressed(text: string, dictionary: ZstdDictionary | null): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL };
  return zstdCompressSync(text, dictionary === null ? { params } : { params, dictionary: dictionary.bytes });
}

/** All rests of a block. @throws DamagedBase */
export function unpackBlock(block: Uint8Array, dictionaryOf: DictionaryOf): string[] {
  const rests: string[] = [];
  const reader = new ByteReader(block);
  const dictionary = dictionaryIn(reader, dictionaryOf);
  while (reader.at < block.length) {
    const content = contentOf(reader.take(reader.varint()), dictionary);
    rests.push(...content.toString().split(REST_END));
  }
  return rests;
}

/** One of them. @throws DamagedBase */
export function unpackRest(block: Uint8Array, place: number, dictionaryOf: DictionaryOf): string {
  const reader = new ByteReader(block);
  const dictionary = dictionaryIn(reader, dictionaryOf);
  for (let left = Math.floor(place / GROUP_SIZE); left > 0; left -= 1) reader.take(reader.varint());
  const content = contentOf(reader.take(reader.varint()), dictionary);
  let from = 0;
  for (let left = place % GROUP_SIZE; left > 0; left -= 1) {
    const end = content.indexOf(REST_END_BYTE, from);
    if (end < 0) throw new DamagedBase('a block has not as many records as it must');
    from = end + 1;
  }
  // The bytes of the one record alone become a string: that takes less than parting the text of all.
  const end = content.indexOf(REST_END_BYTE, from);
  return content.toString('utf8', from, end < 0 ? content.length : end);
}

function dictionaryIn(reader: ByteReader, dictionaryOf: DictionaryOf): Uint8Array | null {
  const id = reader.varint();
  return id === 0 ? null : dictionaryOf(id);
}

function contentOf(group: Uint8Array, dictionary: Uint8Array | null): Buffer {
  return dictionary === null
    ? Bun.zstdDecompressSync(group)
    : zstdDecompressSync(group, { dictionary, chunkSize: OUTPUT_BYTES });
}
