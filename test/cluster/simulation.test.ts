import { describe, expect, test } from 'vitest';
import { WAY_MS } from '../../src/cluster/remote-base.ts';
import type { AskedBase } from '../../src/engine/base-actor.ts';
import type { ReadRequest } from '../../src/engine/messages.ts';
import { done, failed, type Outcome } from '../../src/engine/outcome.ts';
import type { BaseStatus } from '../../src/engine/snapshot.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { seeded } from '../tools/faults/support-poll.ts';
import { LocalBroker, type LocalBus } from './local-bus.ts';
import { frontOn, nodeOn, STATUS_UP, UpBase } from './small-cluster.ts';

const SEEDS = 40;
const NODES = 4;
const ASKS = 120;
const BUDGET_MS = 400;
const STORM_MS = 6_000;
/** Longer than any silence counts, and any answer takes. */
const REST_MS = 8_000;

/** A base that answers in its own time, with the decision if its data are new enough to hold it, or fails. */
class MoodyBase extends UpBase {
  readonly #clock: SimulatedClock;
  readonly #random: () => number;
  generation = 1;
  isHonest = false;

  constructor(clock: SimulatedClock, random: () => number) {
    super();
    this.#clock = clock;
    this.#random = random;
  }

  readonly ask: AskedBase['ask'] = (request, budgetMs) => {
    const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>();
    const mood = this.isHonest ? 1 : this.#random();
    // A hang: there is never an answer.
    if (mood < 0.05) return promise as never;
    const { generation } = this;
    const [wanted = 0] = (request as ReadRequest).doc_ids;
    const takesMs = this.isHonest ? 1 : this.#random() ** 4 * 300;
    this.#clock.after(Math.min(takesMs, budgetMs), () => {
      if (mood < 0.1) resolve(failed('unavailable', 'a fault'));
      else if (takesMs > budgetMs) resolve(failed('deadline'));
      else {
        // Decision n came with generation n.
        const rows = [wanted <= generation ? `decision ${wanted}` : null];
        resolve(done({ kind: 'read', rows, generation, docs: generation }));
      }
    });
    return promise as never;
  };

  override status(): BaseStatus {
    return { ...STATUS_UP, generation: this.generation };
  }
}

interface Ended {
  readonly wanted: number;
  readonly newestAtStart: number;
  readonly tookMs: number;
  readonly outcome: Outcome<{ readonly rows: readonly (string | null)[] }>;
}

async function storm(seed: number) {
  const clock = new SimulatedClock();
  const random = seeded(seed);
  let isStorm = true;
  const broker = new LocalBroker((from, to, _subject, deliver) => {
    if (isStorm && random() < 0.03) return;
    clock.after(isStorm ? random() ** 3 * 60 : 0.1, () => {
      // Lost with a connection that ended meanwhile: the bus looks for itself.
      if (from !== '' && to !== '') deliver();
    });
  });
  const bus = broker.join('f');
  const front = frontOn(bus, clock, random);
  const nodes = Array.from({ length: NODES }, (_, at) => {
    const base = new MoodyBase(clock, random);
    const own: LocalBus = broker.join(`n${at}`);
    nodeOn(own, new Map([['tst', base]]), clock);
    return { base, own };
  });
  const base = front.base('tst');
  const ended: Ended[] = [];
  const newest = () => Math.max(...nodes.map((node) => node.base.generation));
  const ask = async (wanted: number) => {
    const startedAt = clock.now();
    const newestAtStart = front.nodes.newest('tst');
    const request = { kind: 'read' as const, object: 'documento' as const, doc_ids: [wanted] };
    const outcome = await base.ask<ReadRequest>(request, BUDGET_MS);
    ended.push({ wanted, newestAtStart, tookMs: clock.now() - startedAt, outcome });
  };
  const pick = () => nodes[Math.floor(random() * NODES)];
  for (let at = 0; at < ASKS; at += 1) {
    void ask(1 + Math.floor(random() * newest()));
    const what = random();
    const node = pick();
    if (what < 0.05 && node !== undefined) node.base.generation = newest() + (random() < 0.3 ? 1 : 0);
    else if (what < 0.1 && node !== undefined) {
      node.own.isConnected = false;
      clock.after(random() * 4_000, () => (node.own.isConnected = true));
    } else if (what < 0.12) {
      bus.isConnected = false;
      clock.after(random() * 600, () => (bus.isConnected = true));
    }
    await clock.advance((random() * 2 * STORM_MS) / ASKS);
  }
  isStorm = false;
  bus.isConnected = true;
  for (const node of nodes) {
    node.own.isConnected = true;
    node.base.isHonest = true;
    node.base.generation = newest();
  }
  await clock.advance(REST_MS);
  const inStorm = ended.splice(0);
  for (let wanted = 1; wanted <= newest(); wanted += 1) void ask(wanted);
  await clock.advance(REST_MS);
  return { inStorm, atRest: ended, front, newest: newest() };
}

describe('a front among nodes that fail, hang, and change their data, with messages that are lost and late', () => {
  test.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))('seed %i', async (seed) => {
    const { inStorm, atRest, front, newest } = await storm(seed);
    expect(inStorm).toHaveLength(ASKS);
    for (const { tookMs, outcome, wanted, newestAtStart } of inStorm) {
      expect(tookMs).toBeLessThanOrEqual(BUDGET_MS + WAY_MS + 0.001);
      // What the front knew to be there is never said to be missing.
      if (outcome.ok && wanted <= newestAtStart) expect(outcome.value.rows).toEqual([`decision ${wanted}`]);
    }
    expect(atRest.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: newest }, (_, at) =>
        expect.objectContaining({
          ok: true,
          value: expect.objectContaining({ rows: [`decision ${at + 1}`] }) as unknown,
        }),
      ),
    );
    expect(front.nodes.all.map(({ waiting }) => waiting)).toEqual(Array.from({ length: NODES }, () => 0));
    expect(front.caller.size).toBe(0);
  });
});
