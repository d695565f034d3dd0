import { describe, expect, test } from 'vitest';
import { WAY_MS } from '../../src/cluster/remote-ask.ts';
import { LOST_MAX, NODE_LATE_BEATS, NODE_CHECK_MS, NODE_SILENT_MS_MAX } from '../../src/cluster/nodes.ts';
import { HEDGE_BURST, HEDGE_SHARE } from '../../src/cluster/hedging.ts';
import { ASKS_PER_MESSAGE_MAX, UNANSWERED_MS_MAX } from '../../src/cluster/caller.ts';
import { HEARTBEAT_MS, VERSION, readAsks } from '../../src/cluster/messages.ts';
import { askSubject } from '../../src/cluster/subjects.ts';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { readTraceparent, type Asker } from '../../src/engine/asker.ts';
import type { AskedBase } from '../../src/engine/base-actor.ts';
import type { BaseReply, BaseStatus, ReadRequest, SearchRequest } from '../../src/engine/messages.ts';
import { done, failed, type Outcome } from '../../src/engine/outcome.ts';
import type { Abandonment } from '../../src/clock.ts';
import type { Step } from '../../src/engine/steps.ts';
import { SimulatedClock, settle } from '../support/simulated-clock.ts';
import { searchFor } from '../support/requests.ts';
import { LocalBroker, type LocalBus } from './local-bus.ts';
import { frontOn, nodeOn, STATUS_UP, type NodeBase } from './small-cluster.ts';

const STATUS: BaseStatus = { ...STATUS_UP, threads: 2, docs: 10 };
const read = (doc_id = 1) => ({ kind: 'read' as const, object: 'documento' as const, doc_ids: [doc_id] });
const reply = (linha: string | null, generation = 1): Outcome<BaseReply> =>
  done({ kind: 'read', rows: [linha], generation, docs: 10 });

interface Asked {
  readonly id: number | undefined;
  readonly isAnew: boolean;
  readonly budgetMs: number;
  readonly abandoned: Abandonment | undefined;
  readonly answer: (outcome: Outcome<BaseReply>) => void;
}

/** A base on a node, whose answers the test gives. */
class HeldBase implements NodeBase {
  readonly asked: Asked[] = [];
  current = STATUS;
  isLate = false;
  /** Does not notice that the sender has left. */
  hangs = false;

  readonly ask: AskedBase['ask'] = (_request, budgetMs, asker) => {
    const { id, abandoned, steps, isAnew = false }: Asker = asker ?? {};
    const step: Step = {
      base: 'tst',
      kind: 'registro',
      startedAt: 0,
      queueMs: 3,
      runMs: 4,
      countMs: 0,
      rowsMs: 0,
      cached: false,
      outcome: 'ok',
    };
    steps?.push(step);
    const { promise, resolve } = Promise.withResolvers<Outcome<BaseReply>>();
    this.asked.push({ budgetMs, id, isAnew, abandoned, answer: resolve });
    abandoned?.addEventListener('abort', () => {
      if (!this.hangs) resolve(failed('abandoned'));
    });
    return promise as ReturnType<AskedBase['ask']> as never;
  };

  async say(outcome: Outcome<BaseReply>, at = 0): Promise<void> {
    this.asked.at(at)?.answer(outcome);
    await settle();
  }

  status(): BaseStatus {
    return this.current;
  }

  isCongestedFor(): boolean {
    return this.isLate;
  }
}

function frontAlone() {
  const clock = new SimulatedClock();
  const broker = new LocalBroker();
  return { clock, broker, front: frontOn(broker.join('f'), clock, () => 0) };
}

