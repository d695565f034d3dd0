import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { interleave } from '../../src/search/interleave.ts';

const holdings = fc
  .dictionary(fc.constantFrom(...BASES), fc.integer({ min: 0, max: 12 }))
  .map((counts) => new Map(Object.entries(counts) as [Base, number][]));

describe('interleave', () => {
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
