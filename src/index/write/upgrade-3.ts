import type Database from 'better-sqlite3';
import { STATE_SQL } from '../format/schema.ts';
import { seal } from '../format/seal.ts';
import { WRITE_STATE_SQL, originSum, writeState } from '../format/state.ts';
import { packWords, writeVersion } from '../format/word-vector.ts';

/** A word in `vetor` and `versao` of version 3: its id (u24, little endian) and its impact. */
const WORD_BYTES = 4;

/**
 * Makes a base file of schema version 3 into one of version 4 but for its lists, which it has no more: words by
 * themselves and not by ids, checksums on all rows, and a state.
 */
export function sealVersion3(db: Database.Database): void {
  const vectors = readVectors(db);
  const versions = readVersions(db);
  const geracao = db.prepare<[], number>(`SELECT valor FROM meta WHERE chave = 'geracao'`).pluck().get() ?? 0;
  for (const table of ['lexico', 'prefixo', 'impacto', 'vetor', 'versao']) db.exec(`DROP TABLE ${table}`);
  db.exec(`${STATE_SQL} DELETE FROM meta WHERE chave = 'geracao'`);
  const putVector = db.prepare('INSERT INTO vetor (numero, dados) VALUES (?, ?)');
  for (const { numero, packed } of vectors) putVector.run(numero, seal('vetor', numero, packed));
  const putVersion = db.prepare('INSERT INTO versao (serie, dados) VALUES (?, ?)');
  for (const [at, row] of versions.entries()) putVersion.run(at + 1, seal('versao', at + 1, row));
  sealDocValues(db);
  const state = {
    geracao,
    decisoes: db.prepare<[], number | null>('SELECT max(numero) FROM documento').pluck().get() ?? 0,
    listas: 0,
    versoes: [1, versions.length + 1] as const,
    origem: sumOfOrigins(db),
  };
  db.prepare(WRITE_STATE_SQL).run(writeState(state));
}

function readVectors(db: Database.Database): { numero: number; packed: Uint8Array }[] {
  const wordsOf = wordReader(db);
  return db
    .prepare<[], { numero: number; dados: Buffer }>('SELECT numero, dados FROM vetor')
    .all()
    .map(({ numero, dados }) => ({ numero, packed: packWords(wordsOf(dados)) }));
}

function readVersions(db: Database.Database): Uint8Array[] {
  const wordsOf = wordReader(db);
  return db
    .prepare<[], { geracao: number; numero: number; dia: number; dados: Buffer }>(
      'SELECT * FROM versao ORDER BY geracao, numero',
    )
    .all()
    .map(({ geracao, numero, dia, dados }) =>
      writeVersion({ generation: geracao, numero, dia, packed: packWords(wordsOf(dados)) }),
    );
}

/** The words that a row names by their ids, with their impacts. */
function wordReader(db: Database.Database): (dados: Buffer) => [string, number][] {
  const word = db.prepare<[number], string>('SELECT termo FROM lexico WHERE id = ?').pluck();
  return (dados) => {
    const words: [string, number][] = [];
    for (let at = 0; at < dados.length; at += WORD_BYTES) {
      const text = word.get(dados.readUIntLE(at, WORD_BYTES - 1));
      if (text !== undefined) words.push([text, dados.readUInt8(at + WORD_BYTES - 1)]);
    }
    return words;
  };
}

function sealDocValues(db: Database.Database): void {
  const put = db.prepare('UPDATE coluna SET dados = ? WHERE parte = ?');
  const parts = db.prepare<[], { parte: number; dados: Buffer }>('SELECT * FROM coluna').all();
  for (const { parte, dados } of parts) put.run(seal('coluna', parte, dados), parte);
}

function sumOfOrigins(db: Database.Database): number {
  type Row = { tribunal: number; chave: string; numero: number; digest: Buffer };
  let sum = 0;
  for (const row of db.prepare<[], Row>('SELECT tribunal, chave, numero, digest FROM origem').iterate()) {
    sum ^= originSum(row.tribunal, row.chave, row.numero, row.digest);
  }
  return sum >>> 0;
}