/** A front and so many nodes with one base each. `Math.random` of the choice: the first node first, unless it has more to do. */
async function start(count = 2, generations: readonly number[] = []) {
  const clock = new SimulatedClock();
  /** Whose connection is dead, which neither it nor the broker knows. */
  const silent = new Set<string>();
  const broker = new LocalBroker((from, to, _subject, deliver) => {
    if (!silent.has(from) && !silent.has(to)) queueMicrotask(deliver);
  });
  const bus = broker.join('f');
  const front = frontOn(bus, clock, () => 0);
  const nodes = Array.from({ length: count }, (_, at) => {
    const base = new HeldBase();
    base.current = { ...STATUS, generation: generations[at] ?? 1 };
    const own: LocalBus = broker.join(`n${at + 1}`);
    return { base, bus: own, listener: nodeOn(own, new Map([['tst', base]]), clock) };
  });
  await settle();
  const base = front.base('tst');
  const ask = (budgetMs = 1_000, abandoned?: Abandonment, steps?: Step[]) =>
    base.ask<ReadRequest>(read(), budgetMs, { abandoned, ...(steps !== undefined && { steps }) });
  const at = (index: number) => {
    const node = nodes[index] ?? nodes[0];
    if (node === undefined) throw new Error('no node');
    return node;
  };
  return {
    clock,
    silent,
    bus,
    front,
    nodes,
    base,
    ask,
    get first() {
      return at(0);
    },
    get second() {
      return at(1);
    },
  };
}

type Small = Awaited<ReturnType<typeof start>>;

