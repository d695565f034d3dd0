import type { Clock } from '../clock.ts';
import type { BaseStatus } from './messages.ts';
import type { Outcomes } from './port.ts';

/** A flapping base counts as up after a quiet time within these bounds; each new failure doubles it. */
const QUIET_MS_MIN = 1_000;
const QUIET_MS_MAX = 60_000;

type Health = Pick<BaseStatus, 'state' | 'detail'>;

/**
 * Derives up or down from the port's outcomes and reports each change once. If a base goes down again soon after coming back,
 * its quiet time doubles, so that a flapping base does not fill the log.
 */
export class BaseHealth {
  readonly #clock: Clock;
  readonly #onChange: (state: 'up' | 'down', detail: string) => void;
  #current: Health = { state: 'unknown', detail: '' };
  #failedAt = Number.NEGATIVE_INFINITY;
  #upAt = Number.NEGATIVE_INFINITY;
  #quietMs = 0;

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
    if (wasDown) return;
    const isAgain = now < this.#upAt + QUIET_MS_MAX;
    this.#quietMs = isAgain ? Math.min(Math.max(QUIET_MS_MIN, this.#quietMs * 2), QUIET_MS_MAX) : 0;
    this.#onChange('down', detail);
  }
}
