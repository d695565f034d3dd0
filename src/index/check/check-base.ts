import type { Base } from '../../contract/vocabulary.ts';
import { BLOCK_SIZE, checksum, sealed, DOC_VALUE_NAMES } from '../format/schema.ts';
import { unseal } from '../format/seal.ts';
import { READ_STATE_SQL, originSum, readState, type State } from '../format/state.ts';
import { readVersion, unpackWords } from '../format/word-vector.ts';
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
    for (const check of [checkRecords, checkDocValues, checkOrigins, checkWords, checkTerms]) {
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

function attempt(report: Report, work: () => void): void {
  try {
    work();
  } catch (error) {
    report(textOf(error));
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

const RECORDS = {
  documento: 'SELECT numero, zstd AS stored, soma FROM documento ORDER BY numero',
  resumo: 'SELECT numero, json AS stored, soma FROM resumo ORDER BY numero',
} as const;

const checkRecords: Check = ({ statement }, { lastNumber }, _, report) => {
  for (const [table, sql] of Object.entries(RECORDS)) {
    attempt(report, () => {
      let next = 1;
      for (const row of statement<{ numero: number; stored: string | Buffer; soma: number }>(sql).iterate()) {
        for (; next < row.numero && next <= lastNumber; next += 1) report(`${table} ${next} is missing`);
        if (row.numero > lastNumber) report(`${table} ${row.numero} is more than there should be`);
        if (sealed(checksum(row.stored), row.numero) !== row.soma)
          report(`${table} ${row.numero} is damaged`);
        next = row.numero + 1;
      }
      for (; next <= lastNumber; next += 1) report(`${table} ${next} is missing`);
    });
  }
};

const checkDocValues: Check = (connection, snapshot, _, report) => {
  for (let block = 0; block * BLOCK_SIZE <= snapshot.lastNumber; block += 1) {
    for (const name of DOC_VALUE_NAMES) attempt(report, () => docValues(connection, name, block, snapshot));
  }
};

const ORIGINS_SQL = 'SELECT tribunal, chave, numero, digest FROM origem';

const checkOrigins: Check = ({ statement }, { lastNumber }, state, report) => {
  let sum = 0;
  let count = 0;
  type Row = { tribunal: number; chave: string; numero: number; digest: Buffer };
  for (const { tribunal, chave, numero, digest } of statement<Row>(ORIGINS_SQL).iterate()) {
    sum ^= originSum(tribunal, chave, numero, digest);
    count += 1;
  }
  if (count !== lastNumber) report(`origem has ${count} keys, for ${lastNumber} decisions`);
  if (sum >>> 0 !== state.origem) report('origem: a key, a number or a digest is damaged');
};

/** The words of decisions that are indexed by a full text, and of those replaced. */
const checkWords: Check = ({ statement, value }, { versions: [first, next] }, _, report) => {
  for (const { numero, dados } of statement<{ numero: number; dados: Buffer }>(
    'SELECT * FROM vetor',
  ).iterate()) {
    attempt(report, () => unpackWords(unseal('vetor', numero, dados)));
  }
  const find = value<Buffer>('SELECT dados FROM versao WHERE serie = ?');
  for (let serie = first; serie < next; serie += 1) {
    attempt(report, () => unpackWords(readVersion(unseal('versao', serie, find.get(serie))).packed));
  }
  const count = value<number>('SELECT count(*) FROM versao').get() ?? 0;
  if (count !== next - first) report(`versao has ${count} rows where ${next - first} belong`);
};

const checkTerms: Check = (connection, snapshot, _, report) => {
  const seen: RowsSeen = { impacto: 0, posicao: 0 };
  checkLists(connection, snapshot, report, seen);
  for (const [table, rows] of Object.entries(seen)) {
    const count = connection.value<number>(`SELECT count(*) FROM ${table}`).get() ?? 0;
    if (count !== rows) report(`${table} has ${count} rows where ${rows} belong`);
  }
};
