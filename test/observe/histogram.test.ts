import { describe, expect, test } from 'vitest';
import { Histogram, logBounds } from '../../src/observe/histogram.ts';

const BOUNDS = logBounds(0.01, 8, 26);

describe('a histogram of fixed buckets', () => {
  test('gives percentiles that are at most 5% off, however small or large', () => {
    for (const scale of [0.02, 1, 50, 30_000]) {
      const histogram = new Histogram(BOUNDS);
      for (let value = 1; value <= 100; value += 1) histogram.observe((value / 100) * scale);
      const [p50 = null, p99 = null] = histogram.percentiles([0.5, 0.99]);
      for (const [read, exact] of [
        [p50, 0.5 * scale],
        [p99, 0.99 * scale],
      ] as const) {
        if (exact > 0.02) expect(Math.abs((read ?? 0) / exact - 1)).toBeLessThan(0.05);
      }
    }
  });

  test('has no percentile of nothing, and adds and subtracts others', () => {
    const [one, two, none] = [new Histogram(BOUNDS), new Histogram(BOUNDS), new Histogram(BOUNDS)];
    expect(one.percentiles([0.5, 0.99])).toEqual([null, null]);
    two.observe(0);
    two.observe(5);
    one.exchange(two, none);
    expect(one.total).toBe(2);
    expect(one.percentiles([0.5, 0.99])).toEqual(two.percentiles([0.5, 0.99]));
    one.exchange(none, two);
    expect(one.percentiles([0.5])).toEqual([null]);
    two.clear();
    expect(two.percentiles([0.5])).toEqual([null]);
  });

  test('counts in the first bucket whose bound is not below the value, and beyond the last in one more', () => {
    const histogram = new Histogram(Float64Array.of(1, 2, 5));
    for (const value of [0, 1, 1.1, 2, 5, 5.1, 80]) histogram.observe(value);
    expect([...histogram.counts]).toEqual([2, 2, 1, 2]);
    expect(histogram.sum).toBeCloseTo(94.2);
    expect(histogram.total).toBe(7);
  });

  test.each([NaN, Infinity, -Infinity])('refuses %d and keeps its sum', (value) => {
    const histogram = new Histogram(BOUNDS);
    expect(() => {
      histogram.observe(value);
    }).toThrow(TypeError);
    expect([histogram.sum, histogram.total]).toEqual([0, 0]);
  });
});
