import type { Base } from '../contract/vocabulary.ts';
import type { Step } from '../engine/steps.ts';
import type { BaseTiming } from '../search/page.ts';

/**
 * The value of `Server-Timing` for a search: an entry per base with the time, the order applied and whether the answer came
 * from the cache. `cache` is a non-standard parameter, which readers of the header skip (W3C Server Timing, 4.2).
 */
export function searchTiming(timings: readonly BaseTiming[], cache: 'hit' | 'miss'): string {
  return timings
    .map(({ base, ordem, ms }) => `${base};dur=${hundredths(ms)};desc="${ordem}";cache=${cache}`)
    .join(', ');
}

/** The same for a record, from a single base; one from the cache took none of the base's time. */
export function recordTiming(base: Base, steps: readonly Step[], cache: 'hit' | 'miss'): string {
  const ms = steps.reduce((sum, { queueMs, runMs }) => sum + queueMs + runMs, 0);
  return `${base};dur=${hundredths(ms)};cache=${cache}`;
}

/** Milliseconds to two decimals. */
export function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}
