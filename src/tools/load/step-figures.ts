import type { BaseStep, Step } from './result.ts';

/** Requests of a step that ended in an error. */
export function errorCount({ errors }: Pick<Step, 'errors'>): number {
  return errors.reduce((sum, { count }) => sum + count, 0);
}

/** The fraction of answers from the result cache, 0 to 1; null if the service does not report it. */
export function cachedShare({
  cache_reported,
  cache_hits,
}: Pick<Step, 'cache_reported' | 'cache_hits'>): number | null {
  return cache_reported === 0 ? null : cache_hits / cache_reported;
}

/** The fraction of a step's searches in which a base was the slowest, 0 to 1. */
export function slowestShare({ slowest }: BaseStep, { bases }: Step): number {
  const searches = bases.reduce((sum, base) => sum + base.slowest, 0);
  return searches === 0 ? 0 : slowest / searches;
}

/** A base's times in one order; null if it applied that order to no search. */
export function latencyOfOrder(base: BaseStep | undefined, ordem: string): BaseStep['latency_ms'] {
  return base?.por_ordem.find((one) => one.ordem === ordem)?.latency_ms ?? null;
}
