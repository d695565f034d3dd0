import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testsOf } from './tests.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe('the tests of a file', () => {
  test.each([
    ['src/query/query.ts', 'test/query/query.test.ts'],
    ['src/index/read/filters.ts', 'test/index/read/evaluate.test.ts'],
    ['src/query/cursor.ts', 'test/query/cursor.test.ts'],
  ])('of %s are among those that import it', (file, wanted) => {
    const found = testsOf(ROOT, file);
    expect(found).toContain(wanted);
    expect(found.length).toBeLessThanOrEqual(8);
  });

  test('begin with the one of its name, and leave out whole processes where others are', () => {
    const found = testsOf(ROOT, 'src/engine/mailbox.ts');
    expect(found[0]).toBe('test/engine/mailbox.test.ts');
    expect(found.filter((name) => /^test\/(?:replicas|tools\/faults)/u.test(name))).toEqual([]);
  });

  test('are none of a file that none imports', () => {
    expect(testsOf(ROOT, 'src/main.ts')).toEqual([]);
  });
});
