import type { Histogram } from '../../observe/histogram.ts';

/** Percentiles of times, milliseconds; null when there was no request. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

const SHARES = [0.5, 0.95, 0.99];

export function percentiles(histogram: Histogram): Percentiles {
  const [p50 = null, p95 = null, p99 = null] = histogram.percentiles(SHARES);
  return { p50, p95, p99 };
}
