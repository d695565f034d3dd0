import { describe, expect, test } from 'vitest';
import { isProgram, mutantsOf, mutated, sampled } from './mutants.ts';

const changes = (source: string) => mutantsOf(source).map((mutant) => mutated(source, mutant));

describe('the changes of a file', () => {
  test('are one operator, number or constant at a time', () => {
    expect(changes('if (a < b && c === 1_000) return true;')).toEqual([
      'if (a <= b && c === 1_000) return true;',
      'if (a < b || c === 1_000) return true;',
      'if (a < b && c !== 1_000) return true;',
      'if (a < b && c === 1001) return true;',
      'if (a < b && c === 1_000) return false;',
    ]);
    expect(changes('const left = a + b - c * (d / e ?? 0);')).toHaveLength(6);
  });

  test('are none in comments, texts, regular expressions, imports and types', () => {
    const source = [
      "import { a } from './b1.ts';",
      '/** Less than 5 && more. */',
      "const text = 'a < 5'; // true",
      "const shape = text.replace(/a{1,2} < /u, '');",
      'export type Size = 1 | 2;',
      '  readonly size: 3 | 4;',
      '  readonly #known: Map<string, true>;',
      'const name2 = other1;',
    ].join('\n');
    expect(changes(source)).toEqual([]);
  });

  test('that are no programs are known', () => {
    const found = changes("const a: Pick<B, 'c'> = { c: 2 < d };");
    expect(found.filter(isProgram)).toEqual([
      "const a: Pick<B, 'c'> = { c: 3 < d };",
      "const a: Pick<B, 'c'> = { c: 2 <= d };",
    ]);
    expect(found).toHaveLength(3);
  });

  test('name their line', () => {
    expect(mutantsOf('a\nb < c').map(({ line, before, after }) => [line, before, after])).toEqual([
      [2, ' < ', ' <= '],
    ]);
  });

  test('are drawn anew by the same seed, and a larger draw holds the smaller one', () => {
    const all = mutantsOf('a + b + c + d + e + f + g + h');
    const three = sampled(all, 3, 1);
    expect(three).toHaveLength(3);
    expect(sampled(all, 3, 1)).toEqual(three);
    expect(sampled(all, 5, 1)).toEqual(expect.arrayContaining(three));
    expect(sampled(all, 100, 1)).toEqual(all);
  });
});
