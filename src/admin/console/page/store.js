import { BASES } from './bases.js';

/** Seconds that the page remembers: as many as it can show. */
const SECONDS_MAX = 900;

/**
 * What every base did second by second, as the page has seen it. What came before a restart of the service stays,
 * for the service has forgotten it; a second that nobody reported is a gap.
 */
export class Store {
  #points = new Map(BASES.map((base) => [base, []]));

  /** Takes in all that the service remembers. */
  takeSeries(series) {
    for (const base of BASES) {
      const known = series[base] ?? [];
      const first = known[0]?.em ?? Number.POSITIVE_INFINITY;
      const before = this.of(base).filter(({ em }) => em < first);
      this.#points.set(base, [...before, ...known]);
      this.#forget(base);
    }
  }

  take(base, point) {
    const points = this.of(base);
    if ((points.at(-1)?.em ?? 0) < point.em) points.push(point);
    this.#forget(base);
  }

  of(base) {
    return this.#points.get(base) ?? [];
  }

  /** The seconds after `from`, in order. */
  since(base, from) {
    return this.of(base).filter(({ em }) => em > from);
  }

  #forget(base) {
    const points = this.of(base);
    const oldest = (points.at(-1)?.em ?? 0) - SECONDS_MAX;
    while ((points[0]?.em ?? Number.POSITIVE_INFINITY) <= oldest) points.shift();
  }
}
