import { expect, test } from 'vitest';
import { WAY_MS } from '../../src/cluster/remote-ask.ts';
import { HEDGE_BURST, HEDGE_SHARE } from '../../src/cluster/hedging.ts';
import { HEARTBEAT_MANY_MS } from '../../src/cluster/messages.ts';
import type { AskedBase } from '../../src/engine/base-actor.ts';
import type { Clock } from '../../src/clock.ts';
import type { ReadRequest } from '../../src/engine/messages.ts';
import { done, type Outcome } from '../../src/engine/outcome.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { seeded } from '../tools/faults/support-poll.ts';
import { LocalBroker } from './local-bus.ts';
import { frontOn, nodeOn, STATUS_UP, type NodeBase } from './small-cluster.ts';

const NODES = 1_000;
const HUNG = 30;
const SILENT = 20;
const ASKS = 2_000;
const BUDGET_MS = 400;

/** Answers in some milliseconds, or not at all. */
class TimedBase implements NodeBase {
  asked = 0;
  hangs = false;
  readonly status = () => STATUS_UP;
  readonly isCongestedFor = () => false;
  readonly ask: AskedBase['ask'];

  constructor(clock: Clock, random: () => number) {
    this.ask = () => {
      this.asked += 1;
      const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>();
      const reply = done({ kind: 'read', rows: ['a'], generation: 1, docs: 1 });
      if (!this.hangs)
        clock.after(random() * 10, () => {
          resolve(reply);
        });
      return promise as never;
    };
  }
}

test('a front among a thousand nodes asks them evenly, leaves alone those that hang, and is never late', async () => {
  const clock = new SimulatedClock();
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
      nodeOn(bus, new Map([['tst', held]]), clock, { nodeCount: () => front.nodes.liveCount }),
    );
    return { held, bus };
  });
  await clock.advance(3_100);
  expect(front.nodes.liveOf('tst')).toHaveLength(NODES);
  beats = 0;
  await clock.advance(2 * HEARTBEAT_MANY_MS);
  expect(beats).toBe(2 * NODES);
  expect(front.nodes.all.filter(({ isLive, lost }) => !isLive || lost > 0)).toEqual([]);

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

  const hung = nodes.slice(0, HUNG);
  for (const { held } of hung) {
    held.hangs = true;
    held.asked = 0;
  }
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
  const lossy = front.nodes.all.filter(({ lost }) => lost > 0).map(({ name }) => name);
  const faulty = new Set([...hung, ...nodes.slice(-SILENT)].map(({ bus }) => bus.name));
  expect(lossy.length).toBeGreaterThan(HUNG / 2);
  expect(lossy.filter((name) => !faulty.has(name))).toEqual([]);
  // What it has not answered is its load, so it is chosen only if the other one hangs too: else it would be four or five.
  expect(hung.reduce((sum, { held }) => sum + held.asked, 0)).toBeLessThan(2 * HUNG);
  expect(front.caller.size).toBe(0);
  front.close();
});
