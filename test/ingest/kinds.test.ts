import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { demoLines } from '../../src/tools/demo/generate.ts';
import { issueKey, readKeys } from '../../src/keys/store.ts';
import type { IngestOptions } from '../../src/ingest/ingest.ts';
import { run } from '../support/run.ts';
import { loadLines, temporaryFolder } from '../support/service.ts';
import { ingestHere } from './support-ingest.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});

const REAL = { tipo: 'acordao', chave: 'r1', ementa: 'Decisão de um tribunal.' };
const madeUp = (base: Base, count = 3) => [...demoLines(base, count, 7)];
function ingest(base: Base, lines: readonly string[], options: IngestOptions = {}) {
  const file = `${dataDir}.jsonl`;
  writeFileSync(file, lines.join('\n'));
  return ingestHere(dataDir, base, [file], options).finally(() => {
    rmSync(file);
  });
}
const remove = () => run('tools/demo/command.ts', ['remove'], { DATA_DIR: dataDir });

function inBase(base: Base, sql: string): unknown {
  const db = new Database(baseFile(dataDir, base));
  const found = db.prepare(sql).pluck().get();
  db.close();
  return found;
}
const countIn = (base: Base) => inBase(base, 'SELECT count(*) FROM item');
const isMarked = (base: Base) => inBase(base, `SELECT 1 FROM meta WHERE key = 'made_up'`) === 1;

describe('real decisions and made-up ones', () => {
  test('never mix in a base: a demo base refuses a real decision and names the command that removes the demo', async () => {
    expect(await ingest('stj', madeUp('stj'))).toMatchObject({ exitCode: 0 });
    expect(isMarked('stj')).toBe(true);
    const environment = { DATA_DIR: dataDir };
    const { exitCode, err } = await run('ingest/command.ts', ['stj', '-'], environment, JSON.stringify(REAL));
    expect(exitCode).toBe(1);
    expect(err).toContain(`${dataDir} holds made-up decisions`);
    expect(err).toContain(`DATA_DIR='${dataDir}' bun src/tools/demo/command.ts remove`);
    expect(err).not.toMatch(/\n\s+at |\\u/);
    expect(countIn('stj')).toBe(3);
  });

  test('never mix in a base: a real base refuses made-up decisions', async () => {
    expect(await ingest('stj', [JSON.stringify(REAL)])).toMatchObject({ exitCode: 0 });
    const { exitCode, err } = await ingest('stj', madeUp('stj'));
    expect(exitCode).toBe(1);
    expect(err).toContain(`${dataDir} holds real decisions`);
    expect(countIn('stj')).toBe(1);
    expect(isMarked('stj')).toBe(false);
  });

  test.each([
    ['made-up ones', madeUp('tst'), [JSON.stringify(REAL)]],
    ['real ones', [JSON.stringify(REAL)], madeUp('stj')],
  ])('never mix in a folder: %s in one base exclude the other kind from all', async (_, first, second) => {
    expect(await ingest('tst', first)).toMatchObject({ exitCode: 0 });
    expect(await ingest('stj', second)).toMatchObject({ exitCode: 1 });
    expect(countIn('stj')).toBe(0);
  });

  test('never mix in a file: the load stops at the first of the other kind', async () => {
    const { exitCode, err } = await ingest('stj', [...madeUp('stj'), JSON.stringify(REAL)]);
    expect(exitCode).toBe(1);
    expect(err).toContain('made-up decisions');
    expect(countIn('stj')).toBe(0);
    expect(isMarked('stj')).toBe(false);
  });

  test('are refused by a dry run as by a load', async () => {
    await ingest('stj', madeUp('stj'));
    for (const base of ['stj', 'tst'] as const) {
      const { exitCode, err } = await ingest(base, [JSON.stringify(REAL)], { dryRun: true });
      expect(exitCode).toBe(1);
      expect(err).toMatch(/demo(?:\/command\.ts)? remove/u);
    }
    expect(await ingest('stj', madeUp('stj', 9), { dryRun: true })).toMatchObject({ exitCode: 0 });
  });

  test('may each be loaded again into their own base', async () => {
    await ingest('stj', madeUp('stj'));
    expect((await ingest('stj', madeUp('stj', 5))).out).toContain('2 added, 0 replaced, 3 unchanged');
    expect((await ingest('tst', madeUp('tst', 5))).out).toContain('5 added');
  });
});

