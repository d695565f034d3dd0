import type { QuotaState } from '../../src/shared/quota.ts';
import type { Quota } from '../../src/shared/quota.ts';
import type { EventClock } from './simulation-clock.ts';

const DAY_MS = 86_400_000;

interface Window {
  readonly key: string;
  readonly limit: number;
  asked: number;
  granted: number;
  readonly remaining: Set<number>;
}

/** Charges keys and counts what is granted. A window is a UTC day, even if the clock returns to it. */
export class QuotaWatch {
  readonly #quota: Quota;
  readonly #clock: EventClock;
  readonly #onViolation: (message: string) => void;
  /** By day and key. */
  readonly #windows = new Map<string, Window>();
  #open = 0;

  constructor(quota: Quota, clock: EventClock, onViolation: (message: string) => void) {
    this.#quota = quota;
    this.#clock = clock;
    this.#onViolation = onViolation;
  }

  /** Charges without an answer yet. */
  get open(): number {
    return this.#open;
  }

  /** Over all keys and windows. */
  get granted(): number {
    return [...this.#windows.values()].reduce((sum, { granted }) => sum + granted, 0);
  }

  /** @returns whether the charge is granted. */
  async charge(key: string, limit: number): Promise<boolean> {
    this.#open += 1;
    const window = this.#window(key, limit);
    window.asked += 1;
    const state = await this.#quota.charge(key, limit);
    this.#open -= 1;
    this.#inspect(state, window);
    if (!state.granted) return false;
    window.granted += 1;
    window.remaining.add(state.remaining);
    return true;
  }

  /** Reads a key's quota, which must not change it. */
  async peek(key: string, limit: number): Promise<void> {
    this.#open += 1;
    const window = this.#window(key, limit);
    this.#inspect(await this.#quota.peek(key, limit), window);
    this.#open -= 1;
  }

  /** After the last charge: each window granted exactly its quota, counted down by ones. */
  check(): void {
    for (const { key, limit, asked, granted, remaining } of this.#windows.values()) {
      const expected = Math.min(limit, asked);
      const granting = `key ${key}: ${granted} of ${asked} granted with a limit of ${limit}`;
      if (granted !== expected) this.#onViolation(granting);
      const isCountdown = remaining.size === granted && [...remaining].every((one) => one >= limit - granted);
      if (!isCountdown) this.#onViolation(`${granting}, remaining said to be ${[...remaining].join(', ')}`);
    }
  }

  #inspect({ limit, remaining, resetSeconds }: QuotaState, window: Window): void {
    const isRight = limit === window.limit && remaining >= 0 && remaining <= limit && resetSeconds >= 1;
    if (!isRight)
      this.#onViolation(`key ${window.key}: ${JSON.stringify({ limit, remaining, resetSeconds })}`);
  }

  #window(key: string, limit: number): Window {
    const place = `${Math.floor(this.#clock.date().getTime() / DAY_MS)} ${key}`;
    let window = this.#windows.get(place);
    if (window === undefined) {
      window = { key, limit, asked: 0, granted: 0, remaining: new Set() };
      this.#windows.set(place, window);
    }
    return window;
  }
}
