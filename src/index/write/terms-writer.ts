import type Database from 'better-sqlite3';
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
  writeName,
  type Entry,
  type TermsRow,
} from '../format/terms.ts';
import { seal } from '../format/seal.ts';

/** @returns what becomes of the entry of a name, which is null where there is none; null leaves it as it is. */
export type Change = (at: number, found: Entry | null) => Entry | null;

const NO_NAME = new Uint8Array(0);
/** About what a name's entry takes beside the name. */
const ENTRY_BYTES = 10;

/** Changes the term dictionary: each row in which there is a name to change is read once and written once. */
export class TermsWriter {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(db: Database.Database) {
    this.#sql = prepare(db);
  }

  /** @param names ascending, each once. @throws DamagedBase */
  change(names: readonly Uint8Array[], change: Change): void {
    for (let from = 0; from < names.length;) from = this.#changeRow(names, from, change);
  }

  /** Changes the row in which a name is or would be, with all the names that it takes. @returns the first it does not. */
  #changeRow(names: readonly Uint8Array[], from: number, change: Change): number {
    const name = names[from] ?? NO_NAME;
    const found = this.#sql.find.get(name);
    const row = found === undefined ? new RowReader(new Uint8Array(2)) : openRow(found, name);
    let end = from + 1;
    while (end < names.length && isBelow(names[end] ?? NO_NAME, row.next)) end += 1;
    const rows = new RowsWriter(row, names, from, end);
    rows.merge(change);
    if (rows.isChanged) this.#write(found?.id ?? null, rows.parts(), row.next);
    return end;
  }

  #write(id: number | null, parts: readonly Part[], next: Uint8Array | null): void {
    for (const [at, { first, entries }] of parts.entries()) {
      const content = rowOf(first, parts[at + 1]?.first ?? next, entries).result();
      const place = at === 0 && id !== null ? id : (this.#sql.last.get() ?? 0) + 1;
      this.#sql.put.run(place, first, seal('terms', place, content));
    }
  }
}

interface Part {
  readonly first: Uint8Array;
  readonly entries: ByteWriter;
}

/** Merges names into a row, whose entries are copied as they are as far as they can be. */
class RowsWriter {
  readonly #row: RowReader;
  readonly #names: readonly Uint8Array[];
  readonly #end: number;
  readonly #partBytes: number;
  readonly #parts: Part[] = [];
  #at: number;
  #out = new ByteWriter(ROW_BYTES_MAX);
  /** The name written last. */
  #name = new Uint8Array(64);
  #length = 0;
  /** True where that is the name before the one at hand in the row too, whose bytes then need no change. */
  #isInStep = true;
  isChanged = false;

  constructor(row: RowReader, names: readonly Uint8Array[], from: number, end: number) {
    this.#row = row;
    this.#names = names;
    this.#at = from;
    this.#end = end;
    let most = row.reader.bytes.length;
    for (let at = from; at < end; at += 1) most += (names[at]?.length ?? 0) + ENTRY_BYTES;
    this.#partBytes = Math.ceil(most / Math.ceil(most / ROW_BYTES_MAX));
    // The very first row begins before every name.
    this.#parts.push({ first: row.first, entries: this.#out });
  }

  merge(change: Change): void {
    const row = this.#row;
    while (row.advance()) {
      let order = -1;
      while (this.#at < this.#end) {
        const name = this.#names[this.#at] ?? NO_NAME;
        order = compareNames(row.name, row.length, name);
        if (order <= 0) break;
        this.#insert(name, change(this.#at, null));
        this.#at += 1;
      }
      if (order === 0 && this.#at < this.#end) {
        this.#replace(change);
        this.#at += 1;
      } else {
        row.skip();
        this.#keep();
      }
    }
    for (; this.#at < this.#end; this.#at += 1) {
      this.#insert(this.#names[this.#at] ?? NO_NAME, change(this.#at, null));
    }
  }

  parts(): readonly Part[] {
    return this.#parts;
  }

  #insert(name: Uint8Array, entry: Entry | null): void {
    if (entry === null) return;
    this.isChanged = true;
    this.#partIfFull(name, name.length);
    writeEntry(this.#out, this.#name.subarray(0, this.#length), name, entry);
    this.#setName(name, name.length, 0);
    this.#isInStep = false;
  }

  #replace(change: Change): void {
    const row = this.#row;
    const entry = change(this.#at, row.entry());
    if (entry === null) {
      this.#keep();
      return;
    }
    this.isChanged = true;
    const name = row.name.slice(0, row.length);
    this.#partIfFull(name, name.length);
    writeEntry(this.#out, this.#name.subarray(0, this.#length), name, entry);
    this.#setName(name, name.length, 0);
    this.#isInStep = true;
  }

  /** Copies the entry at hand, which was gone through. */
  #keep(): void {
    const { name, length, shared, start, reader } = this.#row;
    this.#partIfFull(name, length);
    if (this.#isInStep) {
      this.#out.copy(reader.bytes, start, reader.at);
      this.#setName(name, length, shared);
      return;
    }
    writeName(this.#out, this.#name, this.#length, name, length);
    this.#out.copy(reader.bytes, this.#entryStart(), reader.at);
    this.#setName(name, length, 0);
    this.#isInStep = true;
  }

  /** Where the entry at hand begins after its name. */
  #entryStart(): number {
    const { reader, start } = this.#row;
    const end = reader.at;
    reader.at = start;
    reader.varint();
    reader.take(reader.varint());
    const from = reader.at;
    reader.at = end;
    return from;
  }

  #partIfFull(name: Uint8Array, length: number): void {
    if (this.#out.length < this.#partBytes) return;
    this.#out = new ByteWriter(ROW_BYTES_MAX);
    this.#parts.push({ first: name.slice(0, length), entries: this.#out });
    this.#length = 0;
    this.#isInStep = false;
  }

  /** @param same how many bytes at the beginning are those of the name before already. */
  #setName(name: Uint8Array, length: number, same: number): void {
    while (length > this.#name.length)
      this.#name = new Uint8Array(this.#name.buffer.transfer(this.#name.length * 2));
    for (let at = same; at < length; at += 1) this.#name[at] = name[at] ?? 0;
    this.#length = length;
  }
}

function prepare(db: Database.Database) {
  return {
    find: db.prepare<[Uint8Array], TermsRow>(ROW_SQL),
    last: db.prepare<[], number | null>('SELECT max(id) FROM terms').pluck(),
    put: db.prepare('INSERT OR REPLACE INTO terms (id, first_term, data) VALUES (?, ?, ?)'),
  };
}
