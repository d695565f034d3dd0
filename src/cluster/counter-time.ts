import { repeat, type Clock } from '../clock.ts';
import { CLOCK_SKEW_MS_MAX } from '../admin/health.ts';

/** Interval at which a front reads the counters' time. */
export const CLOCK_LOOK_MS = 10_000;

export interface CounterTimeOptions {
  /** This process's clock. */
  readonly clock: Clock;
  /** The time of the counters' server, milliseconds since 1970. @throws unless it answers. */
  readonly read: () => Promise<number>;
  /** Called when this host's clock starts or stops differing by more than a minute. @param skewMs ahead of the counters. */
  readonly onSkew: (isSkewed: boolean, skewMs: number) => void;
}

/**
 * The wall clock of the counters, so that all fronts count a charge on the same day. Between readings it advances with the
 * monotonic clock; until the first it is the clock of this host.
 */
export class CounterTime {
  readonly #options: CounterTimeOptions;
  /** The counters' time when the monotonic clock was 0. */
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

  /** How far this host's clock is ahead of the counters'; 0 while theirs is unknown. */
  get skewMs(): number {
    return this.#options.clock.date().getTime() - this.#date().getTime();
  }

  /** Reads the time of the counters now, and then at intervals. */
  async look(): Promise<void> {
    const { clock, read, onSkew } = this.#options;
    const askedAt = clock.now();
    try {
      const time = await read();
      // It was read between request and reply.
      this.#origin = time - (askedAt + clock.now()) / 2;
    } catch {
      // The known time stays.
      return;
    }
    const { skewMs } = this;
    const isSkewed = Math.abs(skewMs) > CLOCK_SKEW_MS_MAX;
    if (isSkewed !== this.#isSkewed) onSkew(isSkewed, skewMs);
    this.#isSkewed = isSkewed;
  }

  #date(): Date {
    const { clock } = this.#options;
    return this.#origin === null ? clock.date() : new Date(this.#origin + clock.now());
  }
}
