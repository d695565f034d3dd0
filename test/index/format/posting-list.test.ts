import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EMPTY_LIST,
  SPARSE_MAX,
  appended,
  countOf,
  edited,
  openList,
  type Postings,
} from '../../../src/index/format/posting-list.ts';
import { BLOCK_SIZE } from '../../../src/index/format/schema.ts';

type Model = Map<number, number>;

/** What a list holds, offsets ascending. */
function contentOf(bytes: Uint8Array): [number, number][] {
  const { count, offsets, bitmap, impacts } = openList(bytes);
  const found =
    offsets === null
      ? Array.from({ length: BLOCK_SIZE }, (_, at) => at).filter(
          (at) => (((bitmap?.[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1,
        )
      : [...offsets];
  expect(found).toHaveLength(count);
  return found.map((offset, at) => [offset, impacts[at] ?? 0]);
}

function listOfModel(model: Model): Uint8Array {
  return appended(EMPTY_LIST, postingsOf([...model].toSorted(([a], [b]) => a - b)));
}

/** In the middle of longer arrays. */
function postingsOf(entries: readonly (readonly [number, number])[]): Postings {
  const framed = [[1, 1], ...entries, [1, 1]] as const;
  return {
    offsets: Uint16Array.from(framed, ([offset]) => offset),
    impacts: Uint8Array.from(framed, ([, impact]) => impact),
    from: 1,
    to: framed.length - 1,
  };
}

/** So many decisions, spread evenly over the block. */
function spread(count: number): Model {
  const step = BLOCK_SIZE / count;
  return new Map(Array.from({ length: count }, (_, at) => [Math.floor(at * step), 1 + (at % 255)]));
}

const size = fc.oneof(
  fc.constantFrom(0, 1, SPARSE_MAX - 1, SPARSE_MAX, SPARSE_MAX + 1, BLOCK_SIZE),
  fc.integer({ min: 0, max: 9_000 }),
);

describe('a list of postings', () => {
  test('holds what was put into it, and its length tells how many they are', () => {
    fc.assert(
      fc.property(size, (count) => {
        const model = spread(count);
        const bytes = listOfModel(model);
        expect(countOf(bytes.length)).toBe(count);
        expect(contentOf(bytes)).toEqual([...model]);
      }),
      { numRuns: 30 },
    );
  });

  test('is the same whether it was written at once or in parts', () => {
    fc.assert(
      fc.property(size, fc.double({ min: 0, max: 1, noNaN: true }), (count, share) => {
        const entries = [...spread(count)];
        const cut = Math.floor(count * share);
        const first = listOfModel(new Map(entries.slice(0, cut)));
        const rest = entries.slice(cut);
        const both = appended(first, postingsOf(rest));
        expect(Buffer.compare(both, listOfModel(new Map(entries)))).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  test('takes changes of single decisions, also where it turns into the other form', () => {
    const change = fc.tuple(
      fc.integer({ min: 0, max: BLOCK_SIZE - 1 }),
      fc.option(fc.integer({ min: 1, max: 255 }), { nil: null }),
    );
    fc.assert(
      fc.property(size, fc.array(change, { maxLength: 6 }), (count, changes) => {
        const model = spread(count);
        let bytes = listOfModel(model);
        for (const [offset, impact] of changes) {
          bytes = edited(bytes, offset, impact);
          if (impact === null) model.delete(offset);
          else model.set(offset, impact);
          expect(Buffer.compare(bytes, listOfModel(model))).toBe(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('can be read from bytes that lie on any address', () => {
    const bytes = listOfModel(spread(5_000));
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(contentOf(shifted.subarray(1))).toEqual(contentOf(bytes));
  });
});
