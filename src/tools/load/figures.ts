import type { PercentileName } from './histogram.ts';
import {
  difference,
  NORMAL_95,
  shareEstimate,
  widening,
  type Difference,
  type Estimate,
  type Part,
} from './margins.ts';
import type { Step } from './result.ts';
import { errorCount } from './step-figures.ts';

/** A figure of a rate: milliseconds, the requests that it counts out of how many, or answers a second. */
export type Figure =
  | { readonly is: 'time'; readonly percentile: PercentileName | 'max' | 'mean' }
  | { readonly is: 'share'; readonly part: (step: Step) => Part }
  | { readonly is: 'rate' };

const time = (percentile: PercentileName | 'max' | 'mean'): Figure => ({ is: 'time', percentile });
const share = (counted: (step: Step) => number): Figure => ({
  is: 'share',
  part: (step) => ({ of: step.due - step.interrupted, counted: counted(step) }),
});

/** The figures that a run can be judged and compared by. */
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
export type FigureName = keyof typeof FIGURES;

/** A share is 0 to 1. @returns null if there is nothing to measure by. */
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

/** The change of a figure between two runs; null if it has no margin, or one of the runs has no such figure. */
export function changeOf(figure: Figure, before: Step, after: Step): Difference | null {
  const [was, is] = [estimateOf(figure, before), estimateOf(figure, after)];
  return was === null || is === null ? null : difference(was, is);
}

function estimateOf(figure: Figure, step: Step): Estimate | null {
  const value = valueOf(figure, step);
  if (value === null) return null;
  switch (figure.is) {
    case 'time': {
      // The slowest request of all has no margin, and the mean hangs on it.
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

/** How far the requests of a second, or of a pass, fail together. */
function answersWidening({ timeline }: Step): number {
  const passes = Map.groupBy(timeline, ({ pass }) => pass);
  return widening(
    [...passes.values()].map((points) => points.map(({ due, failed }) => ({ of: due, counted: failed }))),
  );
}
