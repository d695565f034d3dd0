import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';

/** Interval of the log lines that count rejected searches. */
const OVERLOAD_LOG_MS = 10_000;

/**
 * Bounds log lines of a kind: `linesMax` in a window, and one more line for the number beyond that. Under overload thousands of
 * requests fail together, and a line for each would make it worse.
 */
export class LineBound {
  readonly #clock: Clock;
  readonly #linesMax: number;
  readonly #windowMs: number;
  readonly #reportRemainder: (count: number) => void;
  #count = 0;

  /** @param reportRemainder called at the end of a window with the number of lines beyond the bound, if any. */
  constructor(clock: Clock, linesMax: number, windowMs: number, reportRemainder: (count: number) => void) {
    this.#clock = clock;
    this.#linesMax = linesMax;
    this.#windowMs = windowMs;
    this.#reportRemainder = reportRemainder;
  }

  /** Counts one line. @returns whether it may be logged. */
  admits(): boolean {
    if (this.#count === 0) {
      this.#clock.after(this.#windowMs, () => {
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

/** Logs overload when it begins, and with the number of rejected searches every ten seconds while it lasts. */
export function overloadLog(log: Logger, clock: Clock): () => void {
  const report = (searches: number) => {
    log.warn({ searches }, 'overload: searches rejected');
  };
  const lines = new LineBound(clock, 1, OVERLOAD_LOG_MS, report);
  return () => {
    if (lines.admits()) report(1);
  };
}
