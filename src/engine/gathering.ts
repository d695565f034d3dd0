import type { Clock } from './clock.ts';
import { GATHERING_MS } from '../config/limits.ts';

/**
 * Decides when the next batch of first tries may start: at once when none is under way, else when the latest one has run
 * for `GATHERING_MS`. Meanwhile requests gather for the next batch.
 */
export class Gathering {
  readonly #clock: Clock;
  readonly #onOver: () => void;
  #underWay = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | null = null;

  /** @param onOver called when the wait that `isOn` has reported is over. */
  constructor(clock: Clock, onOver: () => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  /** True while no batch may start. @param waiting number of requests; if there are any, `onOver` will be called. */
  isOn(waiting: number): boolean {
    if (this.#underWay === 0) return false;
    const left = this.#startedAt + GATHERING_MS - this.#clock.now();
    if (left <= 0) return false;
    if (waiting > 0) {
      this.#cancelTimer ??= this.#clock.after(left, () => {
        this.#cancelTimer = null;
        this.#onOver();
      });
    }
    return true;
  }

  /** A batch of first tries has started. */
  begin(): void {
    this.#underWay += 1;
    this.#startedAt = this.#clock.now();
  }

  /** A batch of first tries has ended. */
  end(): void {
    this.#underWay -= 1;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
