import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/service.ts';
import { Record, summary, type Result, type Tried } from './record.ts';

const tried = (file: string, result: Result, at = 4): Tried => ({
  file,
  result,
  at,
  line: 1,
  before: ' < ',
  after: ' <= ',
  text: 'a < b',
});

describe('the record of a mutation run', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('goes on where another run ended, and tries a changed line anew', () => {
    const path = join(folder, 'log.jsonl');
    const first = new Record(path);
    const one = tried('src/a/b.ts', 'failed');
    first.add(one);
    first.addTime('test/a/b.test.ts', 1.2);
    const second = new Record(path);
    expect(second.tried).toEqual([one]);
    expect(second.secondsOf.get('test/a/b.test.ts')).toBe(1.2);
    expect(second.has('src/a/b.ts', one, 'a < b')).toBe(true);
    expect(second.has('src/a/b.ts', one, 'a < c')).toBe(false);
    expect(second.has('src/a/b.ts', { ...one, at: 5 }, 'a < b')).toBe(false);
    expect(second.has('src/a/c.ts', one, 'a < b')).toBe(false);
  });

  test('is summed by folder and as a whole', () => {
    const all = [
      tried('src/a/b.ts', 'failed'),
      tried('src/a/c.ts', 'unnoticed'),
      tried('src/a/c.ts', 'endless', 9),
      tried('src/d/e.ts', 'failed'),
    ];
    expect(summary(all).split('\n')).toEqual([
      'src/a: 2 of 3 changes noticed, 66.7% (1 by a run without end)',
      'src/d: 1 of 1 changes noticed, 100.0%',
      'score: 3 of 4 changes noticed, 75.0% (1 by a run without end)',
    ]);
  });
});
