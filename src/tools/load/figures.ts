import type { PercentileName } from './histogram.ts';
import type { BaseStep, Batch, Step } from './result.ts';

/** A figure at a rate: milliseconds, a share of 0 to 1, or answers a second. */
export interface Figure {
  readonly unit: 'ms' | 'share' | 'per_s';
  /** Null if nothing was measured. */
  readonly of: (step: Step) => number | null;
  /** The same of a batch; null for a figure that two runs are not compared by. */
  readonly ofBatch: ((batch: Batch) => number | null) | null;
}

/** The figures for judging a run, and for comparing two. */
export const FIGURES = {
  p50: compared('p50'),
  p90: time('p90'),
  p95: time('p95'),
  p99: compared('p99'),
  'p99.9': time('p999'),
  max: time('max'),
  mean: time('mean'),
  complete: {
    unit: 'share',
    of: (step) => shareOf(step.complete, endedOf(step)),
    ofBatch: ({ complete, ended }) => shareOf(complete, ended),
  },
  incomplete: share(({ incomplete, rejected }) => incomplete + rejected),
  errors: share(errorCount),
  cached: { unit: 'share', of: cachedShare, ofBatch: null },
  rate: { unit: 'per_s', of: ({ complete_per_s }) => complete_per_s, ofBatch: null },
} satisfies Record<string, Figure>;

function time(name: PercentileName | 'max' | 'mean'): Figure {
  return { unit: 'ms', of: ({ latency_ms }) => latency_ms.all?.[name] ?? null, ofBatch: null };
}

function compared(name: keyof NonNullable<Batch['latency_ms']>): Figure {
  return { ...time(name), ofBatch: ({ latency_ms }) => latency_ms?.[name] ?? null };
}

function share(counted: (step: Step) => number): Figure {
  return { unit: 'share', of: (step) => shareOf(counted(step), endedOf(step)), ofBatch: null };
}

function shareOf(counted: number, of: number): number | null {
  return of === 0 ? null : counted / of;
}

/** The requests that had an end of their own: neither cut off with the load nor for an id that is gone. */
export function endedOf({ due, interrupted, gone }: Step): number {
  return due - interrupted - gone;
}

/** A step's requests that ended in an error. */
export function errorCount({ errors }: Pick<Step, 'errors'>): number {
  return errors.reduce((sum, { count }) => sum + count, 0);
}

/** The fraction of cached answers, 0 to 1; null if the service does not report it. */
export function cachedShare(of: Pick<Step, 'cache_reported' | 'cache_hits'>): number | null {
  return shareOf(of.cache_hits, of.cache_reported);
}

/** The fraction of a step's searches in which a base was the slowest, 0 to 1. */
export function slowestShare({ slowest }: BaseStep, { bases }: Step): number {
  return (
    shareOf(
      slowest,
      bases.reduce((sum, base) => sum + base.slowest, 0),
    ) ?? 0
  );
}
