import { expect, test } from 'vitest';
import { HEARTBEAT_MANY_MS, HEDGE_BURST, HEDGE_SHARE, WAY_MS } from '../../src/config/limits.ts';
import type { AskedBase } from '../../src/engine/base-actor.ts';
import type { Clock } from '../../src/engine/clock.ts';
import type { ReadRequest } from '../../src/engine/messages.ts';
import { done, type Outcome } from '../../src/engine/outcome.ts';
import type { BaseStatus } from '../../src/engine/snapshot.ts';
import { settle } from '../support/simulated-clock.ts';
import { seeded } from '../tools/faults/support-poll.ts';
import { LocalBroker } from './local-bus.ts';
import { frontOn, nodeOn, STATUS_UP } from './small-cluster.ts';

const NODES = 1_000;
const HUNG = 30;
const SILENT = 20;
const ASKS = 2_000;
const BUDGET_MS = 400;

/** Simulated time for thousands of timers: they stay in order as they come. */
class OrderedClock implements Clock {
  readonly #timers: { at: number; action: () => void }[] = [];
  #now = 0;

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#now);
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, action };
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.at ?? 0) <= timer.at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
    return () => {
      const at = this.#timers.indexOf(timer);
      if (at !== -1) this.#timers.splice(at, 1);
    };
  }

  soon(action: () => void): void {
    action();
  }

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let next = this.#timers[0]; next !== undefined && next.at <= until; next = this.#timers[0]) {
      this.#timers.shift();
      this.#now = next.at;
      next.action();
      await settle();
    }
    this.#now = until;
  }
}

/** Answers in some milliseconds, or not at all. */
class TimedBase implements Pick<AskedBase, 'ask' | 'status' | 'isCongestedFor'> {
  readonly #clock: Clock;
  readonly #random: () => number;
  asked = 0;
  hangs = false;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  readonly ask: AskedBase['ask'] = () => {
    this.asked += 1;
    const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>();
    const reply = done({ kind: 'read', rows: ['a'], generation: 1, docs: 1 });
    if (!this.hangs)
      this.#clock.after(this.#random() * 10, () => {
        resolve(reply);
      });
    return promise as never;
  };

  status(): BaseStatus {
    return STATUS_UP;
  }

  isCongestedFor(): boolean {
    return false;
  }
}

test('a front among a thousand nodes asks them evenly, leaves alone those that hang, and is never late', async () => {
  const clock = new OrderedClock();
  const random = seeded(7);
  let beats = 0;
  const broker = new LocalBroker((_from, to, subject, deliver) => {
    if (to === 'f' && subject.startsWith('jur.v1.hb.')) beats += 1;
    queueMicrotask(deliver);
  });
  const front = frontOn(broker.join('f'), clock, random);
  const nodes = Array.from({ length: NODES }, (_, at) => {
    const held = new TimedBase(clock, random);
    const bus = broker.join(`n${at}`);
    // Nodes are started one by one.
    clock.after(random() * 1_000, () =>
      nodeOn(bus, new Map([['tst', held]]), clock, () => front.nodes.liveCount),
    );
    return { held, bus };
  });
  await clock.advance(3_100);
  expect(front.nodes.liveOf('tst')).toHaveLength(NODES);
  beats = 0;
  await clock.advance(2 * HEARTBEAT_MANY_MS);
  expect(beats).toBe(2 * NODES);
  expect(front.nodes.all.filter(({ isLive, ejections }) => !isLive || ejections > 0)).toEqual([]);

  const base = front.base('tst');
  const ended: { tookMs: number; isOk: boolean }[] = [];
  const ask = async () => {
    const startedAt = clock.now();
    const request = { kind: 'read' as const, object: 'documento' as const, doc_ids: [1] };
    const { ok } = await base.ask<ReadRequest>(request, BUDGET_MS);
    ended.push({ tookMs: clock.now() - startedAt, isOk: ok });
  };
  const askAll = async (everyMs: number) => {
    for (let at = 0; at < ASKS; at += 1) {
      void ask();
      await clock.advance(everyMs);
    }
  };
  await askAll(0.5);
  await clock.advance(BUDGET_MS);
  expect(ended.filter(({ isOk }) => isOk)).toHaveLength(ASKS);
  const counts = nodes.map(({ held }) => held.asked);
  // Two a node: chance alone leaves out 135, and gives the most asked some nine.
  expect(counts.filter((count) => count > 0).length).toBeGreaterThan(0.8 * NODES);
  expect(Math.max(...counts)).toBeLessThanOrEqual(12);

  for (const { held } of nodes.slice(0, HUNG)) held.hangs = true;
  for (const { bus } of nodes.slice(-SILENT)) bus.isConnected = false;
  // Longer than a silent node counts as live.
  await askAll(1.4);
  await askAll(1.4);
  await clock.advance(BUDGET_MS + WAY_MS);
  expect(ended).toHaveLength(3 * ASKS);
  // One in a thousand requests meets two nodes that hang: a third one answers it.
  expect(ended.filter(({ isOk }) => !isOk)).toEqual([]);
  expect(front.hedges.total).toBeLessThanOrEqual(HEDGE_BURST + HEDGE_SHARE * 3 * ASKS);
  expect(Math.max(...ended.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(BUDGET_MS + WAY_MS);
  expect(front.nodes.liveOf('tst')).toHaveLength(NODES - SILENT);
  const ejected = front.nodes.all.filter(({ ejections }) => ejections > 0).map(({ name }) => name);
  const hung = new Set([...nodes.slice(0, HUNG), ...nodes.slice(-SILENT)].map(({ bus }) => bus.name));
  expect(ejected.length).toBeGreaterThan(HUNG / 2);
  expect(ejected.filter((name) => !hung.has(name))).toEqual([]);
  expect(front.caller.size).toBe(0);
  front.close();
});
