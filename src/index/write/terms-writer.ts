import type Database from 'better-sqlite3';
import { bug } from '../../bug.ts';
import { ByteWriter } from '../format/bytes.ts';
import {
  ROW_BYTES_MAX,
  ROW_SQL,
  RowReader,
  compareNames,
  isBelow,
  openRow,
  rowOf,
  writeEntry,
  type TermEntry,
  type TermsRow,
} from '../format/terms.ts';
import { DamagedBase, seal, unseal } from '../format/seal.ts';

/** @param found null if the name is new. @returns the new entry; null to change nothing. */
export type Change = (at: number, found: TermEntry | null) => TermEntry | 'removed' | null;

/** Approximate bytes of an entry without its name. */
const ENTRY_BYTES = 10;

/** Changes the term dictionary. Reads and writes each changed row once. */
export class TermsWriter {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(db: Database.Database) {
    this.#sql = prepare(db);
  }

  /** @param names ascending, each once. @throws DamagedBase */
  change(names: readonly Uint8Array[], change: Change): void {
    for (let from = 0; from < names.length;) from = this.#changeRow(names, from, change);
  }

  /** Changes the row for a name, with all following names in that row. @returns the index of the next name. */
  #changeRow(names: readonly Uint8Array[], from: number, change: Change): number {
    const name = names[from] ?? bug('no name');
    const found = this.#sql.find.get(name);
    const row = found === undefined ? new RowReader(new Uint8Array(2)) : openRow(found, name);
    let end = from + 1;
    while (end < names.length && isBelow(names[end] ?? bug('no name'), row.next)) end += 1;
    const writer = new RowsWriter(row, names, from, end);
    writer.merge(change);
    if (writer.isChanged) this.#write(found?.id ?? null, row, writer.newRows());
    return end;
  }

  #write(id: number | null, { first: before, next }: RowReader, rows: readonly NewRow[]): void {
    const [head] = rows;
    if (head === undefined && id !== null) this.#sql.remove.run(id);
    const from = head?.first ?? next;
    if (from === null || Buffer.compare(from, before) !== 0) this.#link(before, from);
    for (const [at, { first, entries }] of rows.entries()) {
      const content = rowOf(first, rows[at + 1]?.first ?? next, entries).result();
      const key = at === 0 && id !== null ? id : (this.#sql.last.get() ?? 0) + 1;
      this.#sql.put.run(key, first, seal('terms', key, content));
    }
  }

  /** Names the next row in the row before the one that began with `first`, whose first names are removed. */
  #link(first: Uint8Array, next: Uint8Array | null): void {
    const found = this.#sql.before.get(first);
    if (found === undefined) throw new DamagedBase('a row of terms is missing');
    const row = new RowReader(unseal('terms', found.id, found.data));
    const { bytes, at } = row.reader;
    const entries = { bytes: bytes.subarray(at), length: bytes.length - at };
    const content = rowOf(row.first, next, entries).result();
    this.#sql.put.run(found.id, row.first, seal('terms', found.id, content));
  }
}

interface NewRow {
  first: Uint8Array;
  readonly entries: ByteWriter;
}

/** Merges names into a row. */
class RowsWriter {
  readonly #row: RowReader;
  readonly #names: readonly Uint8Array[];
  readonly #end: number;
  readonly #rowBytes: number;
  readonly #rows: NewRow[] = [];
  #at: number;
  #out = new ByteWriter(ROW_BYTES_MAX);
  /** The last name written. */
  #name = new Uint8Array(64);
  #length = 0;
  isChanged = false;

  constructor(row: RowReader, names: readonly Uint8Array[], from: number, end: number) {
    this.#row = row;
    this.#names = names;
    this.#at = from;
    this.#end = end;
    let most = row.reader.bytes.length;
    for (const name of names.slice(from, end)) most += name.length + ENTRY_BYTES;
    this.#rowBytes = Math.ceil(most / Math.ceil(most / ROW_BYTES_MAX));
    // The very first row begins before every name.
    this.#rows.push({ first: row.first, entries: this.#out });
  }

  merge(change: Change): void {
    const row = this.#row;
    let isInRow = row.advance();
    while (isInRow || this.#at < this.#end) {
      const name = this.#at < this.#end ? this.#names[this.#at] : undefined;
      const order = name === undefined ? -1 : isInRow ? compareNames(row.name, row.length, name) : 1;
      if (order > 0 && name !== undefined) this.#insert(name, change(this.#at, null));
      else if (order === 0) this.#replace(change);
      else {
        row.skip();
        this.#keep();
      }
      if (order >= 0) this.#at += 1;
      if (order <= 0) isInRow = row.advance();
    }
  }

  /** Without a row that lost all its names; the first row of all stays. */
  newRows(): readonly NewRow[] {
    return this.#rows.filter(({ first, entries }) => first.length === 0 || entries.length > 0);
  }

  #insert(name: Uint8Array, entry: ReturnType<Change>): void {
    if (entry === null || entry === 'removed') return;
    this.isChanged = true;
    this.#writeName(name, name.length);
    writeEntry(this.#out, entry);
  }

  #replace(change: Change): void {
    const entry = change(this.#at, this.#row.entry());
    if (entry === null) this.#keep();
    else if (entry === 'removed') this.isChanged = true;
    else this.#insert(this.#row.name.slice(0, this.#row.length), entry);
  }

  /** Copies the current entry, which was read or skipped. */
  #keep(): void {
    const { name, length, valueAt, reader } = this.#row;
    this.#writeName(name, length);
    this.#out.copy(reader.bytes, valueAt, reader.at);
  }

  #writeName(name: Uint8Array, length: number): void {
    this.#beginRowIfFull(name, length);
    const row = this.#rows.at(-1);
    if (row !== undefined && this.#out.length === 0 && row.first.length > 0)
      row.first = name.slice(0, length);
    let shared = 0;
    while (shared < this.#length && shared < length && this.#name[shared] === name[shared]) shared += 1;
    this.#out.varint(shared);
    this.#out.varint(length - shared);
    this.#out.copy(name, shared, length);
    while (length > this.#name.length)
      this.#name = new Uint8Array(this.#name.buffer.transfer(this.#name.length * 2));
    for (let at = shared; at < length; at += 1) this.#name[at] = name[at] ?? bug('no byte');
    this.#length = length;
  }

  #beginRowIfFull(name: Uint8Array, length: number): void {
    if (this.#out.length < this.#rowBytes) return;
    this.#out = new ByteWriter(ROW_BYTES_MAX);
    this.#rows.push({ first: name.slice(0, length), entries: this.#out });
    this.#length = 0;
  }
}

function prepare(db: Database.Database) {
  return {
    find: db.prepare<[Uint8Array], TermsRow>(ROW_SQL),
    last: db.prepare<[], number | null>('SELECT max(id) FROM terms').pluck(),
    put: db.prepare('INSERT OR REPLACE INTO terms (id, first_term, data) VALUES (?, ?, ?)'),
    before: db.prepare<[Uint8Array], TermsRow>(
      'SELECT id, data FROM terms WHERE first_term < ? ORDER BY first_term DESC LIMIT 1',
    ),
    remove: db.prepare<[number]>('DELETE FROM terms WHERE id = ?'),
  };
}
