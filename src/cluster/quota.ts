import { randomUUID } from 'node:crypto';
import { QUOTA_BREAK_MS, QUOTA_FULL_MS } from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import { explain } from '../process/fail.ts';
import { DAY_MS, secondsToMidnight, type Quota, type QuotaState } from '../search/quota.ts';
import type { Counters } from './counters.ts';

/** A charge that waits for its word. */
interface Waiter {
  readonly limit: number;
  readonly resolve: (state: QuotaState) => void;
}

/** One key's charges: those that come while one addition is under way go together with the next. */
interface Lane {
  waiting: Waiter[];
  isAsking: boolean;
  /** While the counter is being read. */
  reading: Promise<void> | null;
  day: number;
  /** Of its counter on this day. */
  subject: string;
  /** Charged on this day, by all fronts, as far as was last told. */
  used: number;
  /** While there is no word of the counters: what this front may still grant. */
  allowance: number | null;
  /** Until then a quota that was used up is not asked for again. */
  fullUntil: number;
}

interface Addition {
  readonly subject: string;
  readonly units: number;
  readonly id: string;
}

export interface CounterQuotaOptions {
  readonly clock: Clock;
  readonly counters: Counters;
  /** How many fronts share the quotas now, this one included. */
  readonly fronts: () => number;
  /** Called when the counters do not answer, again with each other reason, and when they do again. */
  readonly onBreak: (isBroken: boolean, reason: string) => void;
}

/**
 * Quotas counted for all fronts: a charge is granted when the counter, with it, is at most the limit; a refused one is
 * given back. So what is granted never exceeds the limit while the counters answer. While they do not, each front grants
 * its part of what it last knew to remain, and adds that to the counters afterwards.
 */
export class CounterQuota implements Quota {
  readonly #options: CounterQuotaOptions;
  readonly #lanes = new Map<string, Lane>();
  /** The next trial is then. */
  #brokenUntil = Number.NEGATIVE_INFINITY;
  #isBroken = false;
  #isClosed = false;
  #fault = '';
  #takeTrialBack: () => void = () => undefined;
  /** Additions of which there was no word. */
  #unsure: Addition[] = [];
  /** Granted without the counters, or to be given back, by subject. */
  readonly #owed = new Map<string, number>();

  constructor(options: CounterQuotaOptions) {
    this.#options = options;
  }

  /** Why charges are not counted over all fronts; empty while they are. */
  get fault(): string {
    return this.#fault;
  }

