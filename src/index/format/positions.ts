import { INDEXED_FIELDS } from './bm25f.ts';
import { ByteReader, type ByteWriter } from './bytes.ts';
import { DamagedBase } from './seal.ts';

/**
 * Where a word stands in a decision, as bytes. One place is a number: its column's times `COLUMN_SPAN`, and the words
 * that come before it in that column. A decision's positions ascend; each is a varint of `2 · code + last`, where `last` is
 * 1 in the last of them alone, and `code` is
 * - below the number of columns: no place, but the column in which those that follow stand (column 0 until then);
 * - else that number plus the words between this place and the one before it in the column.
 * So the last byte of a decision's positions is the only one in it without its top bit and with its lowest bit set.
 */
export const COLUMN_SPAN = 2 ** 28;
const SWITCHES = INDEXED_FIELDS.length;

/** Decisions of a list from which its positions are kept apart from it, and in one part of these. */
export const INLINE_MAX = 128;
export const PART_SIZE = 512;
/** Decisions of a part that are reached without going through those before them. */
export const GROUP_SIZE = 64;

/** Appends the positions of one decision. @param positions in `order`, from one index up to another, ascending. */
export function writePositions(
  to: ByteWriter,
  positions: Uint32Array | Int32Array,
  from: number,
  end: number,
): void {
  let column = 0;
  let previous = -1;
  for (let at = from; at < end; at += 1) {
    const place = positions[at] ?? 0;
    const here = place >>> 28;
    if (here !== column) {
      to.byte(2 * here);
      column = here;
      previous = -1;
    }
    const word = place & (COLUMN_SPAN - 1);
    const last = at === end - 1 ? 1 : 0;
    to.varint(2 * (word - previous - 1 + SWITCHES) + last);
    previous = word;
  }
}

/** Positions of one word in one decision, or of more; memory that is used again. */
export class Positions {
  values = new Int32Array(64);
  count = 0;

  push(place: number): void {
    if (this.count === this.values.length) {
      this.values = new Int32Array(this.values.buffer.transfer(this.values.byteLength * 2));
    }
    this.values[this.count] = place;
    this.count += 1;
  }
}

/**
 * Adds the positions of the decision whose bytes begin at `at`, those in the columns of the mask (bit `n` for column `n`).
 * @throws DamagedBase
 */
export function readPositions(bytes: Uint8Array, at: number, columns: number, into: Positions): void {
  let place = -1;
  let isWanted = (columns & 1) !== 0;
  for (let next = at; ;) {
    let byte = bytes[next++];
    let value = (byte ?? 0) & 0x7f;
    while (byte !== undefined && byte >= 0x80) {
      byte = bytes[next++];
      value = value * 128 + ((byte ?? 0) & 0x7f);
    }
    if (byte === undefined) throw new DamagedBase('positions end before their last');
    const code = value >>> 1;
    if (code < SWITCHES) {
      place = code * COLUMN_SPAN - 1;
      isWanted = ((columns >>> code) & 1) !== 0;
    } else {
      place += code - SWITCHES + 1;
      if (isWanted) into.push(place);
    }
    if ((value & 1) === 1) return;
  }
}

/** Where the positions end of so many decisions whose bytes begin at `at`. */
export function skipPositions(bytes: Uint8Array, at: number, decisions: number): number {
  let next = at;
  for (let left = decisions; left > 0; next += 1) {
    if (next >= bytes.length) throw new DamagedBase('positions end before their last');
    if (((bytes[next] ?? 0) & 0x81) === 1) left -= 1;
  }
  return next;
}

/** Where the positions of each of so many decisions begin; the first are those at `at`. @throws DamagedBase */
export function findStarts(bytes: Uint8Array, at: number, decisions: number, starts: Uint32Array): void {
  let found = 0;
  starts[0] = at;
  for (let next = at; found < decisions; next += 1) {
    if (next >= bytes.length) throw new DamagedBase('positions end before their last');
    if (((bytes[next] ?? 0) & 0x81) !== 1) continue;
    found += 1;
    starts[found] = next + 1;
  }
}

/** Writes one part: the bytes of each group but the last, as varints, and then those of all its decisions. */
export function writePart(to: ByteWriter, positions: Uint8Array, from: number, decisions: number): number {
  let start = from;
  let left = decisions;
  for (; left > GROUP_SIZE; left -= GROUP_SIZE) {
    const end = skipPositions(positions, start, GROUP_SIZE);
    to.varint(end - start);
    start = end;
  }
  const end = skipPositions(positions, start, left);
  to.copy(positions, from, end);
  return end;
}

/** Where in a part of so many decisions the bytes of each group begin; the first are those of all. */
export function groupsOf(part: Uint8Array, decisions: number): Uint32Array {
  const groups = new Uint32Array(Math.ceil(decisions / GROUP_SIZE));
  const reader = new ByteReader(part);
  for (let at = 1; at < groups.length; at += 1) groups[at] = (groups[at - 1] ?? 0) + reader.varint();
  for (let at = 0; at < groups.length; at += 1) groups[at] = (groups[at] ?? 0) + reader.at;
  return groups;
}