describe('a base on nodes', () => {
  test('is asked on one of them, with the whole budget, and says in a step who answered and when', async () => {
    const { clock, first, second, ask } = await start();
    const steps: Step[] = [];
    const answer = ask(1_000, undefined, steps);
    await settle();
    expect([first.base.asked.length, second.base.asked.length]).toEqual([1, 0]);
    expect(first.base.asked[0]?.budgetMs).toBe(1_000);
    await clock.advance(10);
    await first.base.say(reply('a'));
    expect(await answer).toEqual(reply('a'));
    expect(steps).toMatchObject([{ node: 'n1', queueMs: 3, runMs: 7, outcome: 'ok', kind: 'registro' }]);
    const times = { startedAt: steps[0]?.startedAt, tookMs: 10, queueMs: 3, runMs: 4 };
    expect(steps[0]?.asks).toEqual([{ node: 'n1', why: 'first', outcome: 'ok', cached: false, ...times }]);
  });

  test('takes the node that has less to do', async () => {
    const { first, second, ask } = await start();
    void ask();
    await settle();
    void ask();
    await settle();
    expect([first.base.asked.length, second.base.asked.length]).toEqual([1, 1]);
  });

  test('sends a slow request to a second node too; the first answer counts, and the other request is cancelled', async () => {
    const { clock, front, first, second, ask } = await start();
    const steps: Step[] = [];
    const answer = ask(1_000, undefined, steps);
    await clock.advance(29);
    expect(second.base.asked).toHaveLength(0);
    await clock.advance(1);
    expect(second.base.asked[0]?.budgetMs).toBe(970);
    await clock.advance(10);
    await second.base.say(reply('b'));
    expect(await answer).toEqual(reply('b'));
    const startedAt = steps[0]?.startedAt ?? 0;
    expect(steps).toMatchObject([{ node: 'n2', queueMs: 3, runMs: 37 }]);
    expect(steps[0]?.asks).toMatchObject([
      { node: 'n1', why: 'first', outcome: 'unanswered', startedAt, tookMs: 40, queueMs: 0, runMs: 0 },
      { node: 'n2', why: 'hedge', outcome: 'ok', startedAt: startedAt + 30, tookMs: 10, queueMs: 3 },
    ]);
    await settle();
    expect(first.base.asked[0]?.abandoned?.aborted).toBe(true);
    expect(front.hedges.total).toBe(1);
    expect(front.caller.size).toBe(0);
  });

  test('sends it to a third one where the second is silent too', async () => {
    const { clock, front, nodes, ask } = await start(3);
    const answer = ask();
    await clock.advance(59);
    expect(nodes.map(({ base }) => base.asked.length)).toContain(0);
    await clock.advance(1);
    expect(nodes.map(({ base }) => base.asked.length)).toEqual([1, 1, 1]);
    const third = nodes.find(({ base }) => base.asked[0]?.budgetMs === 940);
    await third?.base.say(reply('c'));
    expect(await answer).toEqual(reply('c'));
    // Both silent ones have lost it.
    expect(front.nodes.all.filter(({ lost }) => lost === 1)).toHaveLength(2);
    expect([front.hedges.total, front.caller.size]).toEqual([2, 0]);
  });

  test('sends it to a second one later where there was no room for one more', async () => {
    const { clock, front, first, second, ask } = await start();
    // Busy, so that requests go to the first.
    second.base.current = { ...STATUS, waiting: 1_000 };
    await clock.advance(HEARTBEAT_MS);
    for (let at = 0; at < HEDGE_BURST; at += 1) front.hedges.take();
    const answer = ask();
    await clock.advance(30);
    expect(second.base.asked).toHaveLength(0);
    for (let at = 0; at < 1 / HEDGE_SHARE; at += 1) {
      void ask();
      await settle();
      first.base.asked.at(-1)?.answer(reply('a'));
    }
    await clock.advance(30);
    expect(second.base.asked).toHaveLength(1);
    await second.base.say(reply('b'));
    expect(await answer).toEqual(reply('b'));
  });

  test('asks a node that lost requests in a row no more until its next heartbeat, and elsewhere what waits there', async () => {
    const { clock, front, first, second, ask } = await start();
    first.listener.close();
    // Busy, so that requests go to the first.
    second.base.current = { ...STATUS, waiting: 100 };
    second.listener.report();
    const answers = Array.from({ length: LOST_MAX }, () => ask());
    await clock.advance(30);
    const waits = ask();
    await settle();
    expect(first.base.asked).toHaveLength(LOST_MAX + 1);
    for (const asked of second.base.asked) asked.answer(reply('b'));
    await settle();
    await Promise.all(answers);
    expect(front.nodes.node('n1')).toMatchObject({ isLive: true, lost: LOST_MAX });
    await second.base.say(reply('elsewhere'), -1);
    expect(await waits).toEqual(reply('elsewhere'));
    await clock.advance(HEARTBEAT_MS);
    void ask();
    await settle();
    expect(first.base.asked).toHaveLength(LOST_MAX + 1);
    const bases = { tst: { status: STATUS, late: false } };
    front.nodes.take('n1', { v: VERSION, stopping: false, bases });
    void ask();
    await settle();
    expect(first.base.asked).toHaveLength(LOST_MAX + 2);
  });

  test.each([
    ['it answers', async ({ first }: Small) => first.base.asked[0]?.answer(failed('abandoned'))],
    [
      'it has another connection',
      async ({ first, clock }: Small) => {
        first.bus.isConnected = false;
        await clock.advance(1);
        first.bus.isConnected = true;
      },
    ],
    ['long after', async ({ clock }: Small) => clock.advance(UNANSWERED_MS_MAX)],
  ])('counts what a node has not answered as its load until %s', async (_until, end) => {
    const small = await start();
    const { clock, front, first, second, ask } = small;
    first.base.hangs = true;
    const answer = ask();
    await clock.advance(30);
    second.base.asked[0]?.answer(reply('b'));
    await answer;
    for (const count of [2, 3]) {
      await clock.advance(HEARTBEAT_MS);
      const next = ask();
      await settle();
      expect(second.base.asked).toHaveLength(count);
      second.base.asked.at(-1)?.answer(reply('b'));
      await next;
    }
    expect(first.base.asked).toHaveLength(1);
    expect(front.nodes.node('n1')?.waiting).toBe(1);
    await end(small);
    await settle();
    expect(front.nodes.node('n1')?.waiting).toBe(0);
    void ask();
    await settle();
    expect(first.base.asked).toHaveLength(2);
  });

  test('asks elsewhere what waits at a node whose connection is dead, even where no second ask is left', async () => {
    const { clock, silent, front, first, second, ask } = await start();
    // Busy, so that requests go to the first.
    second.base.current = { ...STATUS, waiting: 100 };
    await clock.advance(HEARTBEAT_MS);
    silent.add('n1');
    while (front.hedges.take());
    const answer = ask(2_000);
    await clock.advance(NODE_LATE_BEATS * HEARTBEAT_MS);
    expect(second.base.asked).toHaveLength(0);
    await clock.advance(NODE_CHECK_MS);
    expect(first.base.asked).toHaveLength(0);
    expect(second.base.asked[0]?.budgetMs).toBe(2_000 - NODE_LATE_BEATS * HEARTBEAT_MS - NODE_CHECK_MS);
    await second.base.say(reply('b'));
    expect(await answer).toEqual(reply('b'));
    expect(front.nodes.node('n1')?.isLive).toBe(true);
    silent.delete('n1');
    await clock.advance(2 * HEARTBEAT_MS);
    void ask();
    await settle();
    expect(first.base.asked).toHaveLength(1);
  });

  test('asks another node where one fails or is full, and says the failure where all do', async () => {
    const { first, second, ask } = await start();
    const answer = ask();
    await settle();
    await first.base.say(failed('overloaded'));
    await second.base.say(failed('unavailable', 'no file'));
    expect(await answer).toEqual(failed('unavailable', 'no file'));
  });

  test('does not ask again for what the first has decided', async () => {
    const { first, second, base } = await start();
    const answer = base.ask<SearchRequest>(searchFor('dano'), 1_000);
    await settle();
    await first.base.say(failed('deadline'));
    expect(await answer).toEqual(failed('deadline'));
    expect(second.base.asked).toHaveLength(0);
  });

  test('does not believe a node that says that nobody listens at another', async () => {
    const { front, bus, first, ask } = await start();
    const answer = ask();
    await settle();
    const subject = 'jur.v1.re.f.n2.test.1';
    for (const hear of bus.heardBy(subject)) hear({ subject, string: () => '', headers: { code: 503 } });
    expect(front.nodes.node('n1')?.isLive).toBe(true);
    first.base.asked[0]?.answer(reply('a'));
    expect(await answer).toEqual(reply('a'));
  });

  test('is unavailable at once where no node has it, and down once nodes were there', async () => {
    const { clock, first, base, ask } = await start(1);
    expect(base.status()).toMatchObject({ state: 'up', generation: 1, threads: 2 });
    first.bus.isConnected = false;
    await clock.advance(NODE_SILENT_MS_MAX + 500);
    expect(base.status()).toMatchObject({ state: 'down', detail: 'no node has the base' });
    const steps: Step[] = [];
    expect(await ask(1_000, undefined, steps)).toMatchObject({ ok: false, failure: 'unavailable' });
    expect(steps[0]?.asks).toEqual([]);
  });

  test('waits a moment for a lost connection, and fails at once after that', async () => {
    const { clock, bus, first, ask } = await start(1);
    const kept = ask();
    await settle();
    bus.isConnected = false;
    const meanwhile = ask();
    await clock.advance(100);
    bus.isConnected = true;
    await settle();
    // A running request is sent again, and the node does not do it twice.
    expect(first.base.asked).toHaveLength(2);
    for (const asked of first.base.asked) asked.answer(reply('a'));
    await settle();
    expect(await Promise.all([kept, meanwhile])).toEqual([reply('a'), reply('a')]);
    const lost = ask();
    await settle();
    bus.isConnected = false;
    await clock.advance(300);
    expect(await lost).toMatchObject({ failure: 'unavailable', detail: 'no connection to the broker' });
    expect(await ask()).toMatchObject({ failure: 'unavailable' });
  });

  test('asks a node again whose answer was lost with its connection, even where it is the only one', async () => {
    const { clock, first, ask } = await start(1);
    const answer = ask();
    await settle();
    await clock.advance(1);
    first.bus.isConnected = false;
    await first.base.say(reply('lost'));
    await clock.advance(1);
    first.bus.isConnected = true;
    await settle();
    expect(first.base.asked.length).toBe(2);
    await first.base.say(reply('a'), 1);
    expect(await answer).toEqual(reply('a'));
  });

  test('leaves a node at its work whose connection was lost meanwhile', async () => {
    const { clock, first, ask } = await start(1);
    const answer = ask();
    await settle();
    first.bus.isConnected = false;
    await clock.advance(1);
    first.bus.isConnected = true;
    await settle();
    await first.base.say(reply('a'));
    expect(await answer).toEqual(reply('a'));
    expect(first.base.asked.length).toBe(1);
  });

  test('fails at once while the connection to the only server is lost', async () => {
    const { clock, bus, base, ask } = await start();
    bus.hasOtherServer = false;
    const since = clock.now();
    const lost = ask();
    await settle();
    bus.isConnected = false;
    expect(base.status()).toMatchObject({ state: 'down', detail: 'no connection to the broker' });
    for (const answer of [lost, ask()])
      expect(await answer).toMatchObject({ failure: 'unavailable', detail: 'no connection to the broker' });
    expect(clock.now()).toBe(since);
  });

  test('names its nodes, each with its state there', async () => {
    const { clock, front, nodes, base } = await start(4);
    const [, second, third] = nodes;
    second!.base.current = { ...STATUS, state: 'down', detail: 'no file' };
    third!.listener.stop();
    front.nodes.node('n4')!.isTakenOut = true;
    await clock.advance(HEARTBEAT_MS);
    expect(base.nodes()).toEqual({ n1: 'up', n2: 'down', n3: 'gone', n4: 'out' });
  });

  test('tells the node when the sender has left', async () => {
    const { first, ask } = await start();
    const left = new AbortController();
    const answer = ask(1_000, left.signal);
    await settle();
    left.abort();
    expect(await answer).toMatchObject({ failure: 'abandoned' });
    await settle();
    expect(first.base.asked[0]?.abandoned?.aborted).toBe(true);
    expect(first.listener.isBusy).toBe(false);
  });

  test('is not asked if the sender leaves in the same moment', async () => {
    const { front, first, ask } = await start();
    const left = new AbortController();
    const answer = ask(1_000, left.signal);
    left.abort();
    expect(await answer).toMatchObject({ failure: 'abandoned' });
    await settle();
    expect([first.base.asked.length, front.nodes.node('n1')?.waiting]).toEqual([0, 0]);
  });

  test('tells the node whose turn a request takes, and whether it is to be made anew', async () => {
    const { first, base } = await start(1);
    void base.ask<ReadRequest>(read(), 1_000, { id: 7 });
    void base.ask<ReadRequest>(read(), 1_000, { id: 8, isAnew: true });
    await settle();
    expect(first.base.asked).toMatchObject([
      { id: 7, isAnew: false },
      { id: 8, isAnew: true },
    ]);
  });

  test('is congested while every node makes requests wait, for those with most of the requests', async () => {
    const { clock, nodes, base } = await start();
    for (const id of [7, 7, 8]) void base.ask<ReadRequest>(read(), 60_000, { id });
    const congested = () => [7, 8, 9].map((id) => base.isCongestedFor(id));
    for (const { base: held } of nodes.slice(1)) held.isLate = true;
    await clock.advance(HEARTBEAT_MS);
    expect(congested()).toEqual([false, false, false]);
    for (const { base: held } of nodes) held.isLate = true;
    await clock.advance(HEARTBEAT_MS);
    expect(congested()).toEqual([true, false, false]);
  });
});

