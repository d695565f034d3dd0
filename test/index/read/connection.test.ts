import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { BaseFileError } from '../../../src/index/format/file-check.ts';
import { Connector, snapshotOf } from '../../../src/index/read/connection.ts';
import { Handler } from '../../../workers/handler.ts';
import { readOf, searchFor } from '../../support/requests.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';

describe('the connection to a base file', () => {
  let folder: string;
  let file: string;
  let connector: Connector;
  beforeEach(() => {
    folder = temporaryFolder();
    loadLines(folder, 'stj', [{ tipo: 'acordao', ementa: 'dano' }]);
    file = baseFile(folder, 'stj');
    connector = new Connector(file, 'stj');
  });
  afterEach(() => {
    connector.close();
  });
  const changed = (change: (db: Database.Database) => void) => {
    const db = new Database(file);
    change(db);
    db.close();
  };
  /** Why it is not opened, which is the file's fault and for the log. */
  const refusal = () => {
    try {
      connector.connection();
    } catch (error) {
      expect(error).toBeInstanceOf(BaseFileError);
      return (error as Error).message;
    }
    return 'none';
  };

  test('is not opened to anything but a regular file, however briefly it was there', () => {
    renameSync(file, `${file}.away`);
    expect(refusal()).toBe(`no base file at ${file}`);
    mkdirSync(file);
    expect(refusal()).toBe(`not a regular file: ${file}`);
    rmSync(file, { recursive: true });
    renameSync(`${file}.away`, file);
    for (const suffix of ['-wal', '-shm', '-journal']) {
      rmSync(file + suffix, { force: true });
      Bun.spawnSync(['mkfifo', file + suffix]);
      connector = new Connector(file, 'stj');
      expect(refusal()).toBe(`not a regular file: ${file}${suffix}`);
      rmSync(file + suffix);
    }
  });

  test('is not opened to a file of another program, version or base', () => {
    changed((db) => db.exec(`UPDATE meta SET value = 'tst' WHERE key = 'base'`));
    expect(refusal()).toBe(`${file} is the file of base tst, not of stj; put the file of stj there`);
    for (const version of [3, 5, 6, 8]) {
      changed((db) => db.pragma(`user_version = ${version}`));
      expect(refusal()).toContain('bun run ingest stj FILE');
    }
    changed((db) => db.pragma('application_id = 7'));
    expect(refusal()).toMatch(
      /is not a base file.*move it away and load the base again: bun run ingest stj FILE/u,
    );
  });

  test('ends when the file is overwritten with another base’s bytes', () => {
    const { verify } = connector.connection();
    loadLines(folder, 'tst', [{ tipo: 'acordao', ementa: 'dano' }]);
    copyFileSync(baseFile(folder, 'tst'), file);
    expect(verify).toThrow(`${file} is the file of base tst, not of stj; put the file of stj there`);
  });

  test('stays open when the file is written to, and is opened again when it is replaced', () => {
    const connection = connector.connection();
    const before = connection.stamp();
    loadLines(folder, 'stj', [{ tipo: 'acordao', ementa: 'outra' }]);
    changed((db) => db.pragma('wal_checkpoint(TRUNCATE)'));
    connection.verify();
    expect(connection.stamp().file).toBe(before.file);
    expect(connection.stamp().written).not.toBe(before.written);
    expect(snapshotOf(connection).docs).toBe(2);
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    connection.verify();
    expect(connector.connection()).not.toBe(connection);
  });

  test('uses the file that is at the path when a batch begins', () => {
    const other = temporaryFolder();
    loadLines(other, 'stj', [
      { tipo: 'acordao', ementa: 'outra' },
      { tipo: 'acordao', ementa: 'mais uma' },
    ]);
    const handler = new Handler(file, 'stj');
    const linesOf = (docId: number) => {
      const [outcome] = handler.run([readOf([docId])]);
      return outcome?.ok === true && outcome.value.kind === 'read' ? outcome.value : null;
    };
    const before = linesOf(1);
    expect(linesOf(2)?.rows).toEqual([null]);
    renameSync(baseFile(other, 'stj'), file);
    const [found] = handler.run([searchFor('mais')]);
    expect(found).toMatchObject({ ok: true, value: { doc_ids: [2] } });
    expect(linesOf(2)?.rows).toEqual([expect.stringContaining('mais uma')]);
    expect(linesOf(1)?.file).not.toBe(before?.file);
    handler.close();
  });

  test('writes nothing: the file and its log stay the same', () => {
    const writer = new Database(file);
    writer.exec(`INSERT INTO meta (key, value) VALUES ('x', 1)`);
    // A log that nobody has open.
    const copy = join(folder, 'copy.db');
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
    writer.close();
    const contents = () => ['', '-wal'].map((suffix) => readFileSync(copy + suffix).toString('base64'));
    const before = contents();
    expect(before[1]).not.toBe('');
    const reader = new Connector(copy, 'stj');
    expect(snapshotOf(reader.connection()).docs).toBe(1);
    reader.close();
    expect(contents()).toEqual(before);
  });

  test('distinguishes made-up decisions from a court’s', () => {
    expect(snapshotOf(connector.connection()).isMadeUp).toBe(false);
    const demo = temporaryFolder();
    loadLines(demo, 'stj', [{ tipo: 'acordao', ementa: 'x', extras: { demonstracao: true } }]);
    const other = new Connector(baseFile(demo, 'stj'), 'stj');
    expect(snapshotOf(other.connection()).isMadeUp).toBe(true);
    other.close();
  });

  test('gives SQLite’s reason if the folder is not the cause', () => {
    // SQLite takes no path of so many bytes.
    const deep = join(folder, ...Array.from({ length: 4 }, () => 'x'.repeat(200)));
    mkdirSync(deep, { recursive: true });
    copyFileSync(file, join(deep, 'stj.db'));
    const far = new Connector(join(deep, 'stj.db'), 'stj');
    expect(() => far.connection()).toThrow(Database.SqliteError);
  });
});
