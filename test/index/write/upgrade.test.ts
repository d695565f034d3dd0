import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkBase } from '../../../src/index/check/check-base.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { readVersion, unpackWords } from '../../../src/index/format/word-vector.ts';
import { BaseFileError } from '../../../src/index/format/file-check.ts';
import { Connector } from '../../../src/index/read/connection.ts';
import { demoLines } from '../../../src/tools/demo/generate.ts';
import { listsIn } from '../../support/index-content.ts';
import { run } from '../../support/run.ts';
import { loadLines, temporaryFolder, type Line } from '../../support/service.ts';

const DECISIONS = 400;

/** Makes a base file what the version before would have written: its words by id, and nothing sealed. */
function makeOld(file: string): void {
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

describe('a base file of the version before', () => {
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

  test('becomes, from itself alone, what a load by this version makes', async () => {
    const tables = ['documento', 'resumo', 'coluna', 'origem', 'vetor', 'versao'];
    const before = { lists: listsIn(file, 'stj'), rows: tables.map(rowsOf) };
    makeOld(file);
    expect(await upgrade()).toMatchObject({ exitCode: 0, out: expect.stringContaining('402 decisions') });
    expect(listsIn(file, 'stj')).toEqual(before.lists);
    expect(tables.map(rowsOf)).toEqual(before.rows);
    const damages: string[] = [];
    checkBase(file, 'stj', (damage) => damages.push(damage));
    expect(damages).toEqual([]);
    expect(await upgrade()).toMatchObject({ exitCode: 0, out: expect.stringContaining('already') });
  });

  test('is refused by the service and by a load, which name the command that mends it', async () => {
    makeOld(file);
    const opening = () => new Connector(file, 'stj').connection();
    expect(opening).toThrow(BaseFileError);
    expect(opening).toThrow('bun run ingest BASE --upgrade');
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
    const before = rowsOf('vetor');
    const db = new Database(file);
    db.prepare('UPDATE documento SET soma = soma + 1 WHERE numero = 7').run();
    db.close();
    expect(await upgrade()).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('documento 7 is damaged'),
    });
    expect(rowsOf('vetor')).toEqual(before);
    expect(() => rowsOf('estado')).toThrow('no such table');
  });
});
