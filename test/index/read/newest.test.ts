import { describe, expect, test } from 'vitest';
import { BLOCK_SIZE } from '../../../src/index/format/schema.ts';
import { Rng } from '../../../src/tools/demo/rng.ts';
import { Budget } from '../../../src/index/read/budget.ts';
import { newBits, setBit } from '../../../src/index/read/bitset.ts';
import type { BlockMatches } from '../../../src/index/read/evaluate.ts';
import { NewestFirst } from '../../../src/index/read/newest.ts';

const LAST = 2 * BLOCK_SIZE + 5_000;

/** Some numbers up to `LAST`, and what of a block a query finds: these, or candidates of which these are verified. */
function someDocIds(share: number, isVerified: boolean) {
  const rng = new Rng(1);
  const all = Array.from({ length: LAST }, (_, at) => at + 1);
  const candidates = isVerified ? all.filter(() => rng.chance(Math.min(1, share * 3))) : all;
  const doc_ids = new Set(candidates.filter(() => rng.chance(share)));
  const asked = { blocks: 0, verified: 0 };
  const foundIn = (block: number): BlockMatches => {
    asked.blocks += 1;
    const bits = newBits();
    for (const docId of isVerified ? candidates : doc_ids) {
      if (Math.floor(docId / BLOCK_SIZE) === block) setBit(bits, docId % BLOCK_SIZE);
    }
    const verify = (offset: number) => {
      asked.verified += 1;
      return doc_ids.has(block * BLOCK_SIZE + offset);
    };
    return { bits, verify: isVerified ? verify : null };
  };
  return { doc_ids: [...doc_ids], foundIn, asked };
}

function budget(): Budget {
  const plenty = new Budget();
  plenty.start(Number.POSITIVE_INFINITY);
  return plenty;
}

describe('the newest matches', () => {
  test.each([
    ['of a set', false, LAST + 1],
    ['of a set, from a place in the middle of a block', false, BLOCK_SIZE + 20_000],
    ['of candidates', true, LAST + 1],
    ['of candidates, from a place in the middle of a block', true, BLOCK_SIZE + 20_000],
    ['of candidates, from the edge of a block', true, BLOCK_SIZE],
    ['of candidates, of a few', true, 3],
  ])('are each given once, in order: %s', (_, isVerified, below) => {
    const { doc_ids, foundIn } = someDocIds(0.01, isVerified);
    const expected = doc_ids.filter((docId) => docId < below).toReversed();
    const newest = new NewestFirst(foundIn, below, budget());
    expect(newest.take(10)).toEqual(expected.slice(0, 10));
    expect(newest.take(7)).toEqual(expected.slice(10, 17));
    expect(newest.take(100_000)).toEqual(expected.slice(17));
  });

  test.each([
    ['few', 0.001],
    ['more than are given', 0.02],
  ])('are counted from the end of the page, %s of them, given at once or one by one', (_, share) => {
    for (const isVerified of [false, true]) {
      const { doc_ids, foundIn } = someDocIds(share, isVerified);
      const newest = new NewestFirst(foundIn, LAST + 1, budget());
      newest.take(20);
      expect(newest.count()).toBe(Math.min(doc_ids.length, 1_001));
    }
  });

  test('are evaluated once, with positions verified only as far as needed', () => {
    const { foundIn, asked } = someDocIds(0.3, true);
    const newest = new NewestFirst(foundIn, LAST + 1, budget());
    expect(newest.take(20)).toHaveLength(20);
    expect(asked.blocks).toBe(1);
    expect(asked.verified).toBeLessThan(20 * 20);
    newest.count();
    expect(asked.blocks).toBeLessThanOrEqual(2);
    expect(asked.verified).toBeLessThan(1_001 * 5);
  });

  test('are abandoned when the client leaves, even in the middle of a block', () => {
    const { foundIn } = someDocIds(0, true);
    const all = { ...foundIn(0), verify: () => false };
    for (let offset = 0; offset < BLOCK_SIZE; offset += 1) setBit(all.bits, offset);
    const stopped = new Budget();
    let looks = 0;
    stopped.start(Number.POSITIVE_INFINITY, undefined, () => (looks += 1) > 3);
    expect(() => new NewestFirst(() => all, BLOCK_SIZE, stopped).take(1)).toThrow();
  });
});
