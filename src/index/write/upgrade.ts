import type Database from 'better-sqlite3';
import { crc32 } from 'node:zlib';
import type { IndexedField } from '../format/bm25f.ts';
import { LISTS_SQL, MARK_MADE_UP_SQL, RECORDS_SQL, SCHEMA_VERSION } from '../format/schema.ts';
import { DamagedBase } from '../format/seal.ts';
import { READ_STATE_SQL, WRITE_STATE_SQL, readState, writeState } from '../format/state.ts';
import { indexedOf } from './indexed.ts';
import { kindIn } from './kinds.ts';
import { Inverter } from './inverter.ts';
import { PostingWriter } from './posting-writer.ts';
import { RecordWriter } from './record-writer.ts';
import { sealVersion3 } from './upgrade-3.ts';
import { documentoOf } from './stored-documento.ts';

/** Decisions read at once, and those whose words are written at once. */
const READ_MAX = 500;
const FLUSH_MAX = 32_768;
/** Words known at the most; past this the numbers start again, so that memory stays flat. */
const WORDS_MAX = 500_000;

/**
 * Makes a base file of schema version 3 or 4 into one of this version, in one transaction: where it ends early, nothing has
 * changed. All that is needed is in the file: the records hold the texts that were indexed, and of a full text that was not
 * kept FTS5's index holds every word and its positions. The file is then made as small as it can be.
 * @throws DamagedBase
 */
export function upgrade(db: Database.Database, onProgress: (decisions: number) => void): void {
  db.transaction(() => {
    if (db.pragma('user_version', { simple: true }) === 3) sealVersion3(db);
    const state = readState(db.prepare<[], Buffer>(READ_STATE_SQL).pluck().get());
    keepFullTexts(db);
    db.exec(`
      DROP TABLE IF EXISTS lexico; DROP TABLE IF EXISTS impacto; DROP TABLE IF EXISTS posicao;
      ALTER TABLE documento RENAME TO documento_4;
      ALTER TABLE resumo RENAME TO resumo_4;
      ${LISTS_SQL} ${RECORDS_SQL}
    `);
    const { lists, decisions } = writeAll(db, onProgress);
    if (decisions !== state.decisoes) throw new DamagedBase(`documento ${decisions + 1} is missing`);
    const upgraded = { ...state, geracao: state.geracao + 1, listas: lists };
    db.prepare(WRITE_STATE_SQL).run(writeState(upgraded));
    if (kindIn(db) === 'made-up') db.exec(MARK_MADE_UP_SQL);
    db.exec(`DROP TABLE documento_4; DROP TABLE resumo_4; PRAGMA user_version = ${SCHEMA_VERSION}`);
  }).immediate();
  db.exec('DROP TABLE temp.lugar; VACUUM');
}

/** Where words stand in the decisions that were indexed by a full text, from FTS5's index, which has it by word. */
function keepFullTexts(db: Database.Database): void {
  db.exec(`
    CREATE TEMP TABLE lugar (numero INTEGER, coluna TEXT, palavra INTEGER, texto TEXT, PRIMARY KEY (numero, coluna, palavra))
      WITHOUT ROWID;
    CREATE VIRTUAL TABLE temp.vocabulario USING fts5vocab(main, fts, instance);
    INSERT INTO lugar SELECT doc, col, "offset", term FROM vocabulario WHERE doc IN (SELECT numero FROM vetor);
    DROP TABLE vocabulario;
  `);
}

interface OldRecord {
  readonly numero: number;
  readonly zstd: Buffer;
  readonly documentoSum: number;
  readonly json: string;
  readonly resumoSum: number;
}

const OLD_RECORDS_SQL = `
  SELECT d.numero, d.zstd, d.soma AS documentoSum, r.json, r.soma AS resumoSum
  FROM documento_4 AS d JOIN resumo_4 AS r USING (numero) WHERE numero > ? ORDER BY numero LIMIT ${READ_MAX}
`;

/** Rewrites lists and records. */
function writeAll(
  db: Database.Database,
  onProgress: (decisions: number) => void,
): { lists: number; decisions: number } {
  const read = db.prepare<[number], OldRecord>(OLD_RECORDS_SQL);
  const fullText = fullTexts(db);
  const records = new RecordWriter(db);
  const postings = new PostingWriter(db);
  let inverter = new Inverter();
  let decisions = 0;
  let buffered = 0;
  for (;;) {
    const rows = read.all(decisions);
    if (rows.length === 0) break;
    const restarts = inverter.size > WORDS_MAX;
    if (restarts) inverter = new Inverter();
    const inverted = rows.map((row) => {
      const { numero, json } = row;
      decisions += 1;
      if (numero !== decisions) throw new DamagedBase(`documento ${decisions} is missing`);
      const documento = documentoIn(row);
      records.put(numero, json, documento);
      return {
        numero,
        postings: inverter.invert(fullText(numero) ?? indexedOf(documentoOf(documento))),
      };
    });
    postings.addTerms({ ...inverter.newTexts(), restarts });
    for (const one of inverted) postings.append(one.numero, one.postings);
    buffered += rows.length;
    if (buffered >= FLUSH_MAX) {
      postings.flush();
      buffered = 0;
    }
    onProgress(decisions);
  }
  postings.flush();
  records.flush();
  return { lists: postings.lists, decisions };
}

/** The JSON text of a record. Its row and that of its Resumo each have the checksum of what is stored and the number. */
function documentoIn({ numero, zstd, documentoSum, json, resumoSum }: OldRecord): string {
  const mark = Math.imul(numero, 0x9e3779b1);
  if ((crc32(zstd) ^ mark) >>> 0 !== documentoSum) throw new DamagedBase(`documento ${numero} is damaged`);
  if ((crc32(json) ^ mark) >>> 0 !== resumoSum) throw new DamagedBase(`resumo ${numero} is damaged`);
  return Bun.zstdDecompressSync(zstd).toString();
}

/** The texts of a decision that was indexed by its full text, made of its words; null of any other. */
function fullTexts(db: Database.Database): (numero: number) => Record<IndexedField, string> | null {
  const read = db.prepare<[number], { coluna: IndexedField; texto: string }>(
    'SELECT coluna, texto FROM lugar WHERE numero = ? ORDER BY coluna, palavra',
  );
  return (numero) => {
    const columns = Map.groupBy(read.all(numero), ({ coluna }) => coluna);
    if (columns.size === 0) return null;
    const text = { ementa: '', tese: '', dispositivo: '', temas: '', processo: '' };
    for (const [column, places] of columns) text[column] = places.map(({ texto }) => texto).join(' ');
    return text;
  };
}
