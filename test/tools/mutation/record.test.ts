import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/service.ts';
import { Record } from './record.ts';

test('the record of a mutation run goes on where another run ended, and tries a changed line anew', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'log.jsonl');
  const first = new Record(path);
  const mutant = { at: 4, line: 1, before: ' < ', after: ' <= ' };
  const one = { ...mutant, file: 'src/a/b.ts', text: 'a < b', result: 'failed' } as const;
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
