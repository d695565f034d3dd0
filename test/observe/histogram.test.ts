import { describe, expect, test } from 'vitest';
import { BOUNDS_MS, bucketOf, BUCKETS, percentilesOf } from '../../src/observe/histogram.ts';
import { TallySet } from '../../src/observe/tally-set.ts';

describe('a histogram of fixed buckets', () => {
  test('gives percentiles within 5%, for values of any size', () => {
    for (const scale of [0.02, 1, 50, 30_000]) {
      const series = new TallySet().histogram('waits_seconds', '', true)();
      for (let value = 1; value <= 100; value += 1) series.observe((value / 100) * scale);
      const { p50, p99 } = percentilesOf(series.counts);
      for (const [read, exact] of [
        [p50, 0.5 * scale],
        [p99, 0.99 * scale],
      ] as const) {
        if (exact > 0.02) expect(Math.abs((read ?? 0) / exact - 1)).toBeLessThan(0.05);
      }
    }
  });

  test('counts a value in the first bucket whose bound is not below it, or in one past the last', () => {
    for (const [bucket, bound] of BOUNDS_MS.entries()) {
      expect(bucketOf(bound)).toBe(bucket);
      expect(bucketOf(bound * 1.001)).toBe(bucket + 1);
    }
    expect(bucketOf(0)).toBe(0);
    expect(bucketOf(1e9)).toBe(BUCKETS - 1);
  });
});
