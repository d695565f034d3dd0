import { describe, expect, test } from 'vitest';
import { BLOCK_SIZE } from '../../../src/index/format/schema.ts';
import { Rng } from '../../../src/tools/demo/rng.ts';
import { countBits, intersect, newBits, setBit, type Bits } from '../../../src/index/read/bitset.ts';
import { NewestFirst } from '../../../src/index/read/newest.ts';

const LAST = 2 * BLOCK_SIZE + 5_000;

/** Some numbers up to `LAST`, and the matches of a block as a query gives them. */
function someNumbers(seed: number): {
  numeros: number[];
  matchesOf: (block: number, within: Bits | null) => Bits;
} {
  const rng = new Rng(seed);
  const numeros = Array.from({ length: LAST }, (_, at) => at + 1).filter(() => rng.chance(0.01));
  const matchesOf = (block: number, within: Bits | null) => {
    const bits = newBits();
    for (const numero of numeros) {
      if (Math.floor(numero / BLOCK_SIZE) === block) setBit(bits, numero % BLOCK_SIZE);
    }
    if (within !== null) intersect(bits, within);
    return bits;
  };
  return { numeros, matchesOf };
}

function numbersOf({ base, end, bits }: { base: number; end: number; bits: Bits }): number[] {
  const found: number[] = [];
  for (let offset = end - 1; offset >= 0; offset -= 1) {
    if (((bits[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) found.push(base + offset);
  }
  return found;
}

describe('the newest matches', () => {
  test.each([
    ['blocks', false, LAST + 1],
    ['spans of few decisions first', true, LAST + 1],
    ['spans of few decisions first, from a place in the middle of a block', true, BLOCK_SIZE + 20_000],
    ['spans of few decisions first, from the edge of a block', true, BLOCK_SIZE],
    ['spans of few decisions first, of a few', true, 3],
  ])('come each once and in order, by %s', (_, isStepwise, below) => {
    const { numeros, matchesOf } = someNumbers(1);
    const newest = new NewestFirst(matchesOf, below, isStepwise);
    const expected = numeros.filter((numero) => numero < below).toReversed();
    expect([...newest.spans(Number.MAX_SAFE_INTEGER)].flatMap((span) => numbersOf(span))).toEqual(expected);
  });

  test('are evaluated once, however often they are gone over, and only as far as they are needed', () => {
    const { matchesOf } = someNumbers(2);
    let evaluated = 0;
    const counting = (block: number, within: Bits | null) => {
      evaluated += 1;
      return matchesOf(block, within);
    };
    const newest = new NewestFirst(counting, LAST + 1, true);
    for (const _ of newest.spans(Number.MAX_SAFE_INTEGER)) break;
    expect(evaluated).toBe(1);
    const spans = [...newest.spans(Number.MAX_SAFE_INTEGER)].length;
    expect([...newest.spans(Number.MAX_SAFE_INTEGER)]).toHaveLength(spans);
    expect(evaluated).toBe(spans);
  });

  test('are looked for no further than those wanted are to be expected, whether they are many or few', () => {
    for (const share of [0.5, 0.05, 0.005]) {
      const rng = new Rng(3);
      const all = newBits();
      for (let offset = 0; offset < BLOCK_SIZE; offset += 1) if (rng.chance(share)) setBit(all, offset);
      let asked = 0;
      const matchesOf = (_: number, within: Bits | null) => {
        const bits = all.slice();
        if (within === null) asked += BLOCK_SIZE;
        else {
          asked += countBits(within);
          intersect(bits, within);
        }
        return bits;
      };
      const newest = new NewestFirst(matchesOf, BLOCK_SIZE, true);
      for (const wanted of [21, 201]) {
        let found = 0;
        for (const { bits } of newest.spans(wanted)) {
          found += countBits(bits);
          if (found >= wanted) break;
        }
        expect(found).toBeGreaterThanOrEqual(wanted);
        // The least span is of 256; of rare matches the spans grow by four until there are some to go by.
        const most = share < 0.05 ? 4.5 : 1.5;
        expect(asked).toBeLessThanOrEqual(Math.max(512, (wanted / share) * most));
      }
    }
  });
});
