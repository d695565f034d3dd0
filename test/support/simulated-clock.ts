import type { Clock } from '../../src/clock.ts';

/** A clock that is stopped until it is advanced; the wall clock may be set apart from it. */
export class SimulatedClock implements Clock {
  #now: number;
  /** What the wall clock shows at 0. */
  #wall: number;
  /** In the order of their times. */
  readonly #timers: { at: number; action: () => void }[] = [];

  constructor(wall = '2026-03-10T12:00:00Z', now = 0) {
    this.#now = now;
    this.#wall = Date.parse(wall) - now;
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#wall + this.#now);
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, action };
    this.#timers.splice(this.#timers.findLastIndex(({ at }) => at <= timer.at) + 1, 0, timer);
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place !== -1) this.#timers.splice(place, 1);
    };
  }

  /** At once: here nothing else is about to come in. */
  soon(action: () => void): void {
    action();
  }

  /** Steps the wall clock, as an operator or a time server would; timers do not notice. */
  stepWall(ms: number): void {
    this.#wall += ms;
  }

  /** Lets time pass, timer by timer; whatever a timer sets going runs before the next one. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let next = this.#timers[0]; next !== undefined && next.at <= until; next = this.#timers[0]) {
      this.#timers.shift();
      this.#now = Math.max(this.#now, next.at);
      next.action();
      await settle();
    }
    this.#now = until;
  }
}

/** The clock of a process that has run for a while: at 0, a sum of times would be as good as a difference. */
export function runningClock(): SimulatedClock {
  return new SimulatedClock(undefined, 12_345);
}

/** Lets promises that are already decided run their course. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