describe('the step of a request names every node that was asked', () => {
  const asksOf = (steps: readonly Step[]) => steps.flatMap(({ asks }) => asks ?? []);

  test('where the first fails, is not there, or has older data', async () => {
    const failing = await start();
    const steps: Step[] = [];
    void failing.ask(1_000, undefined, steps);
    await settle();
    await failing.first.base.say(failed('overloaded'));
    await failing.second.base.say(reply('b'));
    const unheard = await start();
    unheard.first.bus.hearNothing();
    const elsewhere = unheard.ask(1_000, undefined, steps);
    await settle();
    await unheard.second.base.say(reply('b'));
    expect(await elsewhere).toEqual(reply('b'));
    const older = await start(2, [1, 2]);
    const newest = older.ask(1_000, undefined, steps);
    await settle();
    await older.first.base.say(reply(null, 1));
    await older.second.base.say(reply('there', 2));
    expect(await newest).toEqual(reply('there', 2));
    const second = { node: 'n2', why: 'again', outcome: 'ok' };
    expect(asksOf(steps)).toMatchObject([
      { node: 'n1', outcome: 'overloaded' },
      second,
      { node: 'n1', outcome: 'unheard' },
      second,
      { node: 'n1', outcome: 'too_old' },
      second,
    ]);
  });

  test('where none answers soon after the budget, and where the client leaves', async () => {
    const { clock, ask } = await start();
    const steps: Step[] = [];
    let outcome: unknown = null;
    void ask(500, undefined, steps).then((ended) => (outcome = ended));
    await clock.advance(500 + WAY_MS - 1);
    expect(outcome).toBeNull();
    await clock.advance(1);
    expect(outcome).toMatchObject({ ok: false, failure: 'deadline' });
    const left = new AbortController();
    void ask(500, left.signal, steps);
    await settle();
    left.abort();
    await settle();
    expect(steps).toMatchObject([{ outcome: 'deadline' }, { outcome: 'abandoned' }]);
    expect(asksOf(steps)).toMatchObject([
      { outcome: 'unanswered', tookMs: 500 + WAY_MS },
      { outcome: 'unanswered', tookMs: 470 + WAY_MS },
      { outcome: 'abandoned', tookMs: 0 },
    ]);
  });
});

