import { rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkBase } from '../../../src/index/check/check-base.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { readVersion, unpackWords } from '../../../src/index/format/word-vector.ts';
import { StoredDocumentos } from '../../../src/index/write/stored-documento.ts';
import { BaseFileError } from '../../../src/index/format/file-check.ts';
import { Connector } from '../../../src/index/read/connection.ts';
import { demoLines } from '../../../src/tools/demo/generate.ts';
import { listsIn } from '../../support/index-content.ts';
import { run } from '../../support/run.ts';
import { loadLines, temporaryFolder, type Line } from '../../support/service.ts';

/** Enough for a dictionary. */
const DECISIONS = 1_040;

/** Makes a base file what version 4 would have written: each object's JSON text in a row of its own. */
function makeVersion4(file: string): void {
  const db = new Database(file);
  const documentos = new StoredDocumentos(db);
  const numeros = db.prepare<[], number>('SELECT numero FROM resumo ORDER BY numero').pluck().all();
  const records = numeros.map((numero) => ({ numero, json: documentos.jsonOf(numero) }));
  db.exec(`
    DROP TABLE documento; DROP TABLE dicionario; DROP TABLE resumo; DROP TABLE moldura;
    CREATE TABLE documento (numero INTEGER PRIMARY KEY, zstd BLOB NOT NULL, soma INTEGER NOT NULL);
    CREATE TABLE resumo (numero INTEGER PRIMARY KEY, json TEXT NOT NULL, soma INTEGER NOT NULL);
    PRAGMA user_version = 4;
  `);
  const sumOf = (stored: string | Uint8Array, numero: number) =>
    (crc32(stored) ^ Math.imul(numero, 0x9e3779b1)) >>> 0;
  const addDocumento = db.prepare('INSERT INTO documento VALUES (?, ?, ?)');
  const addResumo = db.prepare('INSERT INTO resumo VALUES (?, ?, ?)');
  for (const {
    numero,
    json: { documento, resumo },
  } of records) {
    const zstd = Bun.zstdCompressSync(withoutAnyId(documento), { level: 1 });
    addDocumento.run(numero, zstd, sumOf(zstd, numero));
    addResumo.run(numero, withoutAnyId(resumo), sumOf(withoutAnyId(resumo), numero));
  }
  db.close();
}

function withoutAnyId(json: string): string {
  return json.slice(json.indexOf(',"base"'));
}

/** Makes a base file of version 4 what version 3 would have written: its words by id, and nothing sealed. */
function makeVersion3(file: string): void {
  const db = new Database(file);
  const vectors = db.prepare<[], { numero: number; dados: Buffer }>('SELECT * FROM vetor').all();
  const versions = db.prepare<[], Buffer>('SELECT dados FROM versao').pluck().all();
  db.exec(`
    DROP TABLE lexico; DROP TABLE impacto; DROP TABLE posicao; DROP TABLE vetor; DROP TABLE versao; DROP TABLE estado;
    CREATE TABLE lexico (id INTEGER PRIMARY KEY, termo TEXT NOT NULL UNIQUE);
    CREATE TABLE prefixo (id INTEGER PRIMARY KEY, texto TEXT NOT NULL UNIQUE, postagens INTEGER NOT NULL);
    CREATE TABLE impacto (lista INTEGER PRIMARY KEY, dados BLOB NOT NULL);
    CREATE TABLE vetor (numero INTEGER PRIMARY KEY, dados BLOB NOT NULL);
    CREATE TABLE versao (
      geracao INTEGER NOT NULL, numero INTEGER NOT NULL, dia INTEGER NOT NULL, dados BLOB NOT NULL,
      PRIMARY KEY (geracao, numero)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE temp.palavra USING fts5vocab(main, fts, row);
    INSERT INTO lexico (termo) SELECT term FROM palavra;
    INSERT INTO meta VALUES ('geracao', 3);
    UPDATE coluna SET dados = substr(dados, 1, length(dados) - 4);
    PRAGMA user_version = 3;
  `);
  const giveId = db.prepare('INSERT OR IGNORE INTO lexico (termo) VALUES (?)');
  const idOf = db.prepare<[string], number>('SELECT id FROM lexico WHERE termo = ?').pluck();
  const packed = (words: Iterable<readonly [string, number]>) =>
    Buffer.concat(
      [...words].map(([word, impact]) => {
        giveId.run(word);
        const bytes = Buffer.alloc(4);
        bytes.writeUIntLE(idOf.get(word) ?? 0, 0, 3);
        bytes.writeUInt8(impact, 3);
        return bytes;
      }),
    );
  for (const { numero, dados } of vectors) {
    db.prepare('INSERT INTO vetor VALUES (?, ?)').run(numero, packed(unpackWords(dados.subarray(0, -4))));
  }
  for (const row of versions) {
    const { generation: geracao, numero, dia, packed: words } = readVersion(row.subarray(0, -4));
    db.prepare('INSERT INTO versao VALUES (?, ?, ?, ?)').run(
      geracao,
      numero,
      dia,
      packed(unpackWords(words)),
    );
  }
  db.close();
}

