import { ByteReader, ByteWriter, VARINT_BYTES_MAX } from './bytes.ts';
import { skipPlaces } from './places.ts';
import { BLOCK_SIZE } from './schema.ts';
import { DamagedBase, unseal } from './seal.ts';

/**
 * The term dictionary. The name of a list is its word in UTF-8. Names ascend by their bytes. Each row of `lexico` holds
 * the names from its own first name up to the first name of the next row, so one row alone shows that a name is missing.
 *
 * A row: its first name and the next row's, each after its length (varint); of the next one, one more than its length,
 * and 0 where there is none. Then each name: how many bytes it begins with of the name before it, how many follow, and
 * these; its list's id; and where the list is.
 */
export interface Entry {
  readonly id: number;
  /** In which blocks the list has a row: the first one of each run, and how many, ascending. */
  readonly runs: readonly number[];
  /** Of a list of one decision, which then has no row at all. */
  readonly single: Single | null;
}

/** A list as the dictionary has it. */
export interface Named extends Entry {
  readonly name: string;
}

export interface Single {
  readonly numero: number;
  readonly impact: number;
  readonly places: Uint8Array;
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
export const ROW_SQL = 'SELECT linha, dados FROM lexico WHERE primeiro <= ? ORDER BY primeiro DESC LIMIT 1';

export interface LexiconRow {
  readonly linha: number;
  readonly dados: Uint8Array;
}

/** @param name which the row must hold if it is anywhere. @throws DamagedBase */
export function openRow({ linha, dados }: LexiconRow, name: Uint8Array): RowReader {
  const row = new RowReader(unseal('lexico', linha, dados));
  const isBefore = compareNames(row.first, row.first.length, name) > 0;
  if (isBefore || !isBelow(name, row.next)) throw new DamagedBase('a row of lexico is missing');
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
  /** The name at hand: the first `length` of it. */
  name = new Uint8Array(64);
  length = 0;
  /** Where the entry at hand begins in the row, and how much of the name before it its name shares. */
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
      const numero = reader.varint();
      const impact = reader.byte();
      const end = skipPlaces(reader.bytes, reader.at, 1);
      const places = reader.take(end - reader.at);
      return { id, runs: [], single: { numero, impact, places } };
    }
    const runs: number[] = [];
    let block = 0;
    for (let left = kind - 1; left > 0; left -= 1) {
      block += reader.varint();
      const length = reader.varint();
      runs.push(block, length);
      block += length;
    }
    return { id, runs, single: null };
  }

  skip(): void {
    const { reader } = this;
    reader.varint();
    const kind = reader.varint();
    if (kind === IS_SINGLE) {
      reader.varint();
      reader.at += 1;
      reader.at = skipPlaces(reader.bytes, reader.at, 1);
      return;
    }
    for (let left = 2 * (kind - 1); left > 0; left -= 1) reader.varint();
  }
}

/** Appends a name with its entry. @param before the name before it; nothing for the first of a row. */
export function writeEntry(to: ByteWriter, before: Uint8Array, name: Uint8Array, entry: Entry): void {
  writeName(to, before, before.length, name, name.length);
  const { id, runs, single } = entry;
  to.varint(id);
  if (single !== null) {
    to.varint(IS_SINGLE);
    to.varint(single.numero);
    to.byte(single.impact);
    to.copy(single.places, 0, single.places.length);
    return;
  }
  to.varint(runs.length / 2 + 1);
  let block = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const [from = 0, length = 0] = [runs[at], runs[at + 1]];
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

/** Whether any decision of a block may stand in a list. */
export function hasBlock({ runs, single }: Entry, block: number): boolean {
  if (single !== null) return Math.floor(single.numero / BLOCK_SIZE) === block;
  for (let at = 0; at < runs.length; at += 2) {
    const from = runs[at] ?? 0;
    if (block < from) return false;
    if (block < from + (runs[at + 1] ?? 0)) return true;
  }
  return false;
}

/** The runs with another block; most often one after them all. */
export function withBlock(runs: readonly number[], block: number): number[] {
  const end = runs.length === 0 ? -1 : (runs.at(-2) ?? 0) + (runs.at(-1) ?? 0);
  if (block === end) return [...runs.slice(0, -1), (runs.at(-1) ?? 0) + 1];
  if (block > end) return [...runs, block, 1];
  const blocks = new Set([block]);
  for (let at = 0; at < runs.length; at += 2) {
    const from = runs[at] ?? 0;
    for (let one = from; one < from + (runs[at + 1] ?? 0); one += 1) blocks.add(one);
  }
  const made: number[] = [];
  for (const one of [...blocks].toSorted((a, b) => a - b)) {
    const last = made.length - 1;
    if (last > 0 && one === (made[last - 1] ?? 0) + (made[last] ?? 0)) made[last] = (made[last] ?? 0) + 1;
    else made.push(one, 1);
  }
  return made;
}
