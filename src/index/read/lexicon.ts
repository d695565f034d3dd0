import { RowReader, compareNames, type Entry, type Named } from '../format/lexicon.ts';
import { DamagedBase, unseal } from '../format/seal.ts';
import type { Connection } from './connection.ts';

interface Row {
  readonly linha: number;
  readonly dados: Buffer;
}

const ROW_SQL = 'SELECT linha, dados FROM lexico WHERE primeiro <= ? ORDER BY primeiro DESC LIMIT 1';
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
  const found = connection.statement<Row>(ROW_SQL).get(name);
  if (found === undefined) throw new DamagedBase('the first row of lexico is missing');
  const row = new RowReader(unseal('lexico', found.linha, found.dados));
  const isBefore = compareNames(row.first, row.first.length, name) > 0;
  const isAfter = row.next !== null && compareNames(row.next, row.next.length, name) <= 0;
  if (isBefore || isAfter) throw new DamagedBase('a row of lexico is missing');
  return row;
}

function startsWith(name: Uint8Array, length: number, start: Uint8Array): boolean {
  if (length < start.length) return false;
  for (let at = 0; at < start.length; at += 1) if (name[at] !== start[at]) return false;
  return true;
}
