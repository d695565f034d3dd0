import type { Base } from '../../../contract/vocabulary.ts';
import type { Point } from '../base-gauge.ts';
import type { LiveSeries } from '../live-routes.ts';
import { BASES } from './vocabulary.js';
import type { Metric } from './metrics.ts';

export type Range = [from: number, to: number];

/** Seconds that the page stores: the longest period it can show. */
const SECONDS_MAX = 900;

/** Grid lines of a logarithmic scale, milliseconds. */
export const DECADES = [0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000] as const;

/**
 * Every base's figures by second, as the page received them. Figures from before a restart of the
 * service stay, because the service no longer has them. A missing second is a gap.
 */
const stored = new Map<Base, readonly Point[]>();

/** Takes seconds that are new, or replace those of a clock that was set back. */
export function takePoints(series: LiveSeries['serie']) {
  for (const base of BASES) {
    const known = series[base];
    const first = known[0]?.em ?? Number.POSITIVE_INFINITY;
    const all = [...pointsSince(base, 0).filter(({ em }) => em < first), ...known];
    const oldest = (all.at(-1)?.em ?? 0) - SECONDS_MAX;
    const kept = all.filter(({ em }) => em > oldest);
    stored.set(base, kept);
  }
}

/** The latest second that is here; 0 for none. */
export function lastSecond() {
  return Math.max(0, ...BASES.map((base) => pointsSince(base, 0).at(-1)?.em ?? 0));
}

export function pointsSince(base: Base, from: number) {
  return (stored.get(base) ?? []).filter(({ em }) => em > from);
}

/** Points as the columns of a chart; missing seconds break the lines. */
export function columns(
  points: readonly Point[],
  { lines: shown, isLog }: Pick<Metric, 'lines' | 'isLog'>,
): [number[], ...(number | null)[][]] {
  const seconds: number[] = [];
  const lines: (number | null)[][] = shown.map(() => []);
  let before = null;
  for (const point of points) {
    if (before !== null && point.em > before + 1) {
      seconds.push(before + 1);
      for (const line of lines) line.push(null);
    }
    before = point.em;
    seconds.push(point.em);
    for (const [at, { of }] of shown.entries()) {
      const value = of(point);
      lines[at]?.push(isLog && value !== null ? Math.max(value, DECADES[0]) : value);
    }
  }
  return [seconds, ...lines];
}

/** Indexes of values without a neighbour. */
export function lonely(values: ArrayLike<number | null | undefined>) {
  const isMissing = (at: number) => (values[at] ?? null) === null;
  return Array.from(values, (_, at) => at).filter(
    (at) => !isMissing(at) && isMissing(at - 1) && isMissing(at + 1),
  );
}

/** The scale that a metric's charts share. @param all the points of all charts. */
export function sharedRange(all: readonly Point[], { lines, isLog, max }: Metric): Range {
  if (max !== undefined) return [0, max];
  const values = all.flatMap((point) => lines.flatMap(({ of }) => of(point) ?? []));
  const [least, most] = [Math.min(...values), Math.max(0, ...values)];
  if (!isLog) return [0, Math.max(1, most * 1.1)];
  const below = DECADES.findLast((at) => at <= least) ?? DECADES[0];
  const above = DECADES.find((at) => at >= most) ?? 100_000;
  return [Math.min(below, 1), Math.max(above, 100)];
}
