import Database from 'better-sqlite3';
import { INDEXED_FIELDS, FIELD_WEIGHTS } from '../../../src/index/format/bm25f.ts';
import { TOKENIZER } from '../../../src/index/format/tokens.ts';
import { recordJson } from '../../../src/index/format/record.ts';
import type { Base, Ordem } from '../../../src/contract/vocabulary.ts';
import type { Decisao } from '../../../src/ingest/decisao.ts';
import { DECISIONS_MAX } from '../../../src/index/write/base-writer.ts';

const FTS_OPTIONS = `content = '', contentless_delete = 1, tokenize = "${TOKENIZER}"`;
const CACHE_KIB = 65_536;

/**
 * What somebody would make who puts the same decisions into SQLite with FTS5 and nothing of ours: the words in a
 * table of the same options, whose `rank` weighs the columns as our formula does; and the JSON texts.
 */
const RAW_SQL = `
  CREATE VIRTUAL TABLE fts USING fts5(${INDEXED_FIELDS.join(', ')}, ${FTS_OPTIONS});
  INSERT INTO fts (fts, rank) VALUES ('rank', 'bm25(${INDEXED_FIELDS.map((column) => FIELD_WEIGHTS[column]).join(', ')})');
  CREATE TABLE linha (numero INTEGER PRIMARY KEY, resumo TEXT NOT NULL, documento TEXT NOT NULL);
`;
const INSERT_WORDS = `INSERT INTO fts (rowid, ${INDEXED_FIELDS.join(', ')}) VALUES (?, ${INDEXED_FIELDS.map(() => '?').join(', ')})`;

/** Fills a new file with decisions, numbered as ingest numbers them, in transactions as long as its own. */
export async function buildRaw(base: Base, decisions: AsyncIterable<Decisao>, file: string): Promise<void> {
  const db = new Database(file);
  for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', `cache_size = -${CACHE_KIB}`])
    db.pragma(pragma);
  db.exec(RAW_SQL);
  const words = db.prepare(INSERT_WORDS);
  const line = db.prepare('INSERT INTO linha (numero, resumo, documento) VALUES (?, ?, ?)');
  let numero = 0;
  for await (const decisao of decisions) {
    numero += 1;
    if (!db.inTransaction) db.exec('BEGIN IMMEDIATE');
    words.run(numero, ...INDEXED_FIELDS.map((column) => [decisao.indexed[column]].flat().join('\n')));
    const { resumo, documento } = recordJson(base, numero, decisao);
    line.run(numero, resumo, documento);
    if (numero % DECISIONS_MAX === 0) db.exec('COMMIT');
  }
  if (db.inTransaction) db.exec('COMMIT');
  db.exec("INSERT INTO fts (fts) VALUES ('optimize'); ANALYZE;");
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Searches such a base in this thread, every statement prepared once. */
export class RawBase {
  readonly #db: Database.Database;
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(file: string) {
    this.#db = new Database(file, { readonly: true, fileMustExist: true });
    this.#db.pragma(`cache_size = -${CACHE_KIB}`);
  }

  /** The numbers of a page. @param fts5 an FTS5 expression. */
  numbers(fts5: string, ordem: Ordem, most: number): number[] {
    const order = ordem === 'recentes' ? 'rowid DESC' : 'rank';
    return this.#all<number>(`SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY ${order} LIMIT ?`, [
      fts5,
      most,
    ]);
  }

  /** The Resumos of a page as JSON text, from the text that was stored. */
  resumos(numeros: readonly number[]): string[] {
    const sql = 'SELECT resumo FROM linha WHERE numero = ?';
    return numeros.flatMap((numero) => this.#all<string>(sql, [numero]));
  }

  documento(numero: number): string {
    return this.#all<string>('SELECT documento FROM linha WHERE numero = ?', [numero])[0] ?? '';
  }

  count(fts5: string, most: number): number {
    const sql = 'SELECT count(*) FROM (SELECT 1 FROM fts WHERE fts MATCH ? LIMIT ?)';
    return this.#all<number>(sql, [fts5, most])[0] ?? 0;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #all<Value>(sql: string, values: readonly unknown[]): Value[] {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql).pluck();
      this.#prepared.set(sql, statement);
    }
    // One column of the type that the caller names.
    return statement.all(...values) as Value[];
  }
}
