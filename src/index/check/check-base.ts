import type { Base } from '../../contract/vocabulary.ts';
import { BLOCK_SIZE, DOC_VALUES, DOC_VALUE_NAMES, WITHDRAWN_CODE } from '../format/schema.ts';
import { RECORDS_PER_BLOCK } from '../format/record-block.ts';
import { RecordReader } from '../format/record-reader.ts';
import { utf8 } from '../format/bytes.ts';
import { unseal, type SealedTable } from '../format/seal.ts';
import { readCommit, sourceKeySum } from '../format/state.ts';
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
    const withdrawn = withdrawnIn(connection, snapshot, report);
    for (const check of [
      checkRecords,
      checkDocValues,
      checkSourceKeys,
      checkWords,
      checkTerms,
      checkCommits,
    ]) {
      attempt(report, () => {
        check(connection, snapshot, report, withdrawn);
      });
    }
  } catch (error) {
    report(messageOf(error));
  } finally {
    connector.close();
  }
}

/** @param withdrawn the withdrawn decisions. */
type Check = (
  connection: Connection,
  snapshot: Snapshot,
  report: Report,
  withdrawn: ReadonlySet<number>,
) => void;

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

function withdrawnIn({ statement, value }: Connection, snapshot: Snapshot, report: Report): Set<number> {
  const withdrawn = new Set<number>();
  let readmitted = 0;
  type Row = { id: number; data: Buffer };
  for (const { id, data } of statement<Row>('SELECT id, data FROM withdrawn').iterate()) {
    withdrawn.add(id);
    if (attempt(report, () => unseal('withdrawn', id, data))?.length === 0) readmitted += 1;
  }
  checkCounts(value, { withdrawn: snapshot.withdrawn }, report);
  if (readmitted !== snapshot.readmitted)
    report(`withdrawn has ${readmitted} keys that may come again where ${snapshot.readmitted} belong`);
  return withdrawn;
}

/** Reads every row of the record tables, and makes each record's contract objects. */
const checkRecords: Check = ({ base, row, value }, { docs }, report, withdrawn) => {
  for (const table of ['frame', 'dictionary'] as const) {
    for (const at of value<number>(`SELECT id FROM ${table}`).all()) attempt(report, () => row(table, at));
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
      if (rest !== undefined && (rest.length === 0) !== withdrawn.has(docId))
        report(`record ${block} has a withdrawn decision, or lacks another: ${docId}`);
      if (withdrawn.has(docId)) continue;
      const resumo = attempt(report, () => records.resumo(docId));
      if (resumo !== undefined && rest !== undefined)
        attempt(report, () => records.documento(docId, utf8(rest)));
    }
  }
  checkCounts(value, { record: blocks, item: docs - withdrawn.size }, report);
};

function checkCounts(
  value: Connection['value'],
  tables: Readonly<Partial<Record<SealedTable, number>>>,
  report: Report,
): void {
  for (const [table, belong] of Object.entries(tables)) {
    const count = value<number>(`SELECT count(*) FROM ${table}`).get();
    if (count !== belong) report(`${table} has ${count} rows where ${belong} belong`);
  }
}

const checkDocValues: Check = (connection, snapshot, report, withdrawn) => {
  for (let block = 0; block * BLOCK_SIZE <= snapshot.docs; block += 1) {
    for (const name of DOC_VALUE_NAMES) {
      const values = attempt(report, () => docValues(connection, name, block, snapshot));
      const none = DOC_VALUES[name] === 1 ? WITHDRAWN_CODE : 0;
      for (const docId of withdrawn) {
        const value = values?.[docId - block * BLOCK_SIZE] ?? none;
        if (value !== none) report(`doc_values: ${name} of the withdrawn decision ${docId} is there`);
      }
    }
  }
};

const SOURCE_KEYS_SQL = 'SELECT court, key, doc_id AS docId, digest FROM source_keys';

const checkSourceKeys: Check = ({ statement }, { docs, sourceKeys }, report, withdrawn) => {
  let sum = 0;
  let count = 0;
  type Row = { court: number; key: string; docId: number; digest: Buffer };
  for (const { court, key, docId, digest } of statement<Row>(SOURCE_KEYS_SQL).iterate()) {
    sum ^= sourceKeySum(court, key, docId, digest);
    count += 1;
  }
  const belong = docs - withdrawn.size;
  if (count !== belong) report(`source_keys has ${count} keys, for ${belong} decisions`);
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

const checkTerms: Check = (connection, snapshot, report, withdrawn) => {
  const seen: RowsSeen = { postings: 0, positions: 0 };
  checkLists(connection, snapshot, report, seen, withdrawn);
  checkCounts(connection.value, seen, report);
};

/** Each generation has a row, and the last one is that of the state. */
const checkCommits: Check = ({ row, value }, { generation, mark, docs }, report) => {
  checkCounts(value, { commits: generation }, report);
  for (let at = 1; at <= generation; at += 1) {
    const commit = attempt(report, () => readCommit(row('commits', at)));
    const isLast = at === generation && commit !== undefined;
    if (isLast && (commit.mark !== mark || commit.docs !== docs)) report(`commits ${at} is of other data`);
  }
};