describe('messages that would be too large', () => {
  const LIMIT = 100_000;

  test('of answers go one by one, and one that is too large by itself is a failure', async () => {
    const { clock, broker, front } = frontAlone();
    const [large, small] = [new HeldBase(), new HeldBase()];
    const bases = new Map<Base, HeldBase>([
      ['tst', large],
      ['stf', small],
    ]);
    const faults: string[] = [];
    const onFault = (event: string) => faults.push(event);
    const bus = broker.join('n1');
    bus.payloadMax = LIMIT;
    nodeOn(bus, bases, clock, { onFault });
    await settle();
    const asked = (['tst', 'stf'] as const).map((base) => front.base(base).ask<ReadRequest>(read(), 1_000));
    await settle();
    large.asked[0]?.answer(reply('x'.repeat(LIMIT)));
    small.asked[0]?.answer(reply('small'));
    await clock.advance(5);
    const [first, second] = await Promise.all(asked);
    expect(first).toMatchObject({ ok: false, failure: 'unavailable', detail: 'answer too large' });
    expect(second).toMatchObject({ ok: true, value: { rows: ['small'] } });
    expect(faults).toEqual(['answer not sent']);
  });

  test('of requests go in parts, all of which are answered', async () => {
    const { clock, first, ask } = await start(1);
    let messages = 0;
    first.bus.subscribe(askSubject('n1', '*'), () => (messages += 1));
    const asked = Array.from({ length: 200 }, () => ask());
    await settle();
    for (const { answer } of first.base.asked) answer(reply('x'));
    await clock.advance(5);
    expect((await Promise.all(asked)).every(({ ok }) => ok)).toBe(true);
    expect(messages).toBe(Math.ceil(200 / ASKS_PER_MESSAGE_MAX));
  });
});

