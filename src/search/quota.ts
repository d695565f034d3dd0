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
 * Counts the requests of keys. A quota in this process answers at once. A quota elsewhere, in a parent process or behind
 * a broker, answers with a promise, within its own time limit, and decides what to grant while the other side is silent.
 */
export interface Quota {
  /** Charges one unit, atomically and before the work starts. */
  charge(key: string, limit: number): QuotaState | Promise<QuotaState>;
  /** The state without a charge, for answers that cost nothing. */
  peek(key: string, limit: number): QuotaState | Promise<QuotaState>;
  /** Where others count too: why charges are not counted together with theirs; empty while they are. */
  readonly fault?: string;
}

export const DAY_MS = 86_400_000;

/** From a time to the next UTC midnight, rounded up. */
export function secondsToMidnight(time: Date): number {
  return Math.ceil((DAY_MS - (time.getTime() % DAY_MS)) / 1_000);
}

/**
 * Counts executed searches and record reads per key in memory: the window is the UTC day, and a restart
 * starts a new count. The actor handles each message synchronously: a charge ends before the next one begins, so the
 * count is exact under any concurrency. Its memory is bounded by the number of issued keys.
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

  /** Takes charges back that were not granted in the end. */
  giveBack(key: string, units: number): void {
    this.#used.set(key, Math.max(0, (this.#used.get(key) ?? 0) - units));
  }

  #receive(key: string, limit: number, units: 0 | 1): QuotaState {
    const now = this.#clock.date().getTime();
    const day = Math.floor(now / DAY_MS);
    // A clock that steps back over midnight and forth again must not grant a second quota, so only a later day clears
    // the counts. A clock that was days ahead and is corrected is believed, but clears nothing.
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
