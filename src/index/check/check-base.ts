import type { Base } from '../../contract/vocabulary.ts';
import { BLOCK_SIZE, DOC_VALUE_NAMES } from '../format/schema.ts';
import { RECORDS_PER_BLOCK } from '../format/record-block.ts';
import { RecordReader } from '../format/record-reader.ts';
import { utf8 } from '../format/bytes.ts';
import { unseal, type SealedTable } from '../format/seal.ts';
import { sourceKeySum } from '../format/state.ts';
import { readVersion, unpackWords } from '../format/term-vector.ts';
import { Connector, snapshotOf, type Connection, type Snapshot } from '../read/connection.ts';
import { docValues } from '../read/filters.ts';
import { checkLists, type Report, type RowsSeen } from './check-lists.ts';

/** Most lines of SQLite's own check. */
const SQLITE_LINES_MAX = 20;

/** Reads a whole base file in one transaction and reports damage. Never throws. */
export function checkBase(file: string, base: Base, report: Report): void {
  const connector = new Connector(file, base);
  try {
    const connection = connector.connection();
    connection.statement('BEGIN').run();
    checkSqlite(connection, report);
    const snapshot = snapshotOf(connection);
    for (const check of [checkRecords, checkDocValues, checkSourceKeys, checkWords, checkTerms]) {
      attempt(report, () => {
        check(connection, snapshot, report);
      });
    }
  } catch (error) {
    report(messageOf(error));
  } finally {
    connector.close();
  }
}

type Check = (connection: Connection, snapshot: Snapshot, report: Report) => void;

/** Reports the error if the work fails. */
function attempt<Of>(report: Report, work: () => Of): Of | undefined {
  try {
    return work();
  } catch (error) {
    report(messageOf(error));
    return undefined;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function checkSqlite({ value }: Connection, report: Report): void {
  const lines = value<string>(`PRAGMA integrity_check(${SQLITE_LINES_MAX})`).all();
  for (const line of lines) if (line !== 'ok') report(line);
}

/** Reads every row of the record tables, and makes each record's contract objects. */
const checkRecords: Check = ({ base, row, value }, { docs }, report) => {
  for (const table of ['frame', 'dictionary'] as const) {
    const last = value<number | null>(`SELECT max(id) FROM ${table}`).get() ?? 0;
    for (let at = 1; at <= last; at += 1) attempt(report, () => row(table, at));
  }
  const records = new RecordReader(base, row);
  const blocks = Math.ceil(docs / RECORDS_PER_BLOCK);
  for (let block = 0; block < blocks; block += 1) {
    const first = block * RECORDS_PER_BLOCK + 1;
    const count = Math.min(RECORDS_PER_BLOCK, docs + 1 - first);
    const rests = attempt(report, () => records.rests(block));
    if (rests !== undefined && rests.length !== count)
      report(`record ${block} has ${rests.length} records where ${count} belong`);
    for (let docId = first; docId < first + count; docId += 1) {
      const rest = rests?.[docId - first];
      const resumo = attempt(report, () => records.resumo(docId));
      if (resumo !== undefined && rest !== undefined)
        attempt(report, () => records.documento(docId, utf8(rest)));
    }
  }
  checkCounts(value, { record: blocks, item: docs }, report);
};

function checkCounts(
  value: Connection['value'],
  tables: Readonly<Partial<Record<SealedTable, number>>>,
  report: Report,
): void {
  for (const [table, belong] of Object.entries(tables)) {
    const count = value<number>(`SELECT count(*) FROM ${table}`).get() ?? 0;
    if (count !== belong) report(`${table} has ${count} rows where ${belong} belong`);
  }
}

const checkDocValues: Check = (connection, snapshot, report) => {
  for (let block = 0; block * BLOCK_SIZE <= snapshot.docs; block += 1) {
    for (const name of DOC_VALUE_NAMES) attempt(report, () => docValues(connection, name, block, snapshot));
  }
};

const SOURCE_KEYS_SQL = 'SELECT court, key, doc_id AS docId, digest FROM source_keys';

const checkSourceKeys: Check = ({ statement }, { docs, sourceKeys }, report) => {
  let sum = 0;
  let count = 0;
  type Row = { court: number; key: string; docId: number; digest: Buffer };
  for (const { court, key, docId, digest } of statement<Row>(SOURCE_KEYS_SQL).iterate()) {
    sum ^= sourceKeySum(court, key, docId, digest);
    count += 1;
  }
  if (count !== docs) report(`source_keys has ${count} keys, for ${docs} decisions`);
  if (sum >>> 0 !== sourceKeys) report('source_keys: a key, a number or a digest is damaged');
};

const checkWords: Check = ({ statement, row, value }, { replaced: [first, next] }, report) => {
  for (const { id, data } of statement<{ id: number; data: Buffer }>(
    'SELECT * FROM term_vectors',
  ).iterate()) {
    attempt(report, () => unpackWords(unseal('term_vectors', id, data)));
  }
  for (let id = first; id < next; id += 1)
    attempt(report, () => unpackWords(readVersion(row('replaced', id)).packed));
  checkCounts(value, { replaced: next - first }, report);
};

const checkTerms: Check = (connection, snapshot, report) => {
  const seen: RowsSeen = { postings: 0, positions: 0 };
  checkLists(connection, snapshot, report, seen);
  checkCounts(connection.value, seen, report);
};
