import { missing } from './element-at.ts';
import { INDEXED_FIELDS } from './bm25f.ts';
import { ByteReader, type ByteWriter } from './bytes.ts';

/** A position: the column times `COLUMN_SPAN`, plus the words before it in that column. FORMAT.md describes the bytes. */
export const COLUMN_SPAN = 2 ** 28;
/** Word positions without words between two elements of a list. NEAR reaches less far in a column of lists. */
export const ELEMENT_GAP = 2 ** 13;
/** Elements of a list: their gaps fill half of a column's span, and more words than a line holds fit the rest. */
export const ELEMENTS_MAX = 2 ** 14;
/** `temas` and `processo`, the last columns. */
export const isListColumn = (position: number): boolean => position >>> 28 >= FIRST_LIST_COLUMN;
const FIRST_LIST_COLUMN = INDEXED_FIELDS.indexOf('temas');
const SWITCHES = INDEXED_FIELDS.length;

/** The positions of longer lists are in parts of `PART_SIZE` decisions. */
export const INLINE_MAX = 128;
export const PART_SIZE = 512;
/** Decisions in a group; a part has each group's length. */
export const GROUP_SIZE = 64;

/** Appends a decision's positions, from index `from` up to `end`, ascending. */
export function writePositions(
  to: ByteWriter,
  positions: Uint32Array | Int32Array,
  from: number,
  end: number,
): void {
  let column = 0;
  let previous = -1;
  for (let at = from; at < end; at += 1) {
    const position = positions[at] ?? missing();
    const here = position >>> 28;
    if (here !== column) {
      to.byte(2 * here);
      column = here;
      previous = -1;
    }
    const word = position & (COLUMN_SPAN - 1);
    const last = at === end - 1 ? 1 : 0;
    to.varint(2 * (word - previous - 1 + SWITCHES) + last);
    previous = word;
  }
}

/** Positions in reused memory. */
export class Positions {
  values = new Int32Array(64);
  count = 0;

  push(position: number): void {
    if (this.count === this.values.length) {
      this.values = new Int32Array(this.values.buffer.transfer(this.values.byteLength * 2));
    }
    this.values[this.count] = position;
    this.count += 1;
  }
}

/**
 * Adds a decision's positions, whose bytes begin at `at`, in the columns of the mask (bit `n` for column `n`).
 * @throws DamagedBase
 */
export function readPositions(bytes: Uint8Array, at: number, columns: number, into: Positions): void {
  let position = -1;
  let isWanted = (columns & 1) !== 0;
  for (let next = at; ;) {
    let byte = bytes[next++] ?? missing();
    let value = byte & 0x7f;
    while (byte >= 0x80) {
      byte = bytes[next++] ?? missing();
      value = value * 128 + (byte & 0x7f);
    }
    const code = value >>> 1;
    if (code < SWITCHES) {
      position = code * COLUMN_SPAN - 1;
      isWanted = ((columns >>> code) & 1) !== 0;
    } else {
      position += code - SWITCHES + 1;
      if (isWanted) into.push(position);
    }
    if ((value & 1) === 1) return;
  }
}

/** Skips the positions of some decisions, from `at`. @returns their end. @throws DamagedBase */
export function skipPositions(bytes: Uint8Array, at: number, decisions: number): number {
  let next = at;
  for (let left = decisions; left > 0; next += 1) {
    if (((bytes[next] ?? missing()) & 0x81) === 1) left -= 1;
  }
  return next;
}

/** Sets `starts` to the start of every decision's positions, from `at` on, and the end of the last. @throws DamagedBase */
export function findStarts(bytes: Uint8Array, at: number, decisions: number, starts: Uint32Array): void {
  let found = 0;
  starts[0] = at;
  for (let next = at; found < decisions; next += 1) {
    if (((bytes[next] ?? missing()) & 0x81) !== 1) continue;
    found += 1;
    starts[found] = next + 1;
  }
}

/** The start of each group in a part. @throws DamagedBase */
export function groupsOf(part: Uint8Array, decisions: number): Uint32Array {
  const groups = new Uint32Array(Math.ceil(decisions / GROUP_SIZE));
  const reader = new ByteReader(part);
  for (let at = 1, start = 0; at < groups.length; at += 1) {
    start += reader.varint();
    groups[at] = start;
  }
  for (let at = 0; at < groups.length; at += 1) groups[at] = (groups[at] ?? missing()) + reader.at;
  return groups;
}
