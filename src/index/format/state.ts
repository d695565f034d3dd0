import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ByteReader, ByteWriter, utf8 } from './bytes.ts';
import { seal, unseal } from './seal.ts';

/** The only row of `state`, as JSON: the extent of all tables, by which a reader notices a missing row. */
export interface State {
  /** Raised by each transaction that changes anything. */
  readonly generation: number;
  /** Of that transaction, random: two files of one generation have the same decisions only if this is the same too. */
  readonly mark: string;
  /** The highest doc id; doc ids begin with 1 and have no gaps, but some decisions are withdrawn. */
  readonly docs: number;
  /** Rows of `withdrawn`, and how many of them name a key that may come again. */
  readonly withdrawn: number;
  readonly readmitted: number;
  /** The highest term id, and how many terms were removed with the last decision that held them. */
  readonly terms: number;
  readonly removedTerms: number;
  /** Ids of `replaced`: the first one kept, and the next to be written. */
  readonly replaced: readonly [number, number];
  /** The exclusive or (XOR) over the checksums in `source_keys`. */
  readonly sourceKeys: number;
}

const KEY = 1;
const MARK_BYTES = 8;
const NEW: State = {
  generation: 0,
  mark: '00000000',
  docs: 0,
  withdrawn: 0,
  readmitted: 0,
  terms: 0,
  removedTerms: 0,
  replaced: [1, 1],
  sourceKeys: 0,
};

export const NEW_STATE_ROW = writeState(NEW);
export const READ_STATE_SQL = `SELECT data FROM state WHERE id = ${KEY}`;
export const WRITE_STATE_SQL = `INSERT OR REPLACE INTO state (id, data) VALUES (${KEY}, ?)`;

/** The data version, `12-9f3a04c1`: the same in every copy of a file, after a restart too, and never that of other data. */
export function versionOf({ generation, mark }: Pick<State, 'generation' | 'mark'>): string {
  return `${generation}-${mark}`;
}

/** A new `mark`: 32 random bits as 8 hexadecimal digits. */
export function newMark(): string {
  return randomBytes(4).toString('hex');
}

/** @throws DamagedBase */
export function readState(row: Uint8Array | undefined): State {
  const text = Buffer.from(unseal('state', KEY, row)).toString();
  // The checksum is right, so `writeState` made it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as State;
}

export function writeState(state: State): Uint8Array {
  return seal('state', KEY, Buffer.from(JSON.stringify(state)));
}

/** The checksum of a `source_keys` row. */
export function sourceKeySum(court: number, key: string, docId: number, digest: Uint8Array): number {
  return crc32(digest, crc32(`${court} ${key} ${docId} `));
}

/** What a `withdrawn` row keeps of a key: it may be known again, and is not stored. */
export function keyHash(court: number, key: string): Buffer {
  return hash('sha256', `${court} ${key}`, 'buffer');
}

/** A `commits` row: what a generation changed. Its new decisions are those above the `docs` of the generation before. */
export interface Commit {
  readonly mark: string;
  readonly docs: number;
  /** Ascending. */
  readonly replaced: readonly number[];
  readonly withdrawn: readonly number[];
}

export function writeCommit({ mark, docs, replaced, withdrawn }: Commit): Uint8Array {
  const row = new ByteWriter(64);
  row.copy(Buffer.from(mark), 0, MARK_BYTES);
  row.varint(docs);
  for (const ids of [replaced, withdrawn]) {
    row.varint(ids.length);
    for (const [at, id] of ids.entries()) row.varint(id - (ids[at - 1] ?? 0));
  }
  return row.result();
}

export function readCommit(content: Uint8Array): Commit {
  const reader = new ByteReader(content);
  const mark = utf8(reader.take(MARK_BYTES));
  const docs = reader.varint();
  const ids = () => {
    let id = 0;
    return Array.from({ length: reader.varint() }, () => (id += reader.varint()));
  };
  return { mark, docs, replaced: ids(), withdrawn: ids() };
}
