import { crc32 } from 'node:zlib';
import { seal, unseal } from './seal.ts';

/** How far everything in a base file goes: the one row of `state`, as JSON text. Who knows it knows what must be there. */
export interface State {
  /** Raised by each transaction that changes anything. */
  readonly generation: number;
  /** The highest doc id; doc ids begin with 1 and have no gaps. */
  readonly docs: number;
  /** The highest term id; each has a name in the dictionary. */
  readonly terms: number;
  /** Rows of `replaced`: the first one that is kept, and the one that comes next. */
  readonly replaced: readonly [number, number];
  /** The checksums of all rows of `source_keys`, each with each by exclusive or. */
  readonly sourceKeys: number;
}

const KEY = 1;
const NEW: State = { generation: 0, docs: 0, terms: 0, replaced: [1, 1], sourceKeys: 0 };

export const NEW_STATE_ROW = writeState(NEW);
export const READ_STATE_SQL = `SELECT data FROM state WHERE id = ${KEY}`;
export const WRITE_STATE_SQL = `INSERT OR REPLACE INTO state (id, data) VALUES (${KEY}, ?)`;

/** @throws DamagedBase */
export function readState(row: Uint8Array | undefined): State {
  const text = Buffer.from(unseal('state', KEY, row)).toString();
  // A row whose checksum is right is one that `writeState` has made.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as State;
}

export function writeState(state: State): Uint8Array {
  return seal('state', KEY, Buffer.from(JSON.stringify(state)));
}

/** The checksum of one row of `source_keys`. */
export function sourceKeySum(court: number, key: string, docId: number, digest: Uint8Array): number {
  return crc32(digest, crc32(`${court} ${key} ${docId} `));
}