test('a node answers the front that asks, and nobody else in its name', async () => {
  const broker = new LocalBroker();
  const [bus, front] = [broker.join('n1'), broker.join('f1')];
  const base = new HeldBase();
  const faults: string[] = [];
  const clock = new SimulatedClock();
  const onFault = (event: string) => faults.push(event);
  nodeOn(bus, new Map([['tst', base]]), clock, { onFault });
  const ask = { id: 1, base: 'tst', generation_min: 0, anew: false, request: { ...read(), budget_ms: 1 } };
  for (const to of ['jur.v1.re.f2.n1.x.1', 'jur.v1.re.f1.n2.x.1', 'jur.v1.re.f1.n1.x.1'])
    front.publish(askSubject('n1', 'f1'), JSON.stringify({ v: VERSION, asks: [ask] }), to);
  await settle();
  expect([faults.length, base.asked.length]).toEqual([2, 1]);
});

describe('the trace of a client', () => {
  const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  test('goes to the node with the request, which names it where the request fails', async () => {
    const { clock, broker, front } = frontAlone();
    const ask = () => {
      throw new Error('broken');
    };
    const faults: unknown[] = [];
    const onFault = (event: string, detail: object) => faults.push({ event, ...detail });
    nodeOn(broker.join('n1'), new Map([['tst', Object.assign(new HeldBase(), { ask })]]), clock, { onFault });
    await settle();
    const how = { traceparent: TRACE };
    const answer = front.base('tst').ask<ReadRequest>(read(), 1_000, how);
    await clock.advance(1);
    expect(await answer).toMatchObject({ ok: false, failure: 'unavailable' });
    expect(faults).toMatchObject([{ event: 'request failed', base: 'tst', traceparent: TRACE }]);
  });

  test('is refused by the node, and left out by the front, where it is none', () => {
    const ask = { id: 1, base: 'tst', generation_min: 0, anew: false, request: { ...read(), budget_ms: 1 } };
    const sent = (more: object) => readAsks(JSON.stringify({ v: VERSION, asks: [{ ...ask, ...more }] }));
    expect(sent({})).toHaveLength(1);
    expect(sent({ traceparent: TRACE })).toMatchObject([{ traceparent: TRACE }]);
    expect(readTraceparent(TRACE)).toBe(TRACE);
    const wrong = [
      '',
      'a',
      `${TRACE} `,
      TRACE.toUpperCase(),
      TRACE.replace('00-', 'ff-'),
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
    ];
    for (const traceparent of wrong) {
      expect(sent({ traceparent })).toBeNull();
      expect(readTraceparent(traceparent)).toBeUndefined();
    }
    expect(readTraceparent(null)).toBeUndefined();
  });
});

