import { missing } from './element-at.ts';
import { PART_HEAD_BYTES, aligned, newPart } from './posting-row.ts';
import { DamagedBase, putU32, u32At } from './seal.ts';
import { BLOCK_SIZE } from './schema.ts';

/**
 * A term's postings in a block, a part of a `postings` row: offsets if few, a bitmap if many. FORMAT.md describes the bytes,
 * which are viewed as typed arrays; all supported machines are little endian.
 */
export type PostingList = SparseList | DenseList;

export interface SparseList {
  readonly kind: 'sparse';
  readonly count: number;
  /** Ascending. */
  readonly offsets: Uint16Array;
  /** In the order of offsets. */
  readonly impacts: Uint8Array;
  /** Empty for more than `INLINE_MAX` decisions. */
  readonly positions: Uint8Array;
}

/** Its impacts are in another row. */
export interface DenseList {
  readonly kind: 'dense';
  readonly count: number;
  readonly bitmap: Uint32Array;
}

/** Above this, a bitmap and a byte for each impact are shorter than three bytes for each posting. */
export const SPARSE_MAX = 4_096;
const COUNT_BYTES = 4;
const SPARSE_BYTES = 3;
export const BITMAP_BYTES = BLOCK_SIZE / 8;

export const NO_BYTES = new Uint8Array(0);
export const NO_POSTINGS: SparseList = {
  kind: 'sparse',
  count: 0,
  offsets: new Uint16Array(0),
  impacts: NO_BYTES,
  positions: NO_BYTES,
};

/** A part's postings: views of the content if it is aligned. @throws DamagedBase */
export function openList(content: Uint8Array): PostingList {
  const { buffer, byteOffset, length } = aligned(content);
  const count = countOf(content);
  const start = byteOffset + COUNT_BYTES;
  const rest = length - COUNT_BYTES - (count > SPARSE_MAX ? BITMAP_BYTES : count * SPARSE_BYTES);
  if (count > SPARSE_MAX ? rest !== 0 : rest < 0) throw new DamagedBase('a list is not as long as it says');
  if (count > SPARSE_MAX)
    return { kind: 'dense', count, bitmap: new Uint32Array(buffer, start, BITMAP_BYTES / 4) };
  return {
    kind: 'sparse',
    count,
    offsets: new Uint16Array(buffer, start, count),
    impacts: new Uint8Array(buffer, start + count * 2, count),
    positions: new Uint8Array(buffer, start + count * SPARSE_BYTES, rest),
  };
}

function countOf(content: Uint8Array): number {
  if (content.length < COUNT_BYTES) throw new DamagedBase('a list is not as long as it says');
  return u32At(content, 0);
}

/** A short list's part of a row. @param positions empty if they are in separate rows. */
export function sparsePart(
  block: number,
  offsets: Uint16Array,
  impacts: Uint8Array,
  count: number,
  positions: Uint8Array,
): Uint8Array {
  const part = newPart(block, COUNT_BYTES + count * SPARSE_BYTES + positions.length);
  putU32(part, PART_HEAD_BYTES, count);
  const offsetsAt = PART_HEAD_BYTES + COUNT_BYTES;
  const impactsAt = offsetsAt + count * 2;
  // Byte by byte: most lists are short, and making typed arrays takes longer.
  for (let rank = 0; rank < count; rank += 1) {
    const offset = offsets[rank] ?? missing();
    part[offsetsAt + rank * 2] = offset;
    part[offsetsAt + rank * 2 + 1] = offset >>> 8;
    part[impactsAt + rank] = impacts[rank] ?? missing();
  }
  if (positions.length > 0) part.set(positions, impactsAt + count);
  return part;
}

/** A bitmap's part of a row. */
export function densePart(block: number, offsets: Uint16Array, count: number): Uint8Array {
  const part = newPart(block, COUNT_BYTES + BITMAP_BYTES);
  putU32(part, PART_HEAD_BYTES, count);
  for (let at = 0; at < count; at += 1) {
    const offset = offsets[at] ?? missing();
    const byte = PART_HEAD_BYTES + COUNT_BYTES + (offset >>> 3);
    part[byte] = (part[byte] ?? missing()) | (1 << (offset & 7));
  }
  return part;
}

/** The number of bits set in a 32-bit number. */
export function popCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** @throws DamagedBase */
export function offsetsOf(list: PostingList): Uint16Array {
  if (list.kind === 'sparse') return list.offsets;
  const all = new Uint16Array(list.count);
  let at = 0;
  for (let word = 0; word < BITMAP_BYTES / 4; word += 1) {
    for (let bits = list.bitmap[word] ?? missing(); bits !== 0; bits &= bits - 1) {
      all[at] = word * 32 + 31 - Math.clz32(bits & -bits);
      at += 1;
    }
  }
  if (at !== list.count) throw new DamagedBase('a bitmap has not as many decisions as it says');
  return all;
}
