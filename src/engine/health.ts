import type { Clock } from '../clock.ts';
import type { BaseStatus } from './messages.ts';
import type { Outcomes } from './port.ts';

/** A flapping base counts as up after a quiet time within these bounds; each new failure doubles it. */
const QUIET_MS_MIN = 1_000;
const QUIET_MS_MAX = 60_000;
/** The failure of a thread that loads for too long, as on a busy machine. It names no cause; the next failure may. */
export const NOT_LOADED = 'a thread does not load';

type Health = Pick<BaseStatus, 'state' | 'detail'>;

/**
 * Derives up or down from the port's outcomes and reports each change once, and the first cause after `NOT_LOADED`. If a base
 * goes down again soon after coming back, its quiet time doubles, so that a flapping base does not fill the log.
 */
export class BaseHealth {
  readonly #clock: Clock;
  readonly #onChange: (state: 'up' | 'down', detail: string) => void;
  #current: Health = { state: 'unknown', detail: '' };
  #failedAt = Number.NEGATIVE_INFINITY;
  #upAt = Number.NEGATIVE_INFINITY;
  #quietMs = 0;
  /** True while the base is down and no cause was reported. */
  #isUnexplained = false;

  constructor(clock: Clock, onChange: (state: 'up' | 'down', detail: string) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get current(): Health {
    return this.#current;
  }

  note(outcomes: Outcomes): void {
    for (const outcome of outcomes) {
      if (outcome?.ok === true) this.#noteAnswer();
      else if (outcome?.failure === 'unavailable') this.#noteFailure(outcome.detail ?? '');
    }
  }

  #noteAnswer(): void {
    const now = this.#clock.now();
    if (this.#current.state === 'up' || now < this.#failedAt + this.#quietMs) return;
    const wasDown = this.#current.state === 'down';
    this.#current = { state: 'up', detail: '' };
    if (!wasDown) return;
    this.#upAt = now;
    this.#onChange('up', '');
  }

  #noteFailure(detail: string): void {
    const now = this.#clock.now();
    this.#failedAt = now;
    const wasDown = this.#current.state === 'down';
    // The status shows the latest reason.
    this.#current = { state: 'down', detail };
    if (wasDown && (!this.#isUnexplained || detail === NOT_LOADED)) return;
    this.#isUnexplained = detail === NOT_LOADED;
    if (!wasDown) {
      const isAgain = now < this.#upAt + QUIET_MS_MAX;
      this.#quietMs = isAgain ? Math.min(Math.max(QUIET_MS_MIN, this.#quietMs * 2), QUIET_MS_MAX) : 0;
    }
    this.#onChange('down', detail);
  }
}
