import type { Base } from '../../contract/vocabulary.ts';
import { BLOCK_SIZE, DOC_VALUE_NAMES } from '../format/schema.ts';
import { RECORDS_PER_BLOCK, unpackBlock, Unpacker } from '../format/record-block.ts';
import { documentoJson, openFrame, resumoJson } from '../format/record.ts';
import { textOf as utf8 } from '../format/bytes.ts';
import { DamagedBase, unseal } from '../format/seal.ts';
import { READ_STATE_SQL, sourceKeySum, readState, type State } from '../format/state.ts';
import { readVersion, unpackWords } from '../format/term-vector.ts';
import { Connector, snapshotOf, type Connection, type Snapshot } from '../read/connection.ts';
import { docValues } from '../read/filters.ts';
import { checkLists, type Report, type RowsSeen } from './check-lists.ts';

/** What SQLite itself says of a file at the most. */
const SQLITE_LINES_MAX = 20;

/** Reads all of a base file, at one moment of it, and says what is not as it was written. Never throws. */
export function checkBase(file: string, base: Base, report: Report): void {
  const connector = new Connector(file, base);
  try {
    const connection = connector.connection();
    connection.statement('BEGIN').run();
    checkSqlite(connection, report);
    const snapshot = snapshotOf(connection);
    const state = readState(connection.value<Buffer>(READ_STATE_SQL).get());
    for (const check of [checkRecords, checkDocValues, checkSourceKeys, checkWords, checkTerms]) {
      attempt(report, () => {
        check(connection, snapshot, state, report);
      });
    }
  } catch (error) {
    report(textOf(error));
  } finally {
    connector.close();
  }
}

type Check = (connection: Connection, snapshot: Snapshot, state: State, report: Report) => void;

/** @returns what the work does, and nothing where it fails. */
function attempt<Of>(report: Report, work: () => Of): Of | undefined {
  try {
    return work();
  } catch (error) {
    report(textOf(error));
    return undefined;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The pages and indexes of the file, and FTS5's own index. */
function checkSqlite({ value }: Connection, report: Report): void {
  const lines = value<string>(`PRAGMA integrity_check(${SQLITE_LINES_MAX})`).all();
  for (const line of lines) if (line !== 'ok') report(line);
}

/** Reads every row of both tables, and makes the JSON texts of both contract objects. */
const checkRecords: Check = ({ base, value }, { lastDocId }, _, report) => {
  const findRow = value<Buffer>('SELECT data FROM item WHERE id = ?');
  const findBlock = value<Buffer>('SELECT data FROM record WHERE id = ?');
  const frames = sealedRows(value, 'frame', report);
  const dictionaries = sealedRows(value, 'dictionary', report);
  const frameOf = (number: number) => openFrame(base, utf8(needed(frames, 'frame', number)));
  const unpackerOf = (id: number) => new Unpacker(needed(dictionaries, 'dictionary', id));
  const blocks = Math.ceil(lastDocId / RECORDS_PER_BLOCK);
  for (let block = 0; block < blocks; block += 1) {
    const first = block * RECORDS_PER_BLOCK + 1;
    const count = Math.min(RECORDS_PER_BLOCK, lastDocId + 1 - first);
    const rests = attempt(report, () =>
      unpackBlock(unseal('record', block, findBlock.get(block)), unpackerOf),
    );
    if (rests !== undefined && rests.length !== count)
      report(`record ${block} has ${rests.length} records where ${count} belong`);
    for (let docId = first; docId < first + count; docId += 1) {
      const row = attempt(report, () => utf8(unseal('item', docId, findRow.get(docId))));
      const rest = rests?.[docId - first];
      if (row === undefined) continue;
      attempt(report, () => resumoJson(base, docId, row, frameOf));
      if (rest !== undefined) attempt(report, () => documentoJson(base, docId, row, utf8(rest), frameOf));
    }
  }
  for (const [table, belong] of Object.entries({ record: blocks, item: lastDocId })) {
    const count = value<number>(`SELECT count(*) FROM ${table}`).get() ?? 0;
    if (count !== belong) report(`${table} has ${count} rows where ${belong} belong`);
  }
};

/** The contents of a small table by their keys, of those that are sound. */
function sealedRows(
  value: Connection['value'],
  table: 'frame' | 'dictionary',
  report: Report,
): Map<number, Uint8Array> {
  const content = new Map<number, Uint8Array>();
  const find = value<Buffer>(`SELECT data FROM ${table} WHERE id = ?`);
  const last = value<number | null>(`SELECT max(id) FROM ${table}`).get() ?? 0;
  for (let at = 1; at <= last; at += 1) {
    const found = attempt(report, () => unseal(table, at, find.get(at)));
    if (found !== undefined) content.set(at, found);
  }
  return content;
}

function needed(rows: ReadonlyMap<number, Uint8Array>, table: string, key: number): Uint8Array {
  const found = rows.get(key);
  if (found === undefined) throw new DamagedBase(`${table} ${key} is missing or damaged`);
  return found;
}

const checkDocValues: Check = (connection, snapshot, _, report) => {
  for (let block = 0; block * BLOCK_SIZE <= snapshot.lastDocId; block += 1) {
    for (const name of DOC_VALUE_NAMES) attempt(report, () => docValues(connection, name, block, snapshot));
  }
};

const SOURCE_KEYS_SQL = 'SELECT court, key, doc_id AS docId, digest FROM source_keys';

const checkSourceKeys: Check = ({ statement }, { lastDocId }, state, report) => {
  let sum = 0;
  let count = 0;
  type Row = { court: number; key: string; docId: number; digest: Buffer };
  for (const { court, key, docId, digest } of statement<Row>(SOURCE_KEYS_SQL).iterate()) {
    sum ^= sourceKeySum(court, key, docId, digest);
    count += 1;
  }
  if (count !== lastDocId) report(`source_keys has ${count} keys, for ${lastDocId} decisions`);
  if (sum >>> 0 !== state.sourceKeys) report('source_keys: a key, a number or a digest is damaged');
};

/** The words of decisions that are indexed by a full text, and of those replaced. */
const checkWords: Check = ({ statement, value }, { replaced: [first, next] }, _, report) => {
  for (const { id, data } of statement<{ id: number; data: Buffer }>(
    'SELECT * FROM term_vectors',
  ).iterate()) {
    attempt(report, () => unpackWords(unseal('term_vectors', id, data)));
  }
  const find = value<Buffer>('SELECT data FROM replaced WHERE id = ?');
  for (let serie = first; serie < next; serie += 1) {
    attempt(report, () => unpackWords(readVersion(unseal('replaced', serie, find.get(serie))).packed));
  }
  const count = value<number>('SELECT count(*) FROM replaced').get() ?? 0;
  if (count !== next - first) report(`replaced has ${count} rows where ${next - first} belong`);
};

const checkTerms: Check = (connection, snapshot, _, report) => {
  const seen: RowsSeen = { postings: 0, positions: 0 };
  checkLists(connection, snapshot, report, seen);
  for (const [table, rows] of Object.entries(seen)) {
    const count = connection.value<number>(`SELECT count(*) FROM ${table}`).get() ?? 0;
    if (count !== rows) report(`${table} has ${count} rows where ${rows} belong`);
  }
};
