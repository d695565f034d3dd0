import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PostingList } from '../../../src/index/format/posting-list.ts';
import { NOTHING } from '../../../src/index/format/posting-list.ts';
import { hasBit, newBits, setBit } from '../../../src/index/read/bitset.ts';
import { Hits, addAtLeast, addImpacts } from '../../../src/index/read/hits.ts';
import { runs } from '../../support/runs.ts';

const BLOCK = 65_536;

/** A list of some decisions, drawn from a seed, with an impact each; as few or as many have it. */
function listOf(seed: number, share: number, isDense: boolean): { list: PostingList; impacts: Uint8Array } {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const offsets: number[] = [];
  for (let offset = 0; offset < BLOCK; offset += 1) if (next() < share) offsets.push(offset);
  const impacts = Uint8Array.from(offsets, () => 1 + Math.floor(next() * 255));
  const bitmap = newBits().slice();
  for (const offset of offsets) setBit(bitmap, offset);
  const list: PostingList = {
    count: offsets.length,
    offsets: isDense ? null : Uint16Array.from(offsets),
    bitmap: isDense ? bitmap : null,
    impacts: isDense ? null : impacts,
    positions: NOTHING,
  };
  return { list, impacts };
}

function impactAt({ list, impacts }: ReturnType<typeof listOf>): Map<number, number> {
  const found = new Map<number, number>();
  let rank = 0;
  for (let offset = 0; offset < BLOCK; offset += 1) {
    const isListed = list.bitmap === null ? list.offsets?.[rank] === offset : hasBit(list.bitmap, offset);
    if (isListed) found.set(offset, impacts[rank++] ?? 0);
  }
  return found;
}

describe('hits', () => {
  test('are the matches with at least an impact in a list, and get what other lists add, of few and of many', () => {
    const one = fc.record({
      seed: fc.nat(),
      share: fc.constantFrom(0, 0.0001, 0.01, 0.3, 0.9, 1),
      isDense: fc.boolean(),
    });
    fc.assert(
      fc.property(one, one, one, fc.integer({ min: 1, max: 256 }), (first, second, third, least) => {
        const [driver, other, matching] = [first, second, third].map(({ seed, share, isDense }) =>
          listOf(seed, share, isDense),
        ) as [ReturnType<typeof listOf>, ReturnType<typeof listOf>, ReturnType<typeof listOf>];
        const matches = newBits().slice();
        for (const offset of impactAt(matching).keys()) setBit(matches, offset);
        const hits = new Hits();
        addAtLeast(driver.list, driver.impacts, { least, matches, idf: 3 }, hits);
        addImpacts(other.list, other.impacts, 2, hits);
        const others = impactAt(other);
        const expected = [...impactAt(driver)]
          .filter(([offset, impact]) => impact >= least && hasBit(matches, offset))
          .map(([offset, impact]) => [offset, 3 * impact + 2 * (others.get(offset) ?? 0)]);
        const found = Array.from({ length: hits.count }, (_, at) => [hits.offsets[at], hits.scores[at]]);
        expect(found).toEqual(expected);
        hits.keepAbove(400);
        expect(Array.from(hits.offsets.subarray(0, hits.count))).toEqual(
          expected.filter(([, score]) => (score ?? 0) > 400).map(([offset]) => offset),
        );
      }),
      { numRuns: runs(40) },
    );
  });
});
