import type { Clock } from '../clock.ts';
import { explain } from '../process/fail.ts';
import { dayOfTime, quotaState, type Quota, type QuotaState } from '../shared/quota.ts';
import { counterName, type Counters } from './counters.ts';
import { Lane, additionOf, type Addition, type Waiter } from './quota-lane.ts';

/** After a timeout nothing is sent to the counters for this long, and then a single trial. */
export const QUOTA_BREAK_MS = 1_000;
/** After the counters answer again a process keeps to its part for this long: others notice later, and pay their grants then. */
const QUOTA_SETTLE_MS = 5_000;
const SETTLING = `the counters answer again; until ${QUOTA_SETTLE_MS / 1_000} s later each process keeps to its part`;
const UNHEARD = 'the counters do not hear another process, which may grant its part: each keeps to its own';
/** Another process is known to be silent so long after it has taken its part: five seconds, and the next look. */
const QUOTA_NOTICE_MS = 8_000;
/** A used-up quota is refused without asking the counters for this long; it stays used up until the next day. */
const QUOTA_FULL_MS = 1_000;
/** A busy key's charges of this long are paid in one addition, ahead: without it each of them costs a message. */
const AHEAD_MS = 100;
/** What was paid ahead and not used for this long is given back. */
const AHEAD_MS_MAX = 1_000;
/** All processes together pay at most this part of what remains ahead, so that the last units are granted wherever they are asked. */
const AHEAD_PART = 1 / 16;

export interface QuotaOptions {
  /** All processes that share the counters have the same date. */
  readonly clock: Clock;
  readonly counters: Counters;
  /** How many processes share the counters, including this one. */
  readonly peers: () => number;
  /** How many of them the counters do not hear: each may grant its part, which the others leave. */
  readonly silent?: () => number;
  /** Called when the counters fall silent, for each new reason, and when they answer again. */
  readonly onBreak?: (isBroken: boolean, reason: string) => void;
}

/**
 * The quotas of keys over shared counters: a charge is granted if it keeps the counter within the limit; a refused charge is
 * given back. So grants never exceed the limit while the counters answer. While they are silent, each process grants a fraction
 * of the last known remainder, and adds these grants to the counters afterwards. While they do not hear some processes, the others
 * leave these their part.
 */