describe('bun run demo remove', () => {
  test('removes bases, key and coverage of a demo and nothing else; real decisions may then be loaded', async () => {
    dataDir = join(dataDir, "dados d'água");
    for (const base of BASES) loadLines(dataDir, base, madeUp(base));
    issueKey(dataDir, 'demo', null, new Date());
    issueKey(dataDir, 'acme', null, new Date());
    const names = ['cobertura.json', 'config.toml', 'cursor-secret'];
    for (const name of names) writeFileSync(join(dataDir, name), '');
    expect(await remove()).toMatchObject({
      exitCode: 0,
      err: '',
      out: expect.stringContaining('tst, stf, stj'),
    });
    expect(readdirSync(join(dataDir, 'bases'))).toEqual([]);
    expect(readKeys(dataDir).keys.map(({ name, revoked_at }) => [name, revoked_at === null])).toEqual([
      ['acme', true],
      ['demo', false],
    ]);
    expect(names.map((name) => existsSync(join(dataDir, name)))).toEqual([false, true, true]);
    expect(await ingest('stj', [JSON.stringify(REAL)])).toMatchObject({ exitCode: 0 });
    expect(isMarked('stj')).toBe(false);
    const again = await remove();
    expect(again).toMatchObject({ exitCode: 0, out: expect.stringContaining('nothing was removed') });
    expect(countIn('stj')).toBe(1);
  });

  test('removes nothing while a real decision is there', async () => {
    loadLines(dataDir, 'tst', [REAL]);
    const aside = `${dataDir}.tst`;
    renameSync(baseFile(dataDir, 'tst'), aside);
    loadLines(dataDir, 'stj', madeUp('stj'));
    renameSync(aside, baseFile(dataDir, 'tst'));
    issueKey(dataDir, 'demo', null, new Date());
    const before = readdirSync(join(dataDir, 'bases'));
    const { exitCode, err } = await remove();
    expect(exitCode).toBe(1);
    expect(err).toContain('nothing was removed');
    expect(err).toContain(baseFile(dataDir, 'tst'));
    expect(readdirSync(join(dataDir, 'bases'))).toEqual(before);
    expect(readKeys(dataDir).keys).toMatchObject([{ name: 'demo', revoked_at: null }]);
  });

  const made = (sql: string) => (file: string) => new Database(file).exec(sql).close();
  test.each([
    ['is damaged', (file: string) => writeFileSync(file, 'no base'), /stf\.db: the base file is damaged/],
    ['is of somebody else', made('CREATE TABLE x (y)'), /stf\.db/],
    ['is of an earlier version', made('PRAGMA user_version = 5'), /stf\.db: it has schema version 5/],
  ])('removes nothing while a base %s', async (_, make, message) => {
    loadLines(dataDir, 'stj', madeUp('stj'));
    rmSync(baseFile(dataDir, 'stf'));
    make(baseFile(dataDir, 'stf'));
    const { exitCode, err } = await remove();
    expect(exitCode).toBe(1);
    expect(err).toMatch(message);
    expect(countIn('stj')).toBe(3);
  });

  test('removes nothing while a load writes', async () => {
    loadLines(dataDir, 'stj', madeUp('stj'));
    const db = new Database(baseFile(dataDir, 'stj'));
    db.exec('BEGIN IMMEDIATE');
    const { exitCode, err } = await remove();
    db.close();
    expect(exitCode).toBe(1);
    expect(err).toContain('another load is writing');
    expect(countIn('stj')).toBe(3);
  });

  test('in a folder without a demo removes nothing, not even a key of that name', async () => {
    loadLines(dataDir, 'stj', [REAL]);
    issueKey(dataDir, 'demo', null, new Date());
    expect(await remove()).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('nothing was removed'),
    });
    expect(readKeys(dataDir).keys).toMatchObject([{ revoked_at: null }]);
    expect(countIn('stj')).toBe(1);
  });
});
