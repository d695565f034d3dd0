import { drainMicrotasks } from 'bun:jsc';
import type { Clock } from '../../src/clock.ts';
import type { Rng } from '../../src/tools/demo/rng.ts';

interface Timer {
  readonly at: number;
  /** Random: it orders timers of the same moment, so that nothing may depend on which was set first. */
  readonly tie: number;
  action: (() => void) | null;
  /** Runs before any time passes. */
  readonly isSoon: boolean;
}

/**
 * A clock for very many short runs: no waiting, not even of the event loop. Each step
 * runs one timer and then all the promises that it decides.
 */
export class EventClock implements Clock {
  readonly #rng: Rng;
  /** By time. */
  readonly #timers: Timer[] = [];
  #now = 0;
  #wall: number;

  /** @param wall the wall clock's time at the start, milliseconds. */
  constructor(rng: Rng, wall: number) {
    this.#rng = rng;
    this.#wall = wall;
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#wall + this.#now);
  }

  after(ms: number, action: () => void): () => void {
    if (!Number.isFinite(ms)) throw new Error(`a timer of ${ms} ms`);
    const timer: Timer = { at: this.#now + Math.max(0, ms), tie: this.#rng.bits(), action, isSoon: false };
    this.#push(timer);
    return () => {
      timer.action = null;
    };
  }

  /** Runs among the timers of this moment, in random order. */
  soon(action: () => void): void {
    this.#push({ at: this.#now, tie: this.#rng.bits(), action, isSoon: true });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Steps the wall clock, as an operator or a time server would; timers do not notice. */
  stepWall(ms: number): void {
    this.#wall += ms;
  }

  /** Runs the next timer that is due by `until`. @returns false, with the clock at `until`, if there is none. */
  step(until: number): boolean {
    for (;;) {
      const next = this.#timers[0];
      if (next === undefined || next.at > until) {
        this.#now = Math.max(this.#now, until);
        return false;
      }
      this.#timers.shift();
      if (next.action === null) continue;
      this.#now = Math.max(this.#now, next.at);
      next.action();
      drainMicrotasks();
      return true;
    }
  }

  /** The number of timers that neither ran nor were cancelled, without those that run before time passes. */
  get pending(): number {
    return this.#timers.filter(({ action, isSoon }) => action !== null && !isSoon).length;
  }

  #push(timer: Timer): void {
    this.#timers.splice(this.#timers.findLastIndex((one) => isBefore(one, timer)) + 1, 0, timer);
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.tie < b.tie);
}
