import { LogHistogram } from './log-histogram.ts';

/**
 * Durations of the latest seconds: of each by itself, and of all that have ended together. Their sum is kept up as
 * seconds come and go, so that the end of one costs the same however many are kept.
 */
export class RecentSeconds {
  /** Of the seconds that have ended and are still kept. */
  readonly all = new LogHistogram();
  /** The seconds that have ended, in turn; the oldest is at `#oldestAt`. */
  readonly #ended: LogHistogram[];
  #oldestAt = 0;
  #current = new LogHistogram();

  /** @param seconds how many that have ended are kept. */
  constructor(seconds: number) {
    this.#ended = Array.from({ length: seconds }, () => new LogHistogram());
  }

  note(ms: number): void {
    this.#current.note(ms);
  }

  /** Notes what another histogram gave as pairs (`LogHistogram.toPairs`). */
  addPairs(pairs: readonly number[]): void {
    this.#current.addPairs(pairs);
  }

  /** Ends the second under way, and forgets the oldest. @returns what was noted in it. */
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
