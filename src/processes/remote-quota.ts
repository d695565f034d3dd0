import type { Clock } from '../engine/clock.ts';
import { secondsToMidnight, type Quota, type QuotaState } from '../search/quota.ts';
import type { Counted, Counts } from './messages.ts';

interface Waiter {
  readonly units: 0 | 1;
  readonly resolve: (state: QuotaState) => void;
}
/** All that is asked of one key in one message. */
interface Entry {
  readonly key: string;
  readonly limit: number;
  /** Granted without the parent, less what is given back: it is only to be counted. */
  told: number;
  waiters: Waiter[];
}
type Granted = Counted['charges'][number];

/**
 * The quota as the parent counts it: a charge is granted when the parent has said so. While the parent does not answer,
 * each process grants its part of what it last knew to remain, and has the parent count that afterwards.
 */
export class RemoteQuota implements Quota {
  readonly #clock: Clock;
  readonly #processes: number;
  readonly #onNeed: () => void;
  /** What is to be asked with the next message, by key. */
  #gathered = new Map<string, Entry>();
  #sent: readonly Entry[] = [];
  /** What remained of each key in the last report of the parent; as many as keys were used. */
  readonly #remaining = new Map<string, number>();
  /** While the parent does not answer: what may still be granted of each key. */
  #allowances: Map<string, number> | null = null;

  constructor(clock: Clock, processes: number, onNeed: () => void) {
    this.#clock = clock;
    this.#processes = processes;
    this.#onNeed = onNeed;
  }

  get isWaiting(): boolean {
    return this.#gathered.size > 0;
  }

  charge(key: string, limit: number): Promise<QuotaState> {
    return this.#ask(key, limit, 1);
  }

  peek(key: string, limit: number): Promise<QuotaState> {
    return this.#ask(key, limit, 0);
  }

  /** What has been gathered, on its way to the parent. */
  take(): Counts['charges'] {
    this.#sent = [...this.#gathered.values()];
    this.#gathered = new Map();
    return this.#sent.map(({ key, limit, told, waiters }) => [
      key,
      limit,
      waiters.reduce((sum, { units }) => sum + units, told),
    ]);
  }

  /** The parent's answer to what was taken, entry by entry. */
  settle(answers: readonly Granted[]): void {
    this.#allowances = null;
    for (const [at, entry] of this.#sent.entries()) {
      const answer = answers[at];
      if (answer !== undefined) this.#settle(entry, answer);
    }
    this.#sent = [];
  }

  /** Each charge as if it had come by itself: the first of them left more than the last. */
  #settle({ key, limit, told, waiters }: Entry, [granted, remaining, resetSeconds]: Granted): void {
    this.#remaining.set(key, remaining);
    let left = Math.max(0, granted - told);
    for (const { units, resolve } of waiters) {
      const isGranted = left >= units;
      if (isGranted) left -= units;
      resolve({ granted: isGranted, limit, remaining: remaining + left, resetSeconds });
    }
    // Of what was on its way when the parent fell silent, what was refused here.
    if (left > 0) this.#entry(key, limit).told -= left;
  }

  /** The parent does not answer: nobody waits for it any more. */
  doWithoutParent(): void {
    this.#allowances ??= new Map();
    for (const entry of [...this.#sent, ...this.#gathered.values()]) {
      for (const { units, resolve } of entry.waiters) {
        const state = this.#allow(entry.key, entry.limit, units);
        if (state.granted) entry.told += units;
        resolve(state);
      }
      entry.waiters = [];
    }
  }

  #ask(key: string, limit: number, units: 0 | 1): Promise<QuotaState> {
    const entry = this.#entry(key, limit);
    if (this.#allowances !== null) {
      const state = this.#allow(key, limit, units);
      // What is not granted is not to be counted either.
      if (state.granted) entry.told += units;
      return Promise.resolve(state);
    }
    const { promise, resolve } = Promise.withResolvers<QuotaState>();
    entry.waiters.push({ units, resolve });
    this.#onNeed();
    return promise;
  }

  /** A key whose own quota was changed meanwhile has an entry for each. */
  #entry(key: string, limit: number): Entry {
    const place = `${key} ${limit}`;
    const known = this.#gathered.get(place);
    if (known !== undefined) return known;
    const entry: Entry = { key, limit, told: 0, waiters: [] };
    this.#gathered.set(place, entry);
    return entry;
  }

  #allow(key: string, limit: number, units: 0 | 1): QuotaState {
    const known = Math.min(limit, this.#remaining.get(key) ?? limit);
    const allowance = this.#allowances?.get(key) ?? Math.floor(known / this.#processes);
    const granted = allowance >= units;
    const remaining = granted ? allowance - units : allowance;
    this.#allowances?.set(key, remaining);
    return { granted, limit, remaining, resetSeconds: secondsToMidnight(this.#clock.date()) };
  }
}
