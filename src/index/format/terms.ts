import { ByteReader, ByteWriter, VARINT_BYTES_MAX } from './bytes.ts';
import { skipPositions } from './positions.ts';
import { BLOCK_SIZE } from './schema.ts';
import { DamagedBase, unseal } from './seal.ts';

/**
 * The term dictionary. A term's name is its word in UTF-8. Names ascend by their bytes. Each row of `terms` holds the names
 * from its own first name up to the first name of the next row, so one row alone shows that a name is missing.
 *
 * A row: its first name and the next row's, each after its length (varint); of the next one, one more than its length,
 * and 0 where there is none. Then each name: how many bytes it begins with of the name before it, how many follow, and
 * these; the term id; and where the posting list is.
 */
export interface Entry {
  /** The term id. */
  readonly id: number;
  /** The list's rows, ascending: the first block of each, and over how many blocks it goes. */
  readonly rows: readonly number[];
  /** Of a list of one decision, which then has no row at all. */
  readonly single: Single | null;
}

/** A term as the dictionary has it. */
export interface Named extends Entry {
  readonly name: string;
}

export interface Single {
  readonly docId: number;
  readonly impact: number;
  readonly positions: Uint8Array;
}

/** Above this a row is parted. Two fit a page. */
export const ROW_BYTES_MAX = 4_000;
const IS_SINGLE = 0;

/** Less than 0, 0, or more, as one name comes before another, is it, or comes after it. */
export function compareNames(one: Uint8Array, oneLength: number, other: Uint8Array): number {
  const length = Math.min(oneLength, other.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return oneLength - other.length;
}

/** The row in which a name is if it is anywhere. */
export const ROW_SQL = 'SELECT id, data FROM terms WHERE first_term <= ? ORDER BY first_term DESC LIMIT 1';

export interface TermsRow {
  readonly id: number;
  readonly data: Uint8Array;
}

/** @param name which the row must hold if it is anywhere. @throws DamagedBase */
export function openRow({ id, data }: TermsRow, name: Uint8Array): RowReader {
  const row = new RowReader(unseal('terms', id, data));
  const isBefore = compareNames(row.first, row.first.length, name) > 0;
  if (isBefore || !isBelow(name, row.next)) throw new DamagedBase('a row of terms is missing');
  return row;
}

/** @param next the first name of the next row; null where there is none. */
export function isBelow(name: Uint8Array, next: Uint8Array | null): boolean {
  return next === null || compareNames(name, name.length, next) < 0;
}

/** Goes through the names of a row. */
export class RowReader {
  readonly reader: ByteReader;
  readonly first: Uint8Array;
  /** The first name of the next row; null where there is none. */
  readonly next: Uint8Array | null;
  /** The name that is read: the first `length` of it. */
  name = new Uint8Array(64);
  length = 0;
  /** Where the entry begins in the row, and how much of the name before it its name shares. */
  start = 0;
  shared = 0;

  constructor(content: Uint8Array) {
    this.reader = new ByteReader(content);
    this.first = this.reader.take(this.reader.varint());
    const next = this.reader.varint();
    this.next = next === 0 ? null : this.reader.take(next - 1);
  }

  /** Goes on to the next name, whose entry must then be read or skipped. @returns false where there is none. */
  advance(): boolean {
    const { reader } = this;
    if (reader.at >= reader.bytes.length) return false;
    this.start = reader.at;
    this.shared = reader.varint();
    const more = reader.varint();
    this.length = this.shared + more;
    while (this.length > this.name.length) {
      this.name = new Uint8Array(this.name.buffer.transfer(this.name.length * 2));
    }
    const { bytes, at } = reader;
    for (let next = 0; next < more; next += 1) this.name[this.shared + next] = bytes[at + next] ?? 0;
    reader.at += more;
    return true;
  }

  entry(): Entry {
    const { reader } = this;
    const id = reader.varint();
    const kind = reader.varint();
    if (kind === IS_SINGLE) {
      const docId = reader.varint();
      const impact = reader.byte();
      const end = skipPositions(reader.bytes, reader.at, 1);
      const positions = reader.take(end - reader.at);
      return { id, rows: [], single: { docId, impact, positions } };
    }
    const rows: number[] = [];
    let block = 0;
    for (let left = kind - 1; left > 0; left -= 1) {
      block += reader.varint();
      const length = reader.varint();
      rows.push(block, length);
      block += length;
    }
    return { id, rows, single: null };
  }

  skip(): void {
    const { reader } = this;
    reader.varint();
    const kind = reader.varint();
    if (kind === IS_SINGLE) {
      reader.varint();
      reader.at += 1;
      reader.at = skipPositions(reader.bytes, reader.at, 1);
      return;
    }
    for (let left = 2 * (kind - 1); left > 0; left -= 1) reader.varint();
  }
}

/** Appends a name with its entry. @param before the name before it; nothing for the first of a row. */
export function writeEntry(to: ByteWriter, before: Uint8Array, name: Uint8Array, entry: Entry): void {
  writeName(to, before, before.length, name, name.length);
  const { id, rows, single } = entry;
  to.varint(id);
  if (single !== null) {
    to.varint(IS_SINGLE);
    to.varint(single.docId);
    to.byte(single.impact);
    to.copy(single.positions, 0, single.positions.length);
    return;
  }
  to.varint(rows.length / 2 + 1);
  let block = 0;
  for (let at = 0; at < rows.length; at += 2) {
    const [from = 0, length = 0] = [rows[at], rows[at + 1]];
    to.varint(from - block);
    to.varint(length);
    block = from + length;
  }
}

export function writeName(
  to: ByteWriter,
  before: Uint8Array,
  beforeLength: number,
  name: Uint8Array,
  length: number,
): void {
  let shared = 0;
  while (shared < beforeLength && shared < length && before[shared] === name[shared]) shared += 1;
  to.varint(shared);
  to.varint(length - shared);
  to.copy(name, shared, length);
}

/** The content of a row, from its names as `writeEntry` writes them. */
export function rowOf(first: Uint8Array, next: Uint8Array | null, entries: ByteWriter): ByteWriter {
  const row = new ByteWriter(entries.length + first.length + (next?.length ?? 0) + 2 * VARINT_BYTES_MAX);
  row.varint(first.length);
  row.copy(first, 0, first.length);
  row.varint(next === null ? 0 : next.length + 1);
  if (next !== null) row.copy(next, 0, next.length);
  row.copy(entries.bytes, 0, entries.length);
  return row;
}

/** The first block of the row in which a list's part of a block is if it has one; -1 if no row goes over that block. */
export function rowOver({ rows }: Pick<Entry, 'rows'>, block: number): number {
  for (let at = 0; at < rows.length; at += 2) {
    const from = rows[at] ?? 0;
    if (block < from) return -1;
    if (block < from + (rows[at + 1] ?? 0)) return from;
  }
  return -1;
}

/** Whether any decision of a block may stand in a list. */
export function hasBlock(entry: Entry, block: number): boolean {
  if (entry.single !== null) return Math.floor(entry.single.docId / BLOCK_SIZE) === block;
  return rowOver(entry, block) >= 0;
}

/** The rows with one more, of a block over which none of them goes. */
export function withRow(rows: readonly number[], block: number): number[] {
  let at = rows.length;
  while (at > 0 && (rows[at - 2] ?? 0) > block) at -= 2;
  return rows.toSpliced(at, 0, block, 1);
}
