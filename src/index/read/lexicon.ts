import {
  ROW_SQL,
  compareNames,
  openRow,
  type Entry,
  type LexiconRow,
  type Named,
  type RowReader,
} from '../format/lexicon.ts';
import { DamagedBase } from '../format/seal.ts';
import type { Connection } from './connection.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The list of this name; null where the base has none. @throws DamagedBase */
export function findList(connection: Connection, name: string, lists: number): Entry | null {
  const bytes = encoder.encode(name);
  const row = rowOf(connection, bytes, lists);
  while (row?.advance() === true) {
    if (row.length === bytes.length && compareNames(row.name, row.length, bytes) === 0) return row.entry();
    row.skip();
  }
  return null;
}

/** Every list of the base, in the order of the dictionary. @throws DamagedBase */
export function* eachList(connection: Connection, lists: number): Generator<Named> {
  for (let row = rowOf(connection, new Uint8Array(0), lists); row !== null;) {
    while (row.advance()) {
      const name = decoder.decode(row.name.subarray(0, row.length));
      yield { ...row.entry(), name };
    }
    row = row.next === null ? null : rowOf(connection, row.next, lists);
  }
}

/** The words that begin so. @throws DamagedBase */
export function wordsWith(connection: Connection, prefix: string, lists: number): Entry[] {
  const words: Entry[] = [];
  const bytes = encoder.encode(prefix);
  for (let row = rowOf(connection, bytes, lists); row !== null;) {
    while (row.advance()) {
      const begins = startsWith(row.name, row.length, bytes);
      if (!begins && compareNames(row.name, row.length, bytes) > 0) return words;
      if (begins) words.push(row.entry());
      else row.skip();
    }
    row = row.next === null ? null : rowOf(connection, row.next, lists);
    connection.budget.check();
  }
  return words;
}

/** The row in which a name is if it is anywhere; null in a base without any. */
function rowOf(connection: Connection, name: Uint8Array, lists: number): RowReader | null {
  if (lists === 0) return null;
  const found = connection.statement<LexiconRow>(ROW_SQL).get(name);
  if (found === undefined) throw new DamagedBase('the first row of lexico is missing');
  return openRow(found, name);
}

function startsWith(name: Uint8Array, length: number, start: Uint8Array): boolean {
  if (length < start.length) return false;
  for (let at = 0; at < start.length; at += 1) if (name[at] !== start[at]) return false;
  return true;
}
