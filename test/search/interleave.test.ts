import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { interleave } from '../../src/search/interleave.ts';

const holdings = fc
  .dictionary(fc.constantFrom(...BASES), fc.integer({ min: 0, max: 12 }))
  .map((counts) => new Map(Object.entries(counts) as [Base, number][]));

describe('interleave', () => {
  test('gives one item from each base in turn, in the order of bases', () => {
    const available = new Map<Base, number>([
      ['stj', 2],
      ['tst', 3],
      ['eproc', 1],
    ]);
    expect(interleave(available, 'tst', 10).turns).toEqual(['tst', 'stj', 'eproc', 'tst', 'stj', 'tst']);
  });

  test('begins with the base whose turn it is', () => {
    const available = new Map<Base, number>([
      ['tst', 2],
      ['stj', 2],
    ]);
    expect(interleave(available, 'stj', 3)).toEqual({ turns: ['stj', 'tst', 'stj'], vez: 'tjmg' });
  });

  test('ends when no base has anything left', () => {
    expect(interleave(new Map(), 'tst', 5).turns).toEqual([]);
  });

  test('joined pages of any limit equal one long page', () => {
    fc.assert(
      fc.property(
        holdings,
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 80, maxLength: 80 }),
        (held, limits) => {
          const whole = interleave(held, 'tst', 1000).turns;
          const left = new Map(held);
          const joined: Base[] = [];
          let vez: Base = 'tst';
          for (const limite of limits) {
            const page = interleave(left, vez, limite);
            for (const base of page.turns) left.set(base, (left.get(base) ?? 0) - 1);
            joined.push(...page.turns);
            vez = page.vez;
          }
          expect(joined).toEqual(whole);
        },
      ),
    );
  });
});
