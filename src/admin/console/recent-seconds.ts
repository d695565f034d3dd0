import { Histogram, logBounds } from '../../observe/histogram.ts';

/** Percentiles of times, milliseconds; null when there was no request. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}
const SHARES = [0.5, 0.95, 0.99];

/** Milliseconds from 10 µs to 10 minutes, eight buckets for each doubling: a percentile is at most 5% off. */
export const DURATION_BOUNDS = logBounds(0.01, 8, 26);

/**
 * Durations of the latest seconds: each second by itself, and the ended ones together. The sum is updated at the end of
 * each second, whose cost does not depend on the number of stored seconds.
 */
export class RecentSeconds {
  /** The stored seconds together. */
  readonly all = new Histogram(DURATION_BOUNDS);
  /** A ring of ended seconds; the oldest is at `#oldestAt`. */
  readonly #ended: Histogram[];
  #oldestAt = 0;
  #current = new Histogram(DURATION_BOUNDS);

  /** @param seconds how many ended seconds are stored. */
  constructor(seconds: number) {
    this.#ended = Array.from({ length: seconds }, () => new Histogram(DURATION_BOUNDS));
  }

  /** Those of the stored seconds. */
  get percentiles(): Percentiles {
    const [p50 = null, p95 = null, p99 = null] = this.all.percentiles(SHARES);
    return { p50, p95, p99 };
  }

  observe(ms: number): void {
    this.#current.observe(ms);
  }

  /** Notes what another histogram gave as pairs (`Histogram.toPairs`). */
  addPairs(pairs: readonly number[]): void {
    this.#current.addPairs(pairs);
  }

  /** Ends the current second and removes the oldest. @returns the durations of the ended second. */
  end(): Histogram {
    const ended = this.#current;
    const oldest = this.#ended[this.#oldestAt];
    if (oldest === undefined) throw new RangeError('no second is stored');
    this.all.exchange(ended, oldest);
    this.#ended[this.#oldestAt] = ended;
    this.#oldestAt = (this.#oldestAt + 1) % this.#ended.length;
    oldest.clear();
    this.#current = oldest;
    return ended;
  }
}
