import { DamagedBase, putU32, u32At } from './seal.ts';

/**
 * A `postings` row: parts of consecutive blocks (`posting-list.ts`), each after its block and length. A search reads most lists
 * whole, and two rows take twice as long as one. Parts are aligned, so that rows are joined by concatenation.
 */
export const PART_HEAD_BYTES = 8;
/** Rows are joined up to this length. */
export const ROW_BYTES_MAX = 16 * 1024;

/** A part with space for the content, `length` bytes from `PART_HEAD_BYTES` on. */
export function newPart(block: number, length: number): Uint8Array {
  const part = new Uint8Array(PART_HEAD_BYTES + padded(length));
  putU32(part, 0, block);
  putU32(part, 4, length);
  return part;
}

/** The content of a block's part; null if none. @throws DamagedBase */
export function partOf(row: Uint8Array, block: number): Uint8Array | null {
  for (let at = 0; at < row.length;) {
    const length = u32At(row, at + 4);
    const start = at + PART_HEAD_BYTES;
    if (start + length > row.length) throw new DamagedBase('a part of a row is not as long as it says');
    if (u32At(row, at) === block) return row.subarray(start, start + length);
    at = start + padded(length);
  }
  return null;
}

/** Calls `visit` with each part of a row, by block: the content, and the bytes with the header when asked for. @throws DamagedBase */
export function forEachPart(
  row: Uint8Array,
  visit: (block: number, content: Uint8Array, part: () => Uint8Array) => void,
): void {
  for (let at = 0; at < row.length;) {
    const length = u32At(row, at + 4);
    const start = at + PART_HEAD_BYTES;
    const end = start + padded(length);
    if (end > row.length) throw new DamagedBase('a part of a row is not as long as it says');
    const from = at;
    visit(u32At(row, at), row.subarray(start, start + length), () => row.subarray(from, end));
    at = end;
  }
}

export function joinedRow(parts: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The bytes, copied if their address is not a multiple of four. */
export function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