/** Makes a base file one of an earlier version. */
function makeOld(file: string, version: 3 | 4 = 4): void {
  makeVersion4(file);
  if (version === 3) makeVersion3(file);
  // The first files of version 3 had no mark of made-up decisions.
  const db = new Database(file);
  if (version === 3) db.exec(`DELETE FROM meta WHERE chave = 'demonstracao'`);
  db.close();
}

describe('a base file of an earlier version', () => {
  let dataDir: string;
  let file: string;
  beforeEach(() => {
    dataDir = temporaryFolder();
    file = baseFile(dataDir, 'stj');
    const lines = [...demoLines('stj', DECISIONS, 2)].map((line) => JSON.parse(line) as Line);
    const full = {
      tipo: 'acordao',
      chave: 'full',
      texto: 'Íntegra, com 𝒙 e palavras repetidas: dano e dano.',
      // As the other lines are: none of a court may stand among them.
      extras: { demonstracao: true },
    };
    loadLines(dataDir, 'stj', [...lines, full]);
    loadLines(dataDir, 'stj', [
      { ...lines[5]!, ementa: 'Outra ementa' },
      { ...full, chave: 'more' },
    ]);
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true });
  });
  const upgrade = () => run('ingest/command.ts', ['stj', '--upgrade'], { DATA_DIR: dataDir });
  const rowsOf = (table: string) => {
    const db = new Database(file, { readonly: true });
    const rows = db.prepare(`SELECT * FROM ${table}`).all();
    db.close();
    return rows;
  };

  const records = () => {
    const db = new Database(file, { readonly: true });
    const documentos = new StoredDocumentos(db);
    const numeros = db.prepare<[], number>('SELECT numero FROM resumo ORDER BY numero').pluck().all();
    const found = numeros.map((numero) => documentos.jsonOf(numero));
    db.close();
    return found;
  };

  test.each([3, 4] as const)(
    'becomes, from itself alone, what a load by this version makes, of version %i',
    async (version) => {
      const tables = ['coluna', 'meta', 'origem', 'vetor', 'versao'];
      const before = { lists: listsIn(file, 'stj'), rows: tables.map(rowsOf), records: records() };
      makeOld(file, version);
      expect(await upgrade()).toMatchObject({
        exitCode: 0,
        out: expect.stringContaining(`${DECISIONS + 2} decisions`),
      });
      expect(listsIn(file, 'stj')).toEqual(before.lists);
      expect(tables.map(rowsOf)).toEqual(before.rows);
      expect(records()).toEqual(before.records);
      const damages: string[] = [];
      checkBase(file, 'stj', (damage) => damages.push(damage));
      expect(damages).toEqual([]);
      expect(await upgrade()).toMatchObject({ exitCode: 0, out: expect.stringContaining('already') });
    },
  );

  test('is refused by the service and by a load, which name the command that mends it', async () => {
    makeOld(file);
    const opening = () => new Connector(file, 'stj').connection();
    expect(opening).toThrow(BaseFileError);
    expect(opening).toThrow('bun run ingest stj --upgrade');
    const load = await run(
      'ingest/command.ts',
      ['stj', '-'],
      { DATA_DIR: dataDir },
      '{"tipo":"acordao","ementa":"x"}\n',
    );
    expect(load).toMatchObject({ exitCode: 1, err: expect.stringContaining('bun run ingest stj --upgrade') });
  });

  test('stays as it is where a record in it is damaged', async () => {
    makeOld(file);
    const before = rowsOf('lexico');
    const db = new Database(file);
    db.prepare('UPDATE documento SET soma = soma + 1 WHERE numero = 7').run();
    db.close();
    expect(await upgrade()).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('documento 7 is damaged'),
    });
    expect(rowsOf('lexico')).toEqual(before);
    expect(() => rowsOf('moldura')).toThrow('no such table');
  });
});
