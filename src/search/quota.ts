import type { Clock } from '../engine/clock.ts';

/** What a key may still do today, after the charge. */
export interface QuotaState {
  /** False when the day's quota was already used up: nothing was charged. */
  readonly granted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds to the next UTC midnight, rounded up. */
  readonly resetSeconds: number;
}

/**
 * Counts what keys ask for. Whoever counts in this process answers at once. Whoever has to ask elsewhere, a parent
 * process or a broker, answers with a promise, within a bound of its own, and decides itself what to grant while nobody
 * answers there.
 */
export interface Quota {
  /** Charges one unit, atomically and before the work starts. */
  charge(key: string, limit: number): QuotaState | Promise<QuotaState>;
  /** The state as it is, for answers that cost nothing. */
  peek(key: string, limit: number): QuotaState | Promise<QuotaState>;
}

const DAY_MS = 86_400_000;

/**
 * Counts executed searches and record reads per key in memory (spec section 8): the window is the UTC day,
 * and a restart begins it anew. An actor whose messages are handled as they come: a charge ends before the next one
 * begins, so it is exact however many ask at once. What it keeps is bounded by the number of keys that are issued.
 */
export class QuotaActor implements Quota {
  readonly #clock: Clock;
  readonly #used = new Map<string, number>();
  #day = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  charge(key: string, limit: number): QuotaState {
    return this.#receive(key, limit, 1);
  }

  peek(key: string, limit: number): QuotaState {
    return this.#receive(key, limit, 0);
  }

  #receive(key: string, limit: number, units: 0 | 1): QuotaState {
    const now = this.#clock.date().getTime();
    const day = Math.floor(now / DAY_MS);
    // A clock that steps back over midnight and forth again must not hand out a second quota, so only a later
    // day starts anew; one that was days ahead and is put right is believed, but clears nothing.
    if (day > this.#day) this.#used.clear();
    if (day > this.#day || day < this.#day - 1) this.#day = day;
    const used = this.#used.get(key) ?? 0;
    const granted = used + units <= limit;
    const after = granted ? used + units : used;
    if (units > 0) this.#used.set(key, after);
    const resetSeconds = Math.max(1, Math.ceil(((this.#day + 1) * DAY_MS - now) / 1000));
    return { granted, limit, remaining: Math.max(0, limit - after), resetSeconds };
  }
}
