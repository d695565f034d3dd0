import type Database from 'better-sqlite3';
import { crc32 } from 'node:zlib';

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
  | 'replaced';

export const SEAL_BYTES = 4;

/** A part of a base file that was changed or is missing. The message is for the log. */
export class DamagedBase extends Error {}

/** The checksum (CRC-32) of a row with its table and key. */
function sumOf(table: SealedTable, key: number, content: Uint8Array): number {
  return crc32(content, crc32(`${table} ${key} `));
}

/** Writes the checksum into the last four bytes of a row. */
export function sealInPlace(table: SealedTable, key: number, row: Uint8Array): Uint8Array {
  const end = row.length - SEAL_BYTES;
  const sum = sumOf(table, key, row.subarray(0, end));
  for (let at = 0; at < SEAL_BYTES; at += 1) row[end + at] = sum >>> (8 * at);
  return row;
}

export function seal(table: SealedTable, key: number, content: Uint8Array): Uint8Array {
  const row = new Uint8Array(content.length + SEAL_BYTES);
  row.set(content);
  return sealInPlace(table, key, row);
}

/** The content of a row, in place. @throws DamagedBase */
export function unseal(table: SealedTable, key: number, row: Uint8Array | undefined): Uint8Array {
  if (row === undefined) throw new DamagedBase(`${table} ${key} is missing`);
  const end = row.length - SEAL_BYTES;
  if (end >= 0) {
    const content = row.subarray(0, end);
    const sum =
      (row[end] ?? 0) |
      ((row[end + 1] ?? 0) << 8) |
      ((row[end + 2] ?? 0) << 16) |
      ((row[end + 3] ?? 0) << 24);
    if (sum >>> 0 === sumOf(table, key, content)) return content;
  }
  throw new DamagedBase(`${table} ${key} is damaged`);
}

/** The content of a row. @throws DamagedBase, also if it is missing. */
export type RowOf = (table: SealedTable, key: number) => Uint8Array;

/** Reads rows; the statement of each table is prepared once. */
export function rowsOf(db: Pick<Database.Database, 'prepare'>): RowOf {
  const prepared = new Map<SealedTable, Database.Statement<[number], Buffer>>();
  return (table, key) => {
    let find = prepared.get(table);
    if (find === undefined) {
      find = db.prepare<[number], Buffer>(`SELECT data FROM ${table} WHERE id = ?`).pluck();
      prepared.set(table, find);
    }
    return unseal(table, key, find.get(key));
  };
}
