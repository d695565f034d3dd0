import type Database from 'better-sqlite3';
import { INDEXED_FIELDS, type IndexedField } from '../format/bm25f.ts';
import { SCHEMA_VERSION, WORDS_SQL, checksum, sealed } from '../format/schema.ts';
import { DamagedBase, seal } from '../format/seal.ts';
import { WRITE_STATE_SQL, originSum, writeState } from '../format/state.ts';
import { packWords, writeVersion } from '../format/word-vector.ts';
import { indexedOf } from './indexed.ts';
import { Inverter } from './inverter.ts';
import { PostingWriter } from './posting-writer.ts';
import { storedDocumento } from './stored-documento.ts';

/** Decisions read at once, and those whose words are written at once. */
const READ_MAX = 500;
const FLUSH_MAX = 32_768;
/** Words known at the most; past this the numbers start anew, so that memory stays flat. */
const WORDS_MAX = 500_000;
/** A word in `vetor` and `versao` of version 3: its id (u24, little endian) and its impact. */
const WORD_BYTES = 4;

/**
 * Makes a base file of schema version 3 into one of this version, in one transaction: where it ends early, nothing has
 * changed. All that is needed is in the file: the records hold the texts that were indexed, and of a full text that was not kept
 * FTS5's index holds every word and where it stands.
 * @throws DamagedBase
 */
export function upgrade(db: Database.Database, onProgress: (decisions: number) => void): void {
  db.transaction(() => {
    const versions = readVersions(db);
    sealColumns(db);
    keepFullTexts(db);
    for (const table of ['lexico', 'prefixo', 'impacto', 'vetor', 'versao']) db.exec(`DROP TABLE ${table}`);
    db.exec(WORDS_SQL);
    const { lists, decisions } = writeLists(db, onProgress);
    const putVersion = db.prepare('INSERT INTO versao (serie, dados) VALUES (?, ?)');
    for (const [at, row] of versions.entries()) putVersion.run(at + 1, seal('versao', at + 1, row));
    const geracao =
      db.prepare<[], number>(`SELECT valor FROM meta WHERE chave = 'geracao'`).pluck().get() ?? 0;
    const state = {
      geracao: geracao + 1,
      decisoes: decisions,
      listas: lists,
      versoes: [1, versions.length + 1] as const,
      origem: sumOfOrigins(db),
    };
    db.prepare(WRITE_STATE_SQL).run(writeState(state));
    db.exec(`DELETE FROM meta WHERE chave = 'geracao'; PRAGMA user_version = ${SCHEMA_VERSION}`);
  }).immediate();
  db.exec('DROP TABLE temp.lugar');
}

function readVersions(db: Database.Database): Uint8Array[] {
  const word = db.prepare<[number], string>('SELECT termo FROM lexico WHERE id = ?').pluck();
  return db
    .prepare<[], { geracao: number; numero: number; dia: number; dados: Buffer }>(
      'SELECT * FROM versao ORDER BY geracao, numero',
    )
    .all()
    .map(({ geracao, numero, dia, dados }) => {
      const words: [string, number][] = [];
      for (let at = 0; at < dados.length; at += WORD_BYTES) {
        const text = word.get(dados.readUIntLE(at, WORD_BYTES - 1));
        if (text !== undefined) words.push([text, dados.readUInt8(at + WORD_BYTES - 1)]);
      }
      return writeVersion({ generation: geracao, numero, dia, packed: packWords(words) });
    });
}

function sealColumns(db: Database.Database): void {
  const put = db.prepare('UPDATE coluna SET dados = ? WHERE parte = ?');
  const parts = db.prepare<[], { parte: number; dados: Buffer }>('SELECT * FROM coluna').all();
  for (const { parte, dados } of parts) put.run(seal('coluna', parte, dados), parte);
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

function writeLists(
  db: Database.Database,
  onProgress: (decisions: number) => void,
): { lists: number; decisions: number } {
  const read = db.prepare<[number], { numero: number; zstd: Buffer; soma: number }>(
    `SELECT numero, zstd, soma FROM documento WHERE numero > ? ORDER BY numero LIMIT ${READ_MAX}`,
  );
  const putVector = db.prepare('INSERT INTO vetor (numero, dados) VALUES (?, ?)');
  const fullText = fullTexts(db);
  const postings = new PostingWriter(db);
  let inverter = new Inverter();
  let decisions = 0;
  let gathered = 0;
  for (;;) {
    const rows = read.all(decisions);
    if (rows.length === 0) break;
    const restarts = inverter.size > WORDS_MAX;
    if (restarts) inverter = new Inverter();
    const weighed = rows.map(({ numero, zstd, soma }) => {
      decisions += 1;
      if (numero !== decisions) throw new DamagedBase(`documento ${decisions} is missing`);
      if (sealed(checksum(zstd), numero) !== soma) throw new DamagedBase(`documento ${numero} is damaged`);
      const text = fullText(numero);
      return {
        numero,
        weights: inverter.invert(text ?? indexedOf(storedDocumento(zstd))),
        isFull: text !== null,
      };
    });
    postings.learn({ ...inverter.newTexts(), restarts });
    for (const { numero, weights, isFull } of weighed) {
      postings.append(numero, weights);
      if (isFull) putVector.run(numero, seal('vetor', numero, packWords(postings.wordsOf(weights))));
    }
    gathered += rows.length;
    if (gathered >= FLUSH_MAX) {
      postings.flush();
      gathered = 0;
    }
    onProgress(decisions);
  }
  postings.flush();
  return { lists: postings.lists, decisions };
}

/** The texts of a decision that was indexed by its full text, made of its words; null of any other. */
function fullTexts(db: Database.Database): (numero: number) => Record<IndexedField, string> | null {
  const read = db.prepare<[number], { coluna: IndexedField; texto: string }>(
    'SELECT coluna, texto FROM lugar WHERE numero = ? ORDER BY coluna, palavra',
  );
  return (numero) => {
    const places = read.all(numero);
    if (places.length === 0) return null;
    const words: Record<IndexedField, string[]> = {
      ementa: [],
      tese: [],
      dispositivo: [],
      temas: [],
      processo: [],
    };
    for (const { coluna, texto } of places) words[coluna].push(texto);
    const text = { ementa: '', tese: '', dispositivo: '', temas: '', processo: '' };
    for (const column of INDEXED_FIELDS) text[column] = words[column].join(' ');
    return text;
  };
}

function sumOfOrigins(db: Database.Database): number {
  type Row = { tribunal: number; chave: string; numero: number; digest: Buffer };
  let sum = 0;
  for (const row of db.prepare<[], Row>('SELECT tribunal, chave, numero, digest FROM origem').iterate()) {
    sum ^= originSum(row.tribunal, row.chave, row.numero, row.digest);
  }
  return sum >>> 0;
}
