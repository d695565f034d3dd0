import { expect, test } from 'vitest';
import type { CoverReply } from '../../src/engine/messages.ts';
import { addSlice, emptyTotals } from '../../src/search/coverage-totals.ts';
import { emptySlice } from './empty-slice.ts';

const sumOf = (slices: readonly Partial<CoverReply>[]) => {
  const totals = emptyTotals();
  for (const slice of slices) addSlice(totals, { ...emptySlice(1), ...slice });
  return totals;
};

const EARLY: Partial<CoverReply> = {
  total: 2,
  judged_min: 19_990_101,
  judged_max: 20_050_101,
  published_min: 19_990_201,
  published_max: 20_050_201,
  types: ['acordao'],
  years: [
    [1999, 1],
    [2005, 1],
  ],
};
const LATE: Partial<CoverReply> = {
  total: 3,
  judged_min: 20_010_101,
  judged_max: 20_240_101,
  published_min: 20_010_201,
  published_max: 20_240_201,
  types: ['sumula', 'acordao'],
  years: [
    [2005, 2],
    [2024, 1],
  ],
};
const UNDATED: Partial<CoverReply> = { total: 1, types: ['acordao'], years: [] };

test.each([
  ['early ones first', [EARLY, UNDATED, LATE]],
  ['late ones first', [UNDATED, LATE, EARLY]],
  ['undated ones last', [LATE, EARLY, UNDATED]],
])('the coverage of a base is the sum of its slices: %s', (_, slices) => {
  const { types, years, ...rest } = sumOf(slices);
  expect(rest).toEqual({
    total: 6,
    judged_min: 19_990_101,
    judged_max: 20_240_101,
    published_min: 19_990_201,
    published_max: 20_240_201,
  });
  expect([...types].toSorted()).toEqual(['acordao', 'sumula']);
  expect([...(years ?? [])].toSorted(([a], [b]) => a - b)).toEqual([
    [1999, 1],
    [2005, 3],
    [2024, 1],
  ]);
});

test('a base of undated decisions has no period', () => {
  expect(sumOf([UNDATED, UNDATED])).toMatchObject({ total: 2, judged_min: null, published_max: null });
});

test('years are null if a slice has none', () => {
  const { years: _, ...silent } = LATE;
  expect(sumOf([EARLY, silent, EARLY]).years).toBeNull();
});