  /** Charges that the counters have not been told of. */
  get owed(): number {
    return [...this.#owed.values()].reduce((sum, units) => sum + units, 0);
  }

  charge(key: string, limit: number): Promise<QuotaState> {
    const lane = this.#lane(key);
    const known = this.#known(lane, limit, 1);
    if (known !== null) return Promise.resolve(known);
    const { promise, resolve } = Promise.withResolvers<QuotaState>();
    lane.waiting.push({ limit, resolve });
    if (!lane.isAsking) void this.#drain(lane);
    return promise;
  }

  /** Reads the counter, and writes nothing. Without a word of it the state is what was last known. */
  async peek(key: string, limit: number): Promise<QuotaState> {
    const lane = this.#lane(key);
    const known = this.#known(lane, limit, 0);
    if (known !== null) return known;
    lane.reading ??= this.#read(lane);
    await lane.reading;
    return this.#state(this.#lane(key).used, limit, true);
  }

  /** Asks the counters for a word, so that a fault is known before the first charge. */
  check(): Promise<void> {
    return this.#pay();
  }

  /** No debt is tried to be paid any more. */
  close(): void {
    this.#isClosed = true;
    this.#takeTrialBack();
  }

  /** What is said without asking: that a quota is used up, or what this front grants by itself. */
  #known(lane: Lane, limit: number, units: 0 | 1): QuotaState | null {
    if (lane.used >= limit && this.#options.clock.now() < lane.fullUntil)
      return this.#state(lane.used, limit, units === 0);
    return this.#isBroken ? this.#allow(lane, limit, units) : null;
  }

  #lane(key: string): Lane {
    const day = this.#day();
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = {
        waiting: [],
        isAsking: false,
        reading: null,
        used: 0,
        day,
        subject: subjectOf(day, key),
        allowance: null,
        fullUntil: Number.NEGATIVE_INFINITY,
      };
      this.#lanes.set(key, lane);
    }
    if (lane.day !== day)
      Object.assign(lane, { day, subject: subjectOf(day, key), used: 0, allowance: null });
    return lane;
  }

  async #read(lane: Lane): Promise<void> {
    const { subject } = lane;
    const used = await this.#options.counters.read(subject).catch(() => 0);
    // The copy may be behind what this front knows, and midnight may have passed.
    if (lane.subject === subject) lane.used = Math.max(lane.used, used);
    lane.reading = null;
  }

  async #drain(lane: Lane): Promise<void> {
    lane.isAsking = true;
    while (lane.waiting.length > 0) {
      const waiters = lane.waiting;
      lane.waiting = [];
      const addition = additionOf(lane.subject, waiters.length);
      try {
        const value = await this.#options.counters.add(addition.subject, addition.units, addition.id);
        if (value === null) throw new Error('an addition of another charge');
        this.#settle(lane, waiters, addition, value);
      } catch (error) {
        this.#break(error);
        this.#settleWithout(lane, waiters, addition);
      }
    }
    lane.isAsking = false;
  }

  /** Each charge as if it had come by itself. */
  #settle(lane: Lane, waiters: readonly Waiter[], { subject, units }: Addition, value: number): void {
    // One that was under way when others got no word: what is owed is not in it.
    if (!this.#isBroken) lane.allowance = null;
    let used = value - units;
    for (const { limit, resolve } of waiters) {
      const granted = used < limit;
      if (granted) used += 1;
      resolve(this.#state(used, limit, granted));
    }
    const refused = value - used;
    // After midnight the lane has begun anew, and this is of the day before.
    if (lane.subject === subject) {
      lane.used = used;
      if (refused > 0) lane.fullUntil = this.#options.clock.now() + QUOTA_FULL_MS;
    }
    if (refused === 0) return;
    this.#owe(subject, -refused);
    if (!this.#isBroken) void this.#pay();
  }

  /** The addition may have counted: it is sent again under its id, and what is not granted of it is given back. */
  #settleWithout(lane: Lane, waiters: readonly Waiter[], addition: Addition): void {
    let granted = 0;
    for (const { limit, resolve } of waiters) {
      const state = this.#allow(lane, limit, 1, false);
      if (state.granted) granted += 1;
      resolve(state);
    }
    this.#unsure.push(addition);
    this.#owe(addition.subject, granted - addition.units);
  }

  #allow(lane: Lane, limit: number, units: 0 | 1, isOwed = true): QuotaState {
    lane.allowance ??= Math.floor(Math.max(0, limit - lane.used) / Math.max(1, this.#options.fronts()));
    const granted = lane.allowance >= units;
    if (granted) lane.allowance -= units;
    if (granted && units > 0 && isOwed) this.#owe(lane.subject, units);
    return { granted, limit, remaining: Math.min(limit, lane.allowance), resetSeconds: this.#resetSeconds() };
  }

  #break(error: unknown): void {
    const reason = explain(error);
    const wasBroken = this.#isBroken;
    this.#brokenUntil = this.#options.clock.now() + QUOTA_BREAK_MS;
    this.#isBroken = true;
    if (reason !== this.#fault) {
      this.#fault = reason;
      this.#options.onBreak(true, reason);
    }
    if (!wasBroken) this.#tryLater();
  }

  #mend(): void {
    if (!this.#isBroken) return;
    this.#isBroken = false;
    this.#fault = '';
    this.#options.onBreak(false, '');
  }

  #tryLater(): void {
    if (this.#isClosed) return;
    const waitMs = Math.max(1, this.#brokenUntil - this.#options.clock.now());
    this.#takeTrialBack = this.#options.clock.after(waitMs, () => {
      if (!this.#isBroken) return;
      // Something else may have failed since, which put the trial off.
      if (this.#options.clock.now() < this.#brokenUntil) this.#tryLater();
      else void this.#pay();
    });
  }

  /** Adds what the counters have not been told, until one addition fails. */
  async #pay(): Promise<void> {
    const unsure = this.#unsure;
    this.#unsure = [];
    const owed = [...this.#owed].filter(([, units]) => units !== 0);
    this.#owed.clear();
    const additions = [...unsure, ...owed.map(([subject, units]) => additionOf(subject, units))];
    // Without a debt, whether there is word of the counters at all.
    if (additions.length === 0) additions.push(additionOf(subjectOf(this.#day(), 'trial'), 0));
    for (const [at, addition] of additions.entries()) {
      try {
        await this.#options.counters.add(addition.subject, addition.units, addition.id);
      } catch (error) {
        this.#unsure.push(...additions.slice(at));
        const wasBroken = this.#isBroken;
        this.#break(error);
        if (wasBroken) this.#tryLater();
        return;
      }
    }
    this.#mend();
    // What was granted while these were being added, or got no word meanwhile, and before any charge that comes from now on.
    if (this.#unsure.length > 0 || [...this.#owed.values()].some((units) => units !== 0)) void this.#pay();
  }

  #owe(subject: string, units: number): void {
    this.#owed.set(subject, (this.#owed.get(subject) ?? 0) + units);
  }

  #state(used: number, limit: number, granted: boolean): QuotaState {
    return { granted, limit, remaining: Math.max(0, limit - used), resetSeconds: this.#resetSeconds() };
  }

  #day(): number {
    return Math.floor(this.#options.clock.date().getTime() / DAY_MS);
  }

  #resetSeconds(): number {
    return secondsToMidnight(this.#options.clock.date());
  }
}

function additionOf(subject: string, units: number): Addition {
  return { subject, units, id: randomUUID() };
}

function subjectOf(day: number, key: string): string {
  return `jur.quota.${day}.${key}`;
}
