import { BASES } from './contract.js';

/** @import { Base, LiveSeries, Metric, Point, Range } from './types.d.ts' */

/** Seconds that the page stores: as many as it can show. */
const SECONDS_MAX = 900;

/** Grid lines of a logarithmic scale, milliseconds. */
export const DECADES = /** @type {const} */ ([0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000]);

/**
 * The figures of every base second by second, as the page received them. Figures from before a restart of the
 * service stay, because the service no longer has them. A missing second is a gap.
 */
export class Store {
  /** @type {Map<Base, Point[]>} */
  #points = new Map();

  /** Takes all figures that the service has stored. @param {LiveSeries['serie']} series */
  takeSeries(series) {
    for (const base of BASES) {
      const known = series[base];
      const first = known[0]?.em ?? Number.POSITIVE_INFINITY;
      const before = this.of(base).filter(({ em }) => em < first);
      this.#points.set(base, [...before, ...known]);
      this.#forget(base);
    }
  }

  /** @param {Base} base @param {Point} point */
  take(base, point) {
    const points = this.of(base);
    if ((points.at(-1)?.em ?? 0) < point.em) this.#points.set(base, [...points, point]);
    this.#forget(base);
  }

  /** @param {Base} base */
  of(base) {
    return this.#points.get(base) ?? [];
  }

  /** The seconds after `from`, in order. @param {Base} base @param {number} from */
  since(base, from) {
    return this.of(base).filter(({ em }) => em > from);
  }

  /** @param {Base} base */
  #forget(base) {
    const oldest = (this.of(base).at(-1)?.em ?? 0) - SECONDS_MAX;
    this.#points.set(base, this.since(base, oldest));
  }
}

/**
 * Points as the columns of a chart; missing seconds break the lines.
 * @param {readonly Point[]} points @param {Pick<Metric, 'linhas' | 'log'>} metric
 * @returns {[number[], ...(number | null)[][]]}
 */
export function columns(points, { linhas, log }) {
  /** @type {number[]} */
  const seconds = [];
  /** @type {(number | null)[][]} */
  const lines = linhas.map(() => []);
  let before = null;
  for (const point of points) {
    if (before !== null && point.em > before + 1) {
      seconds.push(before + 1);
      for (const line of lines) line.push(null);
    }
    before = point.em;
    seconds.push(point.em);
    for (const [at, { de }] of linhas.entries()) {
      const value = de(point);
      lines[at]?.push(log && value !== null ? Math.max(value, DECADES[0]) : value);
    }
  }
  return [seconds, ...lines];
}

/** Indexes of values without a neighbour. @param {ArrayLike<number | null | undefined>} values */
export function lonely(values) {
  const found = [];
  for (let at = 0; at < values.length; at += 1) {
    if (
      (values[at] ?? null) !== null &&
      (values[at - 1] ?? null) === null &&
      (values[at + 1] ?? null) === null
    )
      found.push(at);
  }
  return found;
}

/**
 * The scale that several charts of a metric share.
 * @param {readonly Point[]} all the points of every one of them. @param {Metric} metric @returns {Range}
 */
export function sharedRange(all, { linhas, log, maximo }) {
  if (maximo !== undefined) return [0, maximo];
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const point of all) {
    for (const { de } of linhas) {
      const value = de(point);
      if (value === null) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  if (!log) return [0, Math.max(1, most * 1.1)];
  const below = DECADES.findLast((at) => at <= least) ?? DECADES[0];
  const above = DECADES.find((at) => at >= most) ?? 100_000;
  return [Math.min(below, 1), Math.max(above, 100)];
}
