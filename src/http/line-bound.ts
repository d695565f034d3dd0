import type { Clock } from '../engine/clock.ts';

const WINDOW_MS = 1_000;

/**
 * Bounds how often something is told: so many times a second, and once more for how many there were beyond that. What
 * goes wrong under overload goes wrong for thousands at once, and telling each of them would make it worse.
 */
export class LineBound {
  readonly #clock: Clock;
  readonly #linesMax: number;
  readonly #reportRemainder: (count: number) => void;
  #count = 0;

  /** @param reportRemainder told at the end of a second in which there were more, how many more. */
  constructor(clock: Clock, linesMax: number, reportRemainder: (count: number) => void) {
    this.#clock = clock;
    this.#linesMax = linesMax;
    this.#reportRemainder = reportRemainder;
  }

  /** Counts one. @returns whether it may be told. */
  admits(): boolean {
    if (this.#count === 0) {
      this.#clock.after(WINDOW_MS, () => {
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
