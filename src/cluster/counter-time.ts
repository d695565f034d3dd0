import { CLOCK_LOOK_MS, CLOCK_SKEW_MS_MAX } from '../config/limits.ts';
import { repeat, type Clock } from '../engine/clock.ts';

export interface CounterTimeOptions {
  /** Of this process. */
  readonly clock: Clock;
  /** The time of the server that has the counters, milliseconds since 1970. @throws where it does not answer. */
  readonly read: () => Promise<number>;
  /** Called when the clock of this host differs by more than a minute, and when no longer. @param skewMs ahead of the counters. */
  readonly onSkew: (isSkewed: boolean, skewMs: number) => void;
}

/**
 * The wall clock of the counters, so that all fronts count a charge on the same day, whatever their own clocks show. Between
 * two looks it goes on with the monotonic clock. Until the first answer it is the clock of this host.
 */
export class CounterTime {
  readonly #options: CounterTimeOptions;
  /** What the counters' clock shows when the monotonic one is at 0. */
  #origin: number | null = null;
  #isSkewed = false;
  /** The clock of this host with the counters' date. */
  readonly clock: Clock;
  readonly close: () => void;

  constructor(options: CounterTimeOptions) {
    this.#options = options;
    this.clock = { ...options.clock, date: () => this.#date() };
    this.close = repeat(options.clock, CLOCK_LOOK_MS, () => this.look());
  }

  /** How far the clock of this host is ahead of the counters'; 0 while theirs is not known. */
  get skewMs(): number {
    return this.#options.clock.date().getTime() - this.#date().getTime();
  }

  /** Asks for the time of the counters now; that is repeated at intervals. */
  async look(): Promise<void> {
    const { clock, read } = this.#options;
    const askedAt = clock.now();
    try {
      const time = await read();
      // It was read between the question and the answer.
      this.#origin = time - (askedAt + clock.now()) / 2;
      this.#report();
    } catch {
      // What was known goes on.
    }
  }

  #date(): Date {
    const { clock } = this.#options;
    return this.#origin === null ? clock.date() : new Date(this.#origin + clock.now());
  }

  #report(): void {
    const { skewMs } = this;
    const isSkewed = Math.abs(skewMs) > CLOCK_SKEW_MS_MAX;
    if (isSkewed !== this.#isSkewed) this.#options.onSkew(isSkewed, skewMs);
    this.#isSkewed = isSkewed;
  }
}