export class SharedQuota implements Quota {
  readonly #options: QuotaOptions;
  readonly #lanes = new Map<string, Lane>();
  #settledFrom = Number.NEGATIVE_INFINITY;
  #isBroken = false;
  #isClosed = false;
  #fault = '';
  #cancelTrial: () => void = () => undefined;
  /** Additions without an answer. */
  #unsure: Addition[] = [];
  /** Units granted without the counters, or to be given back, by counter. */
  readonly #owed = new Map<string, number>();

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  get fault(): string {
    if (this.#fault !== '' || this.#isSettled) return this.#fault;
    return (this.#options.silent?.() ?? 0) > 0 ? UNHEARD : SETTLING;
  }

  /** Whether the counters answer, and have all that was granted here. */
  get counts(): boolean {
    return !this.#isBroken;
  }

  get owed(): number {
    return [...this.#owed.values()].reduce((sum, units) => sum + units, 0);
  }

  charge(key: string, limit: number): QuotaState | Promise<QuotaState> {
    const lane = this.#lane(key);
    lane.charges += 1;
    if (lane.ahead > 0 && lane.used < limit) {
      lane.ahead -= 1;
      lane.used += 1;
      return this.#state(lane.used, limit, true);
    }
    const known = this.#known(lane, limit, 1);
    if (known !== null) return known;
    return new Promise((resolve) => {
      lane.waiting.push({ limit, resolve });
      if (!lane.isAdding) void this.#add(lane);
    });
  }

  /** Reads the counter, and writes nothing. Without an answer, returns the last known state. */
  peek(key: string, limit: number): QuotaState | Promise<QuotaState> {
    const lane = this.#lane(key);
    const known = this.#known(lane, limit, 0);
    if (known !== null) return known;
    if (lane.ahead > 0) return this.#state(lane.used, limit, true);
    lane.reading ??= this.#read(lane);
    return lane.reading.then(() => this.#state(this.#lane(key).used, limit, true));
  }

  /** Checks that the counters answer, so that a fault is known before the first charge. */
  check(): Promise<void> {
    return this.#pay();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTrial();
    for (const lane of this.#lanes.values()) this.#giveBack(lane);
  }

  /** The state without asking the counters, if the quota is used up or this process grants by itself. */
  #known(lane: Lane, limit: number, units: 0 | 1): QuotaState | null {
    if (lane.used >= limit && this.#options.clock.now() < lane.fullUntil)
      return this.#state(lane.used, limit, units === 0);
    return this.#isBroken ? this.#allow(lane, limit, units) : null;
  }

  #lane(key: string): Lane {
    const day = dayOfTime(this.#options.clock.date());
    let lane = this.#lanes.get(key);
    if (lane?.day === day) return lane;
    // Charges of the day before may still wait in the other one.
    lane = new Lane(day, key);
    this.#lanes.set(key, lane);
    return lane;
  }

  async #read(lane: Lane): Promise<void> {
    const used = await this.#options.counters.read(lane.name).catch(() => 0);
    // The replica may be behind this process.
    lane.used = Math.max(lane.used, used - lane.ahead);
    lane.reading = null;
  }

  /** Counts what waits, until nothing does. */
  async #add(lane: Lane): Promise<void> {
    lane.isAdding = true;
    while (lane.waiting.length > 0) {
      const waiters = lane.waiting;
      lane.waiting = [];
      const addition = additionOf(lane.name, waiters.length + this.#aheadOf(lane, waiters));
      const adding = this.#send(addition);
      this.#noteRate(lane);
      try {
        const value = await adding;
        if (value === null) throw new Error('an addition of another charge');
        this.#settle(lane, waiters, addition.units, value);
      } catch (error) {
        this.#break(error);
        this.#settleWithout(lane, waiters, addition);
      }
    }
    lane.isAdding = false;
  }

  /** How many units to pay for charges to come. */
  #aheadOf(lane: Lane, waiters: readonly Waiter[]): number {
    if (!this.#isSettled) return 0;
    const limit = Math.min(...waiters.map((waiter) => waiter.limit));
    const part = this.#partOf((limit - lane.used) * AHEAD_PART);
    return Math.max(0, Math.floor(Math.min((lane.perSecond * AHEAD_MS) / 1_000, part)));
  }

  #noteRate(lane: Lane): void {
    const now = this.#options.clock.now();
    const kept = Math.max(0, 1 - (now - lane.addedAt) / 1_000);
    lane.perSecond = lane.perSecond * kept + lane.charges;
    lane.charges = 0;
    lane.addedAt = now;
  }

  #giveBack(lane: Lane): void {
    lane.cancelReturn();
    if (lane.ahead === 0) return;
    this.#owe(lane.name, -lane.ahead);
    lane.ahead = 0;
    if (!this.#isBroken) void this.#pay();
  }

  /** Settles each charge as if it had come alone. */
  #settle(lane: Lane, waiters: readonly Waiter[], units: number, value: number): void {
    const before = value - units;
    let used = before;
    if (this.#isSettled) this.#noteCount(lane, before);
    for (const waiter of waiters) {
      // The counter may lack what others granted in the silence, and this process too.
      if (!this.#isSettled) lane.allowance ??= this.#partBeside(lane, waiter.limit, before);
      const granted = used < waiter.limit && lane.allowance !== 0;
      if (granted) used += 1;
      if (granted && lane.allowance !== null) lane.allowance -= 1;
      waiter.resolve(this.#state(used, waiter.limit, granted));
    }
    const isUsedUp = used - before < waiters.length;
    const ahead = isUsedUp ? 0 : units - waiters.length;
    const refused = value - used - ahead;
    lane.used = used;
    if (ahead > 0) this.#keep(lane, ahead);
    if (isUsedUp) lane.fullUntil = this.#options.clock.now() + QUOTA_FULL_MS;
    if (refused === 0) return;
    this.#owe(lane.name, -refused);
    if (!this.#isBroken) void this.#pay();
  }

  #keep(lane: Lane, ahead: number): void {
    lane.ahead += ahead;
    lane.cancelReturn();
    lane.cancelReturn = this.#options.clock.after(AHEAD_MS_MAX, () => {
      this.#giveBack(lane);
    });
  }

  /** The addition may have counted: it is sent again under the same id, and units not granted are given back. */
  #settleWithout(lane: Lane, waiters: readonly Waiter[], addition: Addition): void {
    let granted = 0;
    for (const waiter of waiters) {
      const state = this.#allow(lane, waiter.limit, 1, false);
      if (state.granted) granted += 1;
      waiter.resolve(state);
    }
    this.#unsure.push(addition);
    this.#owe(addition.name, granted - addition.units);
  }

  #allow(lane: Lane, limit: number, units: 0 | 1, isOwed = true): QuotaState {
    lane.allowance ??= this.#partOf(limit - lane.used);
    const granted = lane.allowance >= units;
    if (granted) lane.allowance -= units;
    if (granted && units > 0 && isOwed) this.#owe(lane.name, units);
    return this.#state(limit - Math.min(limit, lane.allowance), limit, granted);
  }

  get #isSettled(): boolean {
    const { clock, silent } = this.#options;
    return !this.#isBroken && clock.now() >= this.#settledFrom && (silent?.() ?? 0) === 0;
  }