describe('a base on nodes with data of several generations', () => {
  const after = {
    ordem: 'relevancia' as const,
    doc_id_max: 10,
    df: [1],
    score: null,
    doc_id: 0,
    generation: 2,
  };

  test('gives a further page from data at least as new as the first page’s', async () => {
    const { first, second, base } = await start(2, [1, 2]);
    void base.ask<SearchRequest>(searchFor('dano', { ordem: 'relevancia', after }), 1_000);
    await settle();
    expect([first.base.asked.length, second.base.asked.length]).toEqual([0, 1]);
  });

  test('is unavailable where only older data are there, even if a node believes otherwise', async () => {
    const { first, base } = await start(1, [2]);
    const answer = base.ask<SearchRequest>(searchFor('dano', { ordem: 'relevancia', after }), 1_000);
    await settle();
    await first.base.say(
      done({
        kind: 'search',
        doc_ids: [],
        scores: [],
        start: after,
        resumos: [],
        count: null,
        count_ms: 0,
        rows_ms: 0,
        generation: 1,
        docs: 10,
      }),
    );
    expect(await answer).toMatchObject({ ok: false, failure: 'unavailable' });
    const { base: none, clock } = await start(1, [1]);
    const refused = none.ask<SearchRequest>(searchFor('dano', { ordem: 'relevancia', after }), 1_000);
    // Another front may have heard of newer data first.
    await clock.advance(300);
    expect(await refused).toMatchObject({ failure: 'unavailable' });
  });
});

test('all bases of a search are asked on one node, in one message; the next search goes to the other', async () => {
  const { clock, broker, front } = frontAlone();
  const asked = [0, 0];
  for (const at of [0, 1]) {
    const own = broker.join(`n${at + 1}`);
    nodeOn(own, new Map(BASES.map((base) => [base, new HeldBase()])), clock);
    own.subscribe(askSubject(own.name, '*'), () => {
      asked[at] = (asked[at] ?? 0) + 1;
    });
  }
  await settle();
  for (const messages of [
    [1, 0],
    [1, 1],
  ]) {
    for (const base of BASES) void front.base(base).ask<ReadRequest>(read(), 1_000);
    await settle();
    expect(asked).toEqual(messages);
  }
});
