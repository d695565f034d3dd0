import { randomUUID } from 'node:crypto';
import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream';
import { headers, nanos, type NatsConnection } from '@nats-io/transport-node';
import {
  BUCKET_MS_MAX,
  COUNTER_AGE_MS_MAX,
  MADE_LOOK_MS,
  QUOTA_ACK_MS_MAX,
  QUOTA_BREAK_MS,
  QUOTA_FULL_MS,
  SAME_MESSAGE_MS,
} from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import { DAY_MS, secondsToMidnight, type Quota, type QuotaState } from '../search/quota.ts';
import type { Broker } from './connection.ts';
import { copiesFor } from './copies.ts';

const STREAM = 'jur_quota';

/** Makes the stream of counters if it is missing. @throws where the broker does not answer. */
export async function makeQuotaStream(client: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(client, { checkAPI: false, timeout: BUCKET_MS_MAX });
  await manager.streams.add({
    name: STREAM,
    subjects: ['jur.quota.*.*'],
    allow_msg_counter: true,
    allow_direct: true,
    num_replicas: copiesFor(client),
    max_age: nanos(COUNTER_AGE_MS_MAX),
    max_msgs_per_subject: 1,
    duplicate_window: nanos(SAME_MESSAGE_MS),
    discard: DiscardPolicy.Old,
  });
}

/** Adds to a counter. */
export interface Counters {
  /**
   * @param id of this addition: with the same one it counts once.
   * @returns the counter after it; null where it had counted before.
   * @throws where there is no word of it within the time limit: it may have counted.
   */
  add(subject: string, units: number, id: string): Promise<number | null>;
}

/** Counters in JetStream. */
export class StreamCounters implements Counters {
  readonly #broker: Broker;
  #isMade = false;
  #isMaking = false;

  constructor(broker: Broker) {
    this.#broker = broker;
    broker.onChange((isConnected) => {
      if (isConnected) this.#make();
    });
    if (broker.isConnected) this.#make();
  }

  /** Until the stream is there, which takes longer than a charge may, nothing is added. */
  async add(subject: string, units: number, id: string): Promise<number | null> {
    if (!this.#broker.isConnected) throw new Error('no NATS server is connected');
    if (!this.#isMade) this.#make();
    if (!this.#isMade) throw new Error('the stream of counters is not there yet');
    const client = await this.#broker.ready;
    const sent = headers();
    sent.set('Nats-Incr', units < 0 ? String(units) : `+${units}`);
    sent.set('Nats-Msg-Id', id);
    try {
      const { data } = await client.request(subject, '', { headers: sent, timeout: QUOTA_ACK_MS_MAX });
      return counterIn(new TextDecoder().decode(data));
    } catch (error) {
      // It may have been lost.
      this.#make();
      throw error;
    }
  }

  /** Resolves when charges can be counted, or after so long. */
  async untilMade(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!this.#isMade && performance.now() < until) {
      this.#make();
      await Bun.sleep(MADE_LOOK_MS);
    }
  }

  #make(): void {
    if (this.#isMaking || !this.#broker.isConnected) return;
    this.#isMaking = true;
    void this.#tryToMake().finally(() => {
      this.#isMaking = false;
    });
  }

  async #tryToMake(): Promise<void> {
    try {
      await makeQuotaStream(await this.#broker.ready);
      this.#isMade = true;
    } catch {
      // The next charge, or the next connection, tries again.
    }
  }
}

/** @throws where the answer is an error. */
function counterIn(text: string): number | null {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null) throw new Error('no answer of a counter');
  if ('error' in answer) throw new Error(JSON.stringify(answer.error));
  if ('duplicate' in answer && answer.duplicate === true) return null;
  const value = 'val' in answer ? Number(answer.val) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new Error('no value of a counter');
  return value;
}

interface Waiter {
  readonly units: 0 | 1;
  readonly limit: number;
  readonly resolve: (state: QuotaState) => void;
}

/** One key's charges: those that come while one addition is under way go together with the next. */
interface Lane {
  waiting: Waiter[];
  isAsking: boolean;
  /** Charged on this day, by all fronts, as far as was last told. */
  used: number;
  day: number;
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
  /** Called when the counters do not answer, and when they do again. */
  readonly onBreak: (isBroken: boolean) => void;
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
  /** Additions of which there was no word. */
  #unsure: Addition[] = [];
  /** Granted without the counters, or to be given back, by subject. */
  readonly #owed = new Map<string, number>();

  constructor(options: CounterQuotaOptions) {
    this.#options = options;
  }

