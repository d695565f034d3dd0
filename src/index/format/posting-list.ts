import { BLOCK_SIZE } from './schema.ts';

/**
 * One row of `impacto`: the decisions of a block that hold a word, by number, with one byte of weight each.
 * - A few: their offsets in the block (u16, little endian), then their impacts.
 * - More than `SPARSE_MAX`: a bitmap of the block (bit `n` of the bytes stands for offset `n`), then the impacts.
 * Which of the two it is, and how many they are, the length alone tells. Both can be read in place: as typed
 * arrays over the bytes, on little-endian machines, which all that this runs on are.
 */
export interface PostingList {
  readonly count: number;
  /** Ascending; null where the list is a bitmap. */
  readonly offsets: Uint16Array | null;
  readonly bitmap: Uint32Array | null;
  readonly impacts: Uint8Array;
}

/** From here on a bitmap and one byte each are fewer bytes than three each. */
export const SPARSE_MAX = 4_096;
const SPARSE_BYTES = 3;
export const BITMAP_BYTES = BLOCK_SIZE / 8;

export const NO_POSTINGS: PostingList = {
  count: 0,
  offsets: new Uint16Array(0),
  bitmap: null,
  impacts: new Uint8Array(0),
};
/** The bytes of a list in which there is nothing. */
export const EMPTY_LIST = new Uint8Array(0);

/** Decisions with their weights, by offset: what stands in two arrays from one place up to another. */
export interface Postings {
  readonly offsets: Uint16Array;
  readonly impacts: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** The decisions in a list of so many bytes. */
export function countOf(bytes: number): number {
  return bytes <= SPARSE_MAX * SPARSE_BYTES ? bytes / SPARSE_BYTES : bytes - BITMAP_BYTES;
}

/** The list that the bytes hold, in place where they lie on an even address. */
export function openList(bytes: Uint8Array): PostingList {
  const count = countOf(bytes.length);
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  if (count <= SPARSE_MAX) {
    const offsets = new Uint16Array(buffer, byteOffset, count);
    return { count, offsets, bitmap: null, impacts: new Uint8Array(buffer, byteOffset + count * 2, count) };
  }
  const bitmap = new Uint32Array(buffer, byteOffset, BITMAP_BYTES / 4);
  const impacts = new Uint8Array(buffer, byteOffset + BITMAP_BYTES, length - BITMAP_BYTES);
  return { count, offsets: null, bitmap, impacts };
}

/** The bitmap that begins a list of more than `SPARSE_MAX`, from at least its bytes. */
export function openBitmap(bytes: Uint8Array): Uint32Array {
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint32Array(buffer, byteOffset, BITMAP_BYTES / 4);
}

/** The bytes of a list with more postings, all of which come after those that it has. */
export function appended(before: Uint8Array, added: Postings): Uint8Array {
  const had = countOf(before.length);
  const count = had + added.to - added.from;
  if (count > SPARSE_MAX) return appendedToBitmap(openList(before), added);
  // Byte by byte: most lists are of a few decisions, and laying an array over the bytes takes longer than they do.
  const bytes = new Uint8Array(count * SPARSE_BYTES);
  for (let at = 0; at < had * 2; at += 1) bytes[at] = before[at] ?? 0;
  for (let at = 0; at < had; at += 1) bytes[count * 2 + at] = before[had * 2 + at] ?? 0;
  for (let at = added.from; at < added.to; at += 1) {
    const place = had + at - added.from;
    const offset = added.offsets[at] ?? 0;
    bytes[place * 2] = offset;
    bytes[place * 2 + 1] = offset >>> 8;
    bytes[count * 2 + place] = added.impacts[at] ?? 0;
  }
  return bytes;
}

function appendedToBitmap(list: PostingList, { offsets, impacts, from, to }: Postings): Uint8Array {
  const bytes = new Uint8Array(BITMAP_BYTES + list.count + to - from);
  const made = openList(bytes);
  if (list.bitmap !== null) made.bitmap?.set(list.bitmap);
  for (let at = 0; at < (list.offsets?.length ?? 0); at += 1) put(made.bitmap, list.offsets?.[at] ?? 0, true);
  for (let at = from; at < to; at += 1) put(made.bitmap, offsets[at] ?? 0, true);
  made.impacts.set(list.impacts);
  made.impacts.set(impacts.subarray(from, to), list.count);
  return bytes;
}

/** The bytes of a list in which one decision weighs so much, or does not stand when `impact` is null. */
export function edited(before: Uint8Array, offset: number, impact: number | null): Uint8Array {
  const list = openList(before);
  const { place, isThere } = find(list, offset);
  const added = impact === null ? [] : [impact];
  const impacts = new Uint8Array(list.count - (isThere ? 1 : 0) + added.length);
  impacts.set(list.impacts.subarray(0, place));
  impacts.set(added, place);
  impacts.set(list.impacts.subarray(isThere ? place + 1 : place), place + added.length);
  if (list.bitmap !== null && impacts.length > SPARSE_MAX) {
    const bytes = new Uint8Array(BITMAP_BYTES + impacts.length);
    const made = openList(bytes);
    made.bitmap?.set(list.bitmap);
    put(made.bitmap, offset, impact !== null);
    made.impacts.set(impacts);
    return bytes;
  }
  const offsetsBefore = offsetsOf(list);
  const offsets = new Uint16Array(impacts.length);
  offsets.set(offsetsBefore.subarray(0, place));
  if (impact !== null) offsets[place] = offset;
  offsets.set(offsetsBefore.subarray(isThere ? place + 1 : place), place + added.length);
  return appended(EMPTY_LIST, { offsets, impacts, from: 0, to: impacts.length });
}

/** How many of the list come before an offset, and whether it is there itself. */
function find({ offsets, bitmap, count }: PostingList, offset: number): { place: number; isThere: boolean } {
  if (offsets !== null) {
    let place = 0;
    while (place < count && (offsets[place] ?? 0) < offset) place += 1;
    return { place, isThere: offsets[place] === offset };
  }
  const word = bitmap?.[offset >>> 5] ?? 0;
  let place = popCount(word & ((1 << (offset & 31)) - 1));
  for (let at = 0; at < offset >>> 5; at += 1) place += popCount(bitmap?.[at] ?? 0);
  return { place, isThere: ((word >>> (offset & 31)) & 1) === 1 };
}

function put(bitmap: Uint32Array | null, offset: number, isThere: boolean): void {
  if (bitmap === null) return;
  const before = bitmap[offset >>> 5] ?? 0;
  const bit = 1 << (offset & 31);
  bitmap[offset >>> 5] = isThere ? before | bit : before & ~bit;
}

/** The bits that are set in a 32-bit number. */
export function popCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function offsetsOf({ count, offsets, bitmap }: PostingList): Uint16Array {
  if (offsets !== null) return offsets;
  const all = new Uint16Array(count);
  let at = 0;
  for (let offset = 0; offset < BLOCK_SIZE; offset += 1) {
    if ((((bitmap?.[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 1) {
      all[at] = offset;
      at += 1;
    }
  }
  return all;
}