  #noteCount(lane: Lane, used: number): void {
    lane.allowance = null;
    const now = this.#options.clock.now();
    if (now - lane.notedAt < QUOTA_NOTICE_MS) return;
    lane.usedBefore = lane.usedLast;
    lane.usedLast = used;
    lane.notedAt = now;
  }

  /** The part of what remains and of what the silent ones have not taken as theirs when they fell silent. */
  #partBeside({ usedBefore }: Lane, limit: number, used: number): number {
    const { peers, silent } = this.#options;
    const count = silent?.() ?? 0;
    const theirs = count * this.#partOf(limit - usedBefore);
    return Math.floor(Math.max(0, limit - used - theirs) / (peers() - count));
  }

  #partOf(remaining: number): number {
    return Math.floor(Math.max(0, remaining) / Math.max(1, this.#options.peers()));
  }

  #break(error: unknown): void {
    const { clock, onBreak } = this.#options;
    const reason = explain(error);
    this.#isBroken = true;
    if (reason !== this.#fault) {
      this.#fault = reason;
      onBreak?.(true, reason);
    }
    // Another failure postpones the trial.
    this.#cancelTrial();
    if (!this.#isClosed) this.#cancelTrial = clock.after(QUOTA_BREAK_MS, () => void this.#pay());
  }

  #mend(): void {
    if (!this.#isBroken) return;
    this.#cancelTrial();
    this.#isBroken = false;
    this.#settledFrom = this.#options.clock.now() + QUOTA_SETTLE_MS;
    this.#fault = '';
    this.#options.onBreak?.(false, '');
  }

  /** Adds the owed units to the counters, until an addition fails. */
  async #pay(): Promise<void> {
    const unsure = this.#unsure;
    this.#unsure = [];
    const owed = [...this.#owed].filter(([, units]) => units !== 0);
    this.#owed.clear();
    const additions = [...unsure, ...owed.map(([name, units]) => additionOf(name, units))];
    // Without a debt, checks whether the counters answer.
    const day = dayOfTime(this.#options.clock.date());
    if (additions.length === 0) additions.push(additionOf(counterName(day, 'trial'), 0));
    for (const [at, addition] of additions.entries()) {
      try {
        await this.#send(addition);
      } catch (error) {
        this.#unsure.push(...additions.slice(at));
        this.#break(error);
        return;
      }
    }
    this.#mend();
    // Units granted during these additions, or without an answer, are paid before any later charge.
    if (this.#unsure.length > 0 || [...this.#owed.values()].some((units) => units !== 0)) void this.#pay();
  }

  #send({ name, units, id }: Addition): Promise<number | null> {
    return this.#options.counters.add(name, units, id);
  }

  #owe(name: string, units: number): void {
    this.#owed.set(name, (this.#owed.get(name) ?? 0) + units);
  }

  #state(used: number, limit: number, granted: boolean): QuotaState {
    return quotaState(this.#options.clock, used, limit, granted);
  }
}