  /** True while the counters do not answer. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Charges that the counters have not been told of. */
  get owed(): number {
    return [...this.#owed.values()].reduce((sum, units) => sum + units, 0);
  }

  charge(key: string, limit: number): Promise<QuotaState> {
    return this.#ask(key, limit, 1);
  }

  peek(key: string, limit: number): Promise<QuotaState> {
    return this.#ask(key, limit, 0);
  }

  #ask(key: string, limit: number, units: 0 | 1): Promise<QuotaState> {
    const lane = this.#lane(key);
    if (lane.used >= limit && this.#options.clock.now() < lane.fullUntil)
      return Promise.resolve(this.#state(lane.used, limit, units === 0));
    if (this.#isBroken) return Promise.resolve(this.#allow(key, lane, { units, limit }));
    const { promise, resolve } = Promise.withResolvers<QuotaState>();
    lane.waiting.push({ units, limit, resolve });
    if (!lane.isAsking) void this.#drain(key, lane);
    return promise;
  }

  #lane(key: string): Lane {
    const day = this.#day();
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = {
        waiting: [],
        isAsking: false,
        used: 0,
        day,
        allowance: null,
        fullUntil: Number.NEGATIVE_INFINITY,
      };
      this.#lanes.set(key, lane);
    }
    if (lane.day < day) Object.assign(lane, { day, used: 0, allowance: null });
    return lane;
  }

  async #drain(key: string, lane: Lane): Promise<void> {
    lane.isAsking = true;
    while (lane.waiting.length > 0) {
      const waiters = lane.waiting;
      lane.waiting = [];
      const units = waiters.reduce((sum, waiter) => sum + waiter.units, 0);
      const addition = { subject: subjectOf(lane.day, key), units, id: randomUUID() };
      try {
        const value = await this.#options.counters.add(addition.subject, units, addition.id);
        if (value === null) throw new Error('an addition of another charge');
        this.#settle(lane, waiters, addition, value);
      } catch {
        this.#break();
        this.#settleWithout(key, lane, waiters, addition);
      }
    }
    lane.isAsking = false;
  }

  /** Each charge as if it had come by itself. */
  #settle(lane: Lane, waiters: readonly Waiter[], { subject, units }: Addition, value: number): void {
    // One that was under way when others got no word: what is owed is not in it.
    if (!this.#isBroken) lane.allowance = null;
    lane.used = value - units;
    let refused = 0;
    for (const { units: wanted, limit, resolve } of waiters) {
      const granted = lane.used + wanted <= limit;
      if (granted) lane.used += wanted;
      else refused += wanted;
      resolve(this.#state(lane.used, limit, granted));
    }
    if (refused === 0) return;
    lane.fullUntil = this.#options.clock.now() + QUOTA_FULL_MS;
    this.#owe(subject, -refused);
    if (!this.#isBroken) void this.#pay();
  }

  /** The addition may have counted: it is sent again under its id, and what is not granted of it is given back. */
  #settleWithout(key: string, lane: Lane, waiters: readonly Waiter[], addition: Addition): void {
    let granted = 0;
    for (const { units, limit, resolve } of waiters) {
      const state = this.#allow(key, lane, { units, limit }, false);
      if (state.granted) granted += units;
      resolve(state);
    }
    if (addition.units === 0) return;
    this.#unsure.push(addition);
    this.#owe(addition.subject, granted - addition.units);
  }

  #allow(
    key: string,
    lane: Lane,
    { units, limit }: Pick<Waiter, 'units' | 'limit'>,
    isOwed = true,
  ): QuotaState {
    lane.allowance ??= Math.floor(Math.max(0, limit - lane.used) / Math.max(1, this.#options.fronts()));
    const granted = lane.allowance >= units;
    if (granted) lane.allowance -= units;
    if (granted && units > 0 && isOwed) this.#owe(subjectOf(lane.day, key), units);
    return { granted, limit, remaining: Math.min(limit, lane.allowance), resetSeconds: this.#resetSeconds() };
  }

  #break(): void {
    this.#brokenUntil = this.#options.clock.now() + QUOTA_BREAK_MS;
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#options.onBreak(true);
    this.#tryLater();
  }

  #mend(): void {
    if (!this.#isBroken) return;
    this.#isBroken = false;
    this.#options.onBreak(false);
  }

  #tryLater(): void {
    const waitMs = Math.max(1, this.#brokenUntil - this.#options.clock.now());
    this.#options.clock.after(waitMs, () => {
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
      } catch {
        this.#unsure.push(...additions.slice(at));
        const wasBroken = this.#isBroken;
        this.#break();
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
