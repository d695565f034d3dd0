import {
  ROW_SQL,
  compareNames,
  openRow,
  type TermEntry,
  type TermsRow,
  type RowReader,
} from '../format/terms.ts';
import { DamagedBase } from '../format/seal.ts';
import type { Connection } from './connection.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Null if the base lacks it. @throws DamagedBase */
export function findTerm(connection: Connection, name: string, terms: number): TermEntry | null {
  const bytes = encoder.encode(name);
  return rowOf(connection, bytes, terms)?.find(bytes) ?? null;
}

/** Every term of the base, in the order of the dictionary. @throws DamagedBase */
export function* eachTerm(connection: Connection, terms: number): Generator<[name: string, TermEntry]> {
  for (let row = rowOf(connection, new Uint8Array(0), terms); row !== null;) {
    while (row.advance()) {
      yield [decoder.decode(row.name.subarray(0, row.length)), row.entry()];
    }
    row = row.next === null ? null : rowOf(connection, row.next, terms);
  }
}

/** The words with a prefix. @throws DamagedBase */
export function termsWith(connection: Connection, prefix: string, terms: number): TermEntry[] {
  const words: TermEntry[] = [];
  const bytes = encoder.encode(prefix);
  for (let row = rowOf(connection, bytes, terms); row !== null;) {
    while (row.advance()) {
      const begins = startsWith(row.name, row.length, bytes);
      if (!begins && compareNames(row.name, row.length, bytes) > 0) return words;
      if (begins) words.push(row.entry());
      else row.skip();
    }
    row = row.next === null ? null : rowOf(connection, row.next, terms);
    connection.budget.check();
  }
  return words;
}

/** The only row that may have a name; null in a base without terms. */
export function rowOf(connection: Connection, name: Uint8Array, terms: number): RowReader | null {
  if (terms === 0) return null;
  const found = connection.statement<TermsRow>(ROW_SQL).get(name);
  if (found === undefined) throw new DamagedBase('the first row of terms is missing');
  return openRow(found, name);
}

function startsWith(name: Uint8Array, length: number, start: Uint8Array): boolean {
  if (length < start.length) return false;
  for (let at = 0; at < start.length; at += 1) if (name[at] !== start[at]) return false;
  return true;
}
