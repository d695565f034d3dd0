import type Database from 'better-sqlite3';
import { unseal } from '../format/seal.ts';

/** A row of `source_keys`. */
export interface SourceKey {
  readonly court: number;
  readonly key: string;
  readonly docId: number;
  readonly digest: Uint8Array;
}

const KEYS_SQL = 'SELECT court, key, doc_id AS docId, digest FROM source_keys';
/** No index has the numbers: this reads them all. */
const OF_IDS_SQL = `${KEYS_SQL} WHERE doc_id IN (SELECT value FROM json_each(?)) ORDER BY doc_id`;
const OF_KEY_SQL = `${KEYS_SQL} WHERE key = ? ORDER BY doc_id`;

/** The keys of decisions; a withdrawn decision has none. */
export function keysOf(db: Database.Database, docIds: readonly number[]): SourceKey[] {
  return db.prepare<[string], SourceKey>(OF_IDS_SQL).all(JSON.stringify(docIds));
}

/** The decisions with a key, one of each court at most. */
export function idsOfKey(db: Database.Database, key: string): number[] {
  return db
    .prepare<[string], SourceKey>(OF_KEY_SQL)
    .all(key)
    .map(({ docId }) => docId);
}

/** The numbers of withdrawn decisions, by the hash of a key that may not come again, in hexadecimal. @throws DamagedBase */
export function barredKeys(db: Database.Database): ReadonlyMap<string, number> {
  const barred = new Map<string, number>();
  type Row = { id: number; data: Buffer };
  for (const { id, data } of db.prepare<[], Row>('SELECT id, data FROM withdrawn').iterate()) {
    const hash = Buffer.from(unseal('withdrawn', id, data)).toString('hex');
    if (hash !== '') barred.set(hash, id);
  }
  return barred;
}
