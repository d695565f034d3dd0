import { Actor } from '../engine/mailbox.ts';
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

type Message = { readonly key: string; readonly limit: number; readonly units: 0 | 1 };

const DAY_MS = 86_400_000;
const ASK_MS_MAX = 1_000;

/**
 * Counts executed searches and record reads per key in memory (spec section 8): the window is the UTC day,
 * and a restart begins it anew. Charging is one message, so it is exact however many ask at once. What it
 * keeps is bounded by the number of keys that are issued.
 */
export class QuotaActor {
  readonly #clock: Clock;
  readonly #actor: Actor<Message, QuotaState>;
  readonly #used = new Map<string, number>();
  #day = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, mailboxMax: number) {
    this.#clock = clock;
    this.#actor = new Actor(clock, mailboxMax, (message) => this.#receive(message));
  }

  /** Charges one unit, atomically and before the work starts. */
  charge(key: string, limit: number): Promise<QuotaState> {
    return this.#ask({ key, limit, units: 1 });
  }

  /** The state as it is, for answers that cost nothing. */
  peek(key: string, limit: number): Promise<QuotaState> {
    return this.#ask({ key, limit, units: 0 });
  }

  async #ask(message: Message): Promise<QuotaState> {
    const outcome = await this.#actor.ask(message, ASK_MS_MAX);
    if (outcome.ok) return outcome.value;
    throw new Error(`quota actor: ${outcome.failure}`);
  }

  #receive({ key, limit, units }: Message): QuotaState {
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
