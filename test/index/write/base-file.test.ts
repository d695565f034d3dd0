import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { baseFile, basesFolder } from '../../../src/index/format/schema.ts';
import { createBases, hasNoBases, openForWriting } from '../../../src/index/write/base-file.ts';
import { temporaryFolder } from '../../support/service.ts';

describe('a base file', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  test('that is created ignores and keeps what an earlier one left next to it', () => {
    mkdirSync(basesFolder(folder));
    const file = baseFile(folder, 'stj');
    for (const suffix of ['-wal', '-shm', '-journal']) writeFileSync(file + suffix, `left${suffix}`);
    openForWriting(folder, 'stj').close();
    const left = readdirSync(basesFolder(folder)).filter((name) => name.includes('left'));
    expect(left.map((name) => readFileSync(join(basesFolder(folder), name), 'utf8')).toSorted()).toEqual([
      'left-journal',
      'left-shm',
      'left-wal',
    ]);
  });

  test('is created with those of all bases in an empty folder, and alone in a folder with others', () => {
    expect(hasNoBases(folder)).toBe(true);
    createBases(folder);
    expect(hasNoBases(folder)).toBe(false);
    rmSync(baseFile(folder, 'stj'));
    rmSync(baseFile(folder, 'tst'));
    openForWriting(folder, 'stj').close();
    const made = readdirSync(basesFolder(folder)).filter((name) => name.endsWith('.db'));
    const others = BASES.filter((base) => base !== 'tst').map((base) => `${base}.db`);
    expect(made.toSorted()).toEqual(others.toSorted());
  });

  test('of another base is refused', () => {
    const db = openForWriting(folder, 'stj');
    db.exec(`UPDATE meta SET value = 'tst' WHERE key = 'base'`);
    db.close();
    expect(() => openForWriting(folder, 'stj')).toThrow('is the file of base tst, not of stj');
  });
});
