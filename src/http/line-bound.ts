import type { Clock } from '../clock.ts';

/** Log lines a second, for failed and for slow requests separately; one more line counts the rest. */
export const LOG_LINES_MAX = 10;
const LOG_WINDOW_MS = 1_000;

/**
 * Bounds log lines of a kind: `linesMax` a second, and one more line for the number beyond that. Under overload thousands of
 * requests fail together, and a line for each would make it worse.
 */
export class LineBound {
  readonly #clock: Clock;
  readonly #linesMax: number;
  readonly #reportRemainder: (count: number) => void;
  #count = 0;

  /** @param reportRemainder called at the end of a second with the number of lines beyond the bound, if any. */
  constructor(clock: Clock, linesMax: number, reportRemainder: (count: number) => void) {
    this.#clock = clock;
    this.#linesMax = linesMax;
    this.#reportRemainder = reportRemainder;
  }

  /** Counts one line. @returns whether it may be logged. */
  admits(): boolean {
    if (this.#count === 0) {
      this.#clock.after(LOG_WINDOW_MS, () => {
        this.#close();
      });
    }
    this.#count += 1;
    return this.#count <= this.#linesMax;
  }

  #close(): void {
    const remainder = this.#count - this.#linesMax;
    this.#count = 0;
    if (remainder > 0) this.#reportRemainder(remainder);
  }
}
