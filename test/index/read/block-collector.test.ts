import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NO_BYTES,
  SPARSE_MAX,
  densePart,
  offsetsOf,
  sparsePart,
  type PostingList,
} from '../../../src/index/format/posting-list.ts';
import { BLOCK_SIZE, impactsKey, postingsKey } from '../../../src/index/format/schema.ts';
import { hasBit, newBits, setBit } from '../../../src/index/read/bitset.ts';
import { Budget } from '../../../src/index/read/budget.ts';
import { BlockCollector, addAtLeast, addImpacts } from '../../../src/index/read/block-collector.ts';
import { ListRows } from '../../../src/index/read/list-rows.ts';
import { MergedList } from '../../../src/index/read/merged-list.ts';
import type { Reading } from '../../../src/index/read/term-list.ts';
import { threadCacheAt } from '../../../src/index/read/thread-cache.ts';

const least = fc.oneof(fc.integer({ min: 1, max: 256 }), fc.constantFrom(1, 255, 256));

/** A list of some decisions, drawn from a seed, with an impact each; as few or as many have it. */
function listOf(seed: number, share: number, isDense: boolean): { list: PostingList; impacts: Uint8Array } {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const offsets: number[] = [];
  for (let offset = 0; offset < BLOCK_SIZE; offset += 1) if (next() < share) offsets.push(offset);
  const impacts = Uint8Array.from(offsets, () => 1 + Math.floor(next() * 255));
  const bitmap = newBits().slice();
  for (const offset of offsets) setBit(bitmap, offset);
  const count = offsets.length;
  if (isDense) return { list: { kind: 'dense', count, bitmap }, impacts };
  const sparse = { kind: 'sparse', offsets: Uint16Array.from(offsets), positions: NO_BYTES } as const;
  return { list: { ...sparse, count, impacts }, impacts };
}

function impactAt({ list, impacts }: ReturnType<typeof listOf>): Map<number, number> {
  const found = new Map<number, number>();
  let rank = 0;
  for (let offset = 0; offset < BLOCK_SIZE; offset += 1) {
    const isListed = list.kind === 'sparse' ? list.offsets[rank] === offset : hasBit(list.bitmap, offset);
    if (isListed) found.set(offset, impacts[rank++] ?? 0);
  }
  return found;
}

describe('collector', () => {
  test('are the matches of a list with at least an impact, with impacts of other lists added, for few and for many', () => {
    const one = fc.record({
      seed: fc.nat(),
      share: fc.constantFrom(0, 0.0001, 0.01, 0.3, 0.9, 1),
      isDense: fc.boolean(),
    });
    fc.assert(
      fc.property(one, one, one, least, (first, second, third, wanted) => {
        const made = ({ seed, share, isDense }: typeof first) => listOf(seed, share, isDense);
        const [driver, other, matching] = [made(first), made(second), made(third)];
        const matches = newBits().slice();
        for (const offset of impactAt(matching).keys()) setBit(matches, offset);
        const collector = new BlockCollector();
        addAtLeast(driver.list, driver.impacts, { least: wanted, matches, idf: 3 }, collector);
        addImpacts(other.list, other.impacts, 2, collector);
        const others = impactAt(other);
        const expected = [...impactAt(driver)]
          .filter(([offset, impact]) => impact >= wanted && hasBit(matches, offset))
          .map(([offset, impact]) => [offset, 3 * impact + 2 * (others.get(offset) ?? 0)]);
        const found = Array.from({ length: collector.count }, (_, at) => [
          collector.offsets[at],
          collector.scores[at],
        ]);
        expect(found).toEqual(expected);
        collector.keepAbove(400);
        expect(Array.from(collector.offsets.subarray(0, collector.count))).toEqual(
          expected.filter(([, score]) => (score ?? 0) > 400).map(([offset]) => offset),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('of a prefix are those with the best impacts of its words, whatever was read before', () => {
    const word = fc.record({ seed: fc.nat(), share: fc.constantFrom(0.0001, 0.01, 0.1, 0.5) });
    const ask = fc.record({ kind: fc.constantFrom('least', 'add', 'max'), seed: fc.nat(), least });
    const asks = fc.array(ask, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), asks, (words, asked) => {
        const lists = words.map(({ seed, share }) => listOf(seed, share, false));
        const best = new Map<number, number>();
        for (const list of lists) {
          for (const [offset, impact] of impactAt(list))
            best.set(offset, Math.max(impact, best.get(offset) ?? 0));
        }
        const prefix = mergedOf(lists);
        expect(prefix.count(0)).toBe(best.size);
        for (const { kind, seed, least: wanted } of asked) {
          const matching = impactAt(listOf(seed, 0.2, false));
          const matches = newBits().slice();
          for (const offset of matching.keys()) setBit(matches, offset);
          const expected = [...matching.keys()].map(
            (offset) => [offset, 2 * (best.get(offset) ?? 0)] as const,
          );
          const collector = new BlockCollector();
          if (kind === 'max') expect(prefix.max(0)).toBe(Math.max(0, ...best.values()));
          else {
            if (kind === 'least') prefix.addAtLeast(0, { least: wanted, matches, idf: 2 }, collector);
            else collector.reset(matches);
            if (kind === 'add') prefix.addImpacts(0, 2, collector);
            const found = Array.from({ length: collector.count }, (_, at) => [
              collector.offsets[at],
              collector.scores[at],
            ]);
            expect(found).toEqual(
              kind === 'add' ? expected : expected.filter(([, score]) => score >= 2 * wanted),
            );
          }
        }
      }),
      { numRuns: 12 },
    );
  });
});

/** The list of a prefix of some words, from rows as a base file has them. */
function mergedOf(lists: readonly ReturnType<typeof listOf>[]): MergedList {
  const rows = new Map<number, Uint8Array>();
  for (const [at, { list, impacts }] of lists.entries()) {
    const docIds = offsetsOf(list);
    const isSparse = docIds.length <= SPARSE_MAX;
    const count = docIds.length;
    const part = isSparse ? sparsePart(0, docIds, impacts, count, NO_BYTES) : densePart(0, docIds, count);
    rows.set(postingsKey(at + 1, 0), part);
    if (!isSparse) rows.set(impactsKey(at + 1, 0), impacts);
  }
  const cache = threadCacheAt({}, 1);
  const reading: Reading = {
    blocks: 1,
    reads: 'impacts',
    cache,
    rows: new ListRows((_, key) => rows.get(key) ?? NO_BYTES, cache),
  };
  const entries = lists.map((_, at) => ({ kind: 'list' as const, id: at + 1, rows: [0, 1] }));
  const budget = new Budget();
  budget.start(Number.POSITIVE_INFINITY);
  return new MergedList(budget, reading, { token: 'dan', prefix: true }, entries);
}
