import { elementAt, missing } from './element-at.ts';
import { ByteReader, ByteWriter, VARINT_BYTES_MAX } from './bytes.ts';
import { skipPositions } from './positions.ts';
import { BLOCK_SIZE } from './schema.ts';
import { DamagedBase, unseal } from './seal.ts';

/**
 * An entry of the term dictionary. A term's name is its word in UTF-8; names ascend by bytes. A `terms` row has all names from
 * its first up to the next row's first, so a single row shows that a name is missing.
 */
export type TermEntry = SingleEntry | ListEntry;

/** A term in a single decision, whose posting is in the entry. */
export interface SingleEntry {
  readonly kind: 'single';
  /** The term id. */
  readonly id: number;
  readonly docId: number;
  readonly impact: number;
  readonly positions: Uint8Array;
}

export interface ListEntry {
  readonly kind: 'list';
  readonly id: number;
  /** The list's rows, ascending: for each, the first block and the number of blocks. */
  readonly rows: readonly number[];
}

/** A longer row is split. Two fit a page. */
export const ROW_BYTES_MAX = 4_000;
const IS_SINGLE = 0;

/** Negative, 0 or positive if a name is before, equal to or after another. */
export function compareNames(one: Uint8Array, oneLength: number, other: Uint8Array): number {
  const length = Math.min(oneLength, other.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (one[at] ?? missing()) - (other[at] ?? missing());
    if (difference !== 0) return difference;
  }
  return oneLength - other.length;
}

/** The only row that may have a name. */
export const ROW_SQL = 'SELECT id, data FROM terms WHERE first_term <= ? ORDER BY first_term DESC LIMIT 1';

export interface TermsRow {
  readonly id: number;
  readonly data: Uint8Array;
}

/** @param name a name that no other row can have. @throws DamagedBase */
export function openRow({ id, data }: TermsRow, name: Uint8Array): RowReader {
  const row = new RowReader(unseal('terms', id, data));
  const isBefore = compareNames(row.first, row.first.length, name) > 0;
  if (isBefore || !isBelow(name, row.next)) throw new DamagedBase('a row of terms is missing');
  return row;
}

/** @param next the first name of the next row; null if none. */
export function isBelow(name: Uint8Array, next: Uint8Array | null): boolean {
  return next === null || compareNames(name, name.length, next) < 0;
}

/** Reads the names of a row in order. */
export class RowReader {
  readonly reader: ByteReader;
  readonly first: Uint8Array;
  /** The first name of the next row; null if none. */
  readonly next: Uint8Array | null;
  /** The current name: the first `length` bytes. */
  name = new Uint8Array(64);
  length = 0;
  /** Where the name's entry begins in the row. */
  valueAt = 0;
  /** Whether `find` has read a name and not its entry. */
  #isAhead = false;

  constructor(content: Uint8Array) {
    this.reader = new ByteReader(content);
    this.first = this.reader.take(this.reader.varint());
    const next = this.reader.varint();
    this.next = next === 0 ? null : this.reader.take(next - 1);
  }

  /** Reads the next name; then its entry must be read or skipped. @returns false at the end. */
  advance(): boolean {
    const { reader } = this;
    if (reader.at >= reader.bytes.length) return false;
    const shared = reader.varint();
    const more = reader.varint();
    this.length = shared + more;
    while (this.length > this.name.length) {
      this.name = new Uint8Array(this.name.buffer.transfer(this.name.length * 2));
    }
    const { bytes, at } = reader;
    for (let next = 0; next < more; next += 1) this.name[shared + next] = bytes[at + next] ?? missing();
    reader.at += more;
    this.valueAt = reader.at;
    return true;
  }

  /** A name's entry; null if the row lacks it. Names of several calls must ascend. */
  find(name: Uint8Array): TermEntry | null {
    while (this.#isAhead || this.advance()) {
      const order = compareNames(this.name, this.length, name);
      this.#isAhead = order > 0;
      if (order > 0) return null;
      if (order === 0) return this.entry();
      this.skip();
    }
    return null;
  }

  entry(): TermEntry {
    const { reader } = this;
    const id = reader.varint();
    const kind = reader.varint();
    if (kind === IS_SINGLE) {
      const docId = reader.varint();
      const impact = reader.byte();
      const end = skipPositions(reader.bytes, reader.at, 1);
      const positions = reader.take(end - reader.at);
      return { kind: 'single', id, docId, impact, positions };
    }
    const rows: number[] = [];
    let block = 0;
    for (let left = kind - 1; left > 0; left -= 1) {
      block += reader.varint();
      const length = reader.varint();
      rows.push(block, length);
      block += length;
    }
    return { kind: 'list', id, rows };
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

/** Appends an entry; the name must be written before. */
export function writeEntry(to: ByteWriter, entry: TermEntry): void {
  to.varint(entry.id);
  if (entry.kind === 'single') {
    const { docId, impact, positions } = entry;
    to.varint(IS_SINGLE);
    to.varint(docId);
    to.byte(impact);
    to.copy(positions, 0, positions.length);
    return;
  }
  const { rows } = entry;
  to.varint(rows.length / 2 + 1);
  let block = 0;
  for (let at = 0; at < rows.length; at += 2) {
    const [from, length] = [elementAt(rows, at), elementAt(rows, at + 1)];
    to.varint(from - block);
    to.varint(length);
    block = from + length;
  }
}

/** The content of a row. @param entries with their names. */
export function rowOf(
  first: Uint8Array,
  next: Uint8Array | null,
  entries: Readonly<Pick<ByteWriter, 'length'> & { bytes: Uint8Array }>,
): ByteWriter {
  const row = new ByteWriter(entries.length + first.length + (next?.length ?? 0) + 2 * VARINT_BYTES_MAX);
  row.varint(first.length);
  row.copy(first, 0, first.length);
  row.varint(next === null ? 0 : next.length + 1);
  if (next !== null) row.copy(next, 0, next.length);
  row.copy(entries.bytes, 0, entries.length);
  return row;
}

/** The first block of the row that covers a block; -1 if none. @param rows from a `ListEntry`. */
export function rowOver(rows: readonly number[], block: number): number {
  for (let at = 0; at < rows.length; at += 2) {
    const from = elementAt(rows, at);
    if (block < from) return -1;
    if (block < from + elementAt(rows, at + 1)) return from;
  }
  return -1;
}

/** Whether a list may have a decision of a block. */
export function hasBlock(entry: TermEntry, block: number): boolean {
  if (entry.kind === 'single') return Math.floor(entry.docId / BLOCK_SIZE) === block;
  return rowOver(entry.rows, block) >= 0;
}

/** Adds a row for a single block that no other row covers. */
export function withRow(rows: readonly number[], block: number): number[] {
  let at = rows.length;
  while (at > 0 && elementAt(rows, at - 2) > block) at -= 2;
  return rows.toSpliced(at, 0, block, 1);
}
