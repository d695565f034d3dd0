import { BASES } from './contract.js';

/** Seconds that the page stores: as many as it can show. */
const SECONDS_MAX = 900;

/**
 * The figures of every base second by second, as the page received them. Figures from before a restart of the service
 * stay, because the service no longer has them. A missing second is a gap.
 */
export class Store {
  #points = new Map(BASES.map((base) => [base, []]));

  /** Takes all figures that the service has stored. */
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
