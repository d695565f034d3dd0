import type Database from 'better-sqlite3';
import { crc32 } from 'node:zlib';
import { once } from './known.ts';

/** Tables whose rows end with a checksum. */
export type SealedTable =
  | 'doc_values'
  | 'dictionary'
  | 'record'
  | 'frame'
  | 'state'
  | 'postings'
  | 'terms'
  | 'positions'
  | 'item'
  | 'term_vectors'
  | 'replaced'
  | 'withdrawn'
  | 'commits';

const SEAL_BYTES = 4;

/** A part of a base file that was changed or is missing. The message is for the log. */
export class DamagedBase extends Error {}

/** A row's checksum (CRC-32), which includes the table and the key. */
function sumOf(table: SealedTable, key: number, content: Uint8Array): number {
  return crc32(content, crc32(`${table} ${key} `));
}

/** @throws DamagedBase */
export function u32At(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length) throw new DamagedBase('a row ends before its content does');
  // All four are there, by the check above.
  const high = (bytes[at + 3] ?? 0) * 0x100_0000;
  return (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 0x100 + (bytes[at + 2] ?? 0) * 0x1_0000 + high;
}

export function putU32(bytes: Uint8Array, at: number, value: number): void {
  for (let byte = 0; byte < 4; byte += 1) bytes[at + byte] = value >>> (8 * byte);
}

/** A copy with a checksum at the end. (A copy takes less time than the first view of an array.) */
export function seal(table: SealedTable, key: number, content: Uint8Array): Uint8Array {
  const row = new Uint8Array(content.length + SEAL_BYTES);
  row.set(content);
  putU32(row, content.length, sumOf(table, key, content));
  return row;
}

/** A row's content, as a view. @throws DamagedBase */
export function unseal(table: SealedTable, key: number, row: Uint8Array | undefined): Uint8Array {
  if (row === undefined) throw new DamagedBase(`${table} ${key} is missing`);
  const end = row.length - SEAL_BYTES;
  const content = row.subarray(0, Math.max(0, end));
  if (end < 0 || u32At(row, end) !== sumOf(table, key, content))
    throw new DamagedBase(`${table} ${key} is damaged`);
  return content;
}

/** The content of a row. @throws DamagedBase, also if it is missing. */
export type RowOf = (table: SealedTable, key: number) => Uint8Array;

/** Reads rows. */
export function rowsOf(db: Pick<Database.Database, 'prepare'>): RowOf {
  const select = selectOf(db);
  return (table, key) => unseal(table, key, select(table).get(key));
}

/** Each table's statement for a row as stored, prepared once. */
export function selectOf(db: Pick<Database.Database, 'prepare'>) {
  return once((table: SealedTable) =>
    db.prepare<[number], Buffer>(`SELECT data FROM ${table} WHERE id = ?`).pluck(),
  );
}
