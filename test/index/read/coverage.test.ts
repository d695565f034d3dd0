import { describe, expect, test } from 'vitest';
import type { CoverReply } from '../../../src/engine/messages.ts';
import { BLOCK_SIZE } from '../../../src/index/format/schema.ts';
import { handled } from '../../support/handled.ts';
import { coverFrom } from '../../support/requests.ts';
import type { Line } from '../../support/service.ts';

/** Three decisions of the second block, after a first one of decisions without dates. */
const LAST: readonly Line[] = [
  { tipo: 'sumula', data_julgamento: '2020-05-06', data_publicacao: '2021-03-04' },
  { tipo: 'acordao', data_julgamento: '2018-01-31', data_publicacao: '2018-02-01' },
  { tipo: 'acordao', data_julgamento: '2020-12-01' },
];
/** Number 0 is nobody's, so the first block holds one decision less. */
const BEFORE = BLOCK_SIZE - 1;

describe('the coverage of a base', () => {
  const lines = Array.from({ length: BEFORE }, (_, at) => ({ tipo: 'acordao', chave: String(at) }));
  const handler = handled('stf', [...lines, ...LAST]);

  function cover(above: number, most: number): CoverReply {
    const [outcome] = handler.run([coverFrom(above, most)]);
    if (outcome?.ok !== true || outcome.value.kind !== 'cover') throw new Error(JSON.stringify(outcome));
    return outcome.value;
  }

  test('counts undated decisions, which have no part in the period', () => {
    expect(cover(0, 100)).toMatchObject({
      total: 100,
      judged_min: null,
      judged_max: null,
      published_min: null,
      published_max: null,
      types: ['acordao'],
      to: 100,
    });
  });

  test('is calculated block by block, with each decision once', () => {
    const first = cover(0, 10 * BLOCK_SIZE);
    expect(first).toMatchObject({ total: BEFORE, judged_min: null, to: BEFORE });
    expect(cover(BEFORE, 10 * BLOCK_SIZE)).toMatchObject({
      total: LAST.length,
      judged_min: 20_180_131,
      judged_max: 20_201_201,
      published_min: 20_180_201,
      published_max: 20_210_304,
      types: ['acordao', 'sumula'],
      to: null,
    });
  });

  test('of a slice covers its decisions alone', () => {
    expect(cover(BEFORE + 1, 1)).toMatchObject({
      total: 1,
      judged_min: 20_180_131,
      judged_max: 20_180_131,
      types: ['acordao'],
      to: BEFORE + 2,
    });
  });

  test('above the last decision is empty', () => {
    expect(cover(BEFORE + LAST.length, 10)).toMatchObject({ total: 0, types: [], to: null });
  });
});
