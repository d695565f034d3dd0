import type { PercentileName } from './histogram.ts';
import {
  difference,
  mean,
  meanDifference,
  NORMAL_95,
  shareEstimate,
  widening,
  type Difference,
  type Estimate,
  type Part,
} from './margins.ts';
import type { BaseStep, Run, Step } from './result.ts';

/** A figure at a rate: milliseconds, a count of requests out of a total, or answers a second. */
export type Figure =
  | { readonly is: 'time'; readonly percentile: PercentileName | 'max' | 'mean' }
  | { readonly is: 'share'; readonly part: (step: Step) => Part }
  | { readonly is: 'rate' };

const time = (percentile: PercentileName | 'max' | 'mean'): Figure => ({ is: 'time', percentile });
const share = (counted: (step: Step) => number): Figure => ({
  is: 'share',
  part: (step) => ({ of: step.due - step.interrupted - step.gone, counted: counted(step) }),
});

/** The figures for judging and comparing runs. */
export const FIGURES = {
  p50: time('p50'),
  p90: time('p90'),
  p95: time('p95'),
  p99: time('p99'),
  'p99.9': time('p999'),
  max: time('max'),
  mean: time('mean'),
  complete: share(({ complete }) => complete),
  incomplete: share(({ incomplete, rejected }) => incomplete + rejected),
  errors: share(errorCount),
  cached: {
    is: 'share',
    part: ({ cache_reported, cache_hits }) => ({ of: cache_reported, counted: cache_hits }),
  },
  rate: { is: 'rate' },
} satisfies Record<string, Figure>;

/** A share is 0 to 1. @returns null if nothing was measured. */
export function valueOf(figure: Figure, step: Step): number | null {
  switch (figure.is) {
    case 'time':
      return step.latency_ms.all?.[figure.percentile] ?? null;
    case 'share': {
      const { of, counted } = figure.part(step);
      return of === 0 ? null : counted / of;
    }
    case 'rate':
      return step.complete_per_s;
  }
}

/** A figure's change between two runs; null if it has no margin, or if a run lacks the figure. */
export function changeOf(figure: Figure, before: Step, after: Step): Difference | null {
  const [was, is] = [estimateOf(figure, before), estimateOf(figure, after)];
  return was === null || is === null ? null : difference(was, is);
}

/** A percentile's change over all common rates of two sweeps, as a factor. */
export interface OverallChange extends Difference {
  readonly rates: number;
}

/**
 * The factor between two sweeps' percentiles over all common rates: the geometric mean over each pass's rates.
 * A single rate in a single pass depends on other work on the machine in those seconds; the mean depends on it
 * far less, and the passes show how much.
 * @returns null with one common rate or one pass, or if the figure is no percentile.
 */
export function overallChange(
  figure: Figure | null,
  before: Pick<Run, 'steps'>,
  after: Pick<Run, 'steps'>,
): OverallChange | null {
  if (figure?.is !== 'time' || figure.percentile === 'max' || figure.percentile === 'mean') return null;
  const { percentile } = figure;
  const pairs = commonSteps(before, after);
  const was = meanLogs(
    pairs.map((pair) => pair.was),
    percentile,
  );
  const is = meanLogs(
    pairs.map((pair) => pair.is),
    percentile,
  );
  if (pairs.length < 2 || was.length < 2 || is.length < 2) return null;
  const { value, low, high } = meanDifference(was, is);
  return { value: Math.exp(value), low: Math.exp(low), high: Math.exp(high), rates: pairs.length };
}

/** The steps at every rate that both runs have. */
export function commonSteps(
  before: Pick<Run, 'steps'>,
  after: Pick<Run, 'steps'>,
): { was: Step; is: Step }[] {
  return after.steps.flatMap((is) => {
    const was = before.steps.find(({ rate_per_s }) => rate_per_s === is.rate_per_s);
    return was === undefined ? [] : [{ was, is }];
  });
}

/** More batches would be shorter than a machine's slow periods, so neighbours would depend on each other. */
const BATCHES_MAX = 4;

/** A percentile's mean logarithm over all rates, for each batch of passes with answers at every rate. */
function meanLogs(steps: readonly Step[], percentile: PercentileName): number[] {
  const passes = (steps[0]?.passes_ms ?? []).flatMap((_, pass) => {
    const times = steps.map(({ passes_ms }) => passes_ms[pass]?.[percentile] ?? 0);
    return times.some((ms) => ms === 0) ? [] : [mean(times.map(Math.log))];
  });
  const size = Math.ceil(passes.length / BATCHES_MAX);
  const batches = Map.groupBy(passes.entries(), ([at]) => Math.floor(at / size));
  return [...batches.values()].map((entries) => mean(entries.map(([, value]) => value)));
}

function estimateOf(figure: Figure, step: Step): Estimate | null {
  const value = valueOf(figure, step);
  if (value === null) return null;
  switch (figure.is) {
    case 'time': {
      // The maximum has no margin, and the mean would depend on it.
      if (figure.percentile === 'max' || figure.percentile === 'mean') return null;
      const between = step.latency_ms.all?.between[figure.percentile];
      return between === undefined ? null : { value, ...between };
    }
    case 'share':
      return shareEstimate(figure.part(step), answersWidening(step));
    case 'rate': {
      const margin = (answersWidening(step) * NORMAL_95 * Math.sqrt(step.complete)) / step.seconds;
      return { value, low: value - margin, high: value + margin };
    }
  }
}

/** How much failures correlate within a second, or within a pass. */
function answersWidening({ timeline }: Step): number {
  const passes = Map.groupBy(timeline, ({ pass }) => pass);
  return widening(
    [...passes.values()].map((points) => points.map(({ due, failed }) => ({ of: due, counted: failed }))),
  );
}

/** A step's requests that ended in an error. */
export function errorCount({ errors }: Pick<Step, 'errors'>): number {
  return errors.reduce((sum, { count }) => sum + count, 0);
}

/** The fraction of cached answers, 0 to 1; null if the service does not report it. */
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
