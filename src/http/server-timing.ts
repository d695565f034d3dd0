import type { Base } from '../contract/vocabulary.ts';
import type { Step } from '../engine/steps.ts';
import type { BaseTiming } from '../search/page.ts';

/**
 * The value of `Server-Timing` for a search: an entry per base with the time, the order applied and whether everything came
 * from the result cache. `cache` is a non-standard parameter, which readers of the header skip (W3C Server Timing, 4.2).
 */
export function searchTiming(timings: readonly BaseTiming[], steps: readonly Step[]): string {
  return timings
    .map(({ base, ordem, ms }) => `${base};dur=${hundredths(ms)};desc="${ordem}";${cacheOf(base, steps)}`)
    .join(', ');
}

/** The same for a record, from a single base; a record from the result cache took none of the base's time. */
export function recordTiming(base: Base, steps: readonly Step[]): string {
  const ms = steps.reduce((sum, { queueMs, runMs }) => sum + queueMs + runMs, 0);
  return `${base};dur=${hundredths(ms)};${cacheOf(base, steps)}`;
}

function cacheOf(base: Base, steps: readonly Step[]): string {
  let result = 'cache=miss';
  for (const step of steps) {
    if (step.base !== base) continue;
    if (!step.cached) return 'cache=miss';
    result = 'cache=hit';
  }
  return result;
}

/** Milliseconds to two decimals. */
export function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}
