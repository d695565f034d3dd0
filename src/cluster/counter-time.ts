import { repeat, type Clock } from '../clock.ts';
import { CLOCK_SKEW_MS_MAX } from '../admin/health.ts';

/** Interval at which a front reads the counters' time. */
export const CLOCK_LOOK_MS = 10_000;

/** Called when this host's clock starts or stops differing by more than a minute. @param skewMs ahead of the counters. */
type OnSkew = (isSkewed: boolean, skewMs: number) => void;

/** The wall clock of the counters, by which all fronts count a day. Until the first reading it is the clock of this host. */
export class CounterTime {
  readonly #own: Clock;
  readonly #read: () => Promise<number>;
  readonly #onSkew: OnSkew;
  /** The counters' time when the monotonic clock was 0. */
  #origin: number | null = null;
  #isSkewed = false;
  /** The clock of this host with the counters' date. */
  readonly clock: Clock;
  readonly close: () => void;

  /** @param own clock of this process. @param read asks the counters' server for milliseconds since 1970. */
  constructor(own: Clock, read: () => Promise<number>, onSkew: OnSkew) {
    this.#own = own;
    this.#read = read;
    this.#onSkew = onSkew;
    this.clock = { ...own, date: () => this.#date() };
    this.close = repeat(own, CLOCK_LOOK_MS, () => this.look());
  }

  /** How far this host's clock is ahead of the counters'; 0 while theirs is unknown. */
  get skewMs(): number {
    return this.#own.date().getTime() - this.#date().getTime();
  }

  /** Reads the time of the counters now, and then at intervals. */
  async look(): Promise<void> {
    const askedAt = this.#own.now();
    try {
      const time = await this.#read();
      // It was read between request and reply.
      this.#origin = time - (askedAt + this.#own.now()) / 2;
    } catch {
      // The known time stays.
      return;
    }
    const { skewMs } = this;
    const isSkewed = Math.abs(skewMs) > CLOCK_SKEW_MS_MAX;
    if (isSkewed !== this.#isSkewed) this.#onSkew(isSkewed, skewMs);
    this.#isSkewed = isSkewed;
  }

  #date(): Date {
    return this.#origin === null ? this.#own.date() : new Date(this.#origin + this.#own.now());
  }
}
