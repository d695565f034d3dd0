import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { run } from '../../support/run.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  const lines = ['dano', 'lei'].map((ementa) => ({ tipo: 'acordao', ementa }));
  loadLines(folder, 'stf', lines);
});
const check = (base: string) => run('index/check/command.ts', [base], { DATA_DIR: folder });

test('check-base of a sound file prints that and exits with 0', async () => {
  expect(await check('stf')).toMatchObject({ exitCode: 0, out: 'stf: sound\n' });
});

test('check-base of a damaged file lists and counts the damage, and exits with 1', async () => {
  const db = new Database(baseFile(folder, 'stf'));
  db.exec(`UPDATE item SET data = zeroblob(9); DELETE FROM record`);
  db.close();
  const { exitCode, out } = await check('stf');
  expect(exitCode).toBe(1);
  const lines = out.trimEnd().split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'stf: record 0 is missing',
      'stf: item 1 is damaged',
      'stf: item 2 is damaged',
      'stf: record has 0 rows where 1 belong',
    ]),
  );
  expect(lines[0]).toMatch(/^stf: damaged: put .*stf\.db back from a backup, or move it away and load/u);
  expect(lines.at(-1)).toBe(`stf: damaged, in ${lines.length - 2} places`);
});

test('check-base of a missing file or an unknown base names it and exits with 1', async () => {
  rmSync(baseFile(folder, 'tst'));
  expect(await check('tst')).toMatchObject({ exitCode: 1, err: expect.stringContaining('there is no file') });
  expect(await check('xyz')).toMatchObject({ exitCode: 1, err: expect.stringContaining('xyz') });
});
