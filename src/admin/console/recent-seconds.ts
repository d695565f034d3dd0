import { LogHistogram } from './log-histogram.ts';

/**
 * Durations of the latest seconds: each second by itself, and the ended ones together. The sum is updated at the end of
 * each second, whose cost does not depend on the number of stored seconds.
 */
export class RecentSeconds {
  /** The stored seconds together. */
  readonly all = new LogHistogram();
  /** A ring of ended seconds; the oldest is at `#oldestAt`. */
  readonly #ended: LogHistogram[];
  #oldestAt = 0;
  #current = new LogHistogram();

  /** @param seconds how many ended seconds are stored. */
  constructor(seconds: number) {
    this.#ended = Array.from({ length: seconds }, () => new LogHistogram());
  }

  note(ms: number): void {
    this.#current.note(ms);
  }

  /** Ends the current second and removes the oldest. @returns the durations of the ended second. */
  end(): LogHistogram {
    const ended = this.#current;
    const oldest = this.#ended[this.#oldestAt] ?? new LogHistogram();
    this.all.exchange(ended, oldest);
    this.#ended[this.#oldestAt] = ended;
    this.#oldestAt = (this.#oldestAt + 1) % this.#ended.length;
    oldest.clear();
    this.#current = oldest;
    return ended;
  }
}
