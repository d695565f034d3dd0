import { bug } from '../bug.ts';

/** Upper bounds of the buckets of `/metrics`, milliseconds. A base's windows are 1.5, 1 and 2 s unless set otherwise. */
export const SHOWN_BOUNDS_MS = [
  0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 1_500, 2_500, 5_000,
] as const;

const LEAST_MS = 0.01;
const PER_DOUBLING = 8;
const DOUBLINGS = 26;
const RATIO = 2 ** (1 / PER_DOUBLING);

/**
 * Upper bounds of all buckets, milliseconds, ascending: the bounds of `/metrics`, and eight per doubling from 10 µs to ten
 * minutes, so that a percentile is at most 5% off. The last bucket has no bound.
 */
export const BOUNDS_MS = Float64Array.from([
  ...SHOWN_BOUNDS_MS,
  ...Array.from({ length: PER_DOUBLING * DOUBLINGS }, (_, at) => LEAST_MS * 2 ** (at / PER_DOUBLING)),
]).toSorted();
export const BUCKETS = BOUNDS_MS.length + 1;

/** The first bucket whose bound is not below the value. */
export function bucketOf(ms: number): number {
  let low = 0;
  let high = BOUNDS_MS.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ms > (BOUNDS_MS[middle] ?? bug('no bound'))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Percentiles of times, milliseconds; null if nothing was counted. */
export type Percentiles = ReturnType<typeof percentilesOf>;

const FRACTIONS = [0.5, 0.95, 0.99];

/** @param counts per bucket, not cumulative. @returns of each percentile the bucket's geometric middle, to three digits. */
export function percentilesOf(counts: Float64Array) {
  const total = totalOf(counts);
  let bucket = -1;
  let seen = 0;
  const [p50 = null, p95 = null, p99 = null] = FRACTIONS.map((fraction) => {
    while (seen < Math.ceil(total * fraction)) {
      bucket += 1;
      seen += counts[bucket] ?? bug('no bucket');
    }
    return total === 0 ? null : middleOf(bucket);
  });
  return { p50, p95, p99 };
}

export function totalOf(counts: Float64Array): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

function middleOf(bucket: number): number {
  const upper = BOUNDS_MS[bucket] ?? (BOUNDS_MS.at(-1) ?? bug('no bounds')) * RATIO;
  const lower = BOUNDS_MS[bucket - 1] ?? upper / RATIO;
  return Number(Math.sqrt(lower * upper).toPrecision(3));
}
