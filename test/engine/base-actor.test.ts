import { describe, expect, test } from 'vitest';
import type { Asker } from '../../src/engine/asker.ts';
import { BaseActor } from '../../src/engine/base-actor.ts';
import { ExpensiveWork } from '../../src/engine/expensive-work.ts';
import type { Step } from '../../src/engine/steps.ts';
import type {
  BaseReply,
  BaseRequest,
  CoverRequest,
  ReadRequest,
  SearchRequest,
} from '../../src/engine/messages.ts';
import { done, failed, type Outcome } from '../../src/engine/outcome.ts';
import type { BasePort, FileState, Outcomes, Ran } from '../../src/engine/port.ts';
import type { Abandonment } from '../../src/clock.ts';
import { searchFor } from '../support/requests.ts';
import { runningClock, settle } from '../support/simulated-clock.ts';

type Batch = {
  requests: readonly BaseRequest[];
  abandoned: Abandonment | undefined;
  answer: (outcomes: Outcomes) => void;
};

/** A port whose batches are answered by the test. */
class HeldPort implements BasePort {
  readonly batches: Batch[] = [];
  run(requests: readonly BaseRequest[], abandoned?: Abandonment): Promise<Outcomes> {
    const { promise, resolve } = Promise.withResolvers<Outcomes>();
    this.batches.push({ requests, abandoned, answer: resolve });
    return promise;
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const read = (numero: number) => ({ kind: 'read' as const, object: 'documento' as const, doc_ids: [numero] });
const reply = (text: string): Outcome<BaseReply> =>
  done({ kind: 'read', rows: [text], generation: 3, docs: 7 });

const EXPENSIVE: Ran = { ok: false, failure: 'expensive', cost_ms: 20 };

interface Start {
  expensiveAtOnce?: number;
  expensive?: ExpensiveWork;
  threads?: number;
  queueMax?: number;
  onStep?: (step: Step) => void;
  resize?: (threads: number) => Promise<number>;
  checkFile?: () => Promise<FileState>;
}

function start(options: Start = {}) {
  const clock = runningClock();
  const port: HeldPort & BasePort = new HeldPort();
  if (options.resize !== undefined) Object.assign(port, { resize: options.resize });
  if (options.checkFile !== undefined) Object.assign(port, { checkFile: options.checkFile });
  const states: string[] = [];
  const actor = new BaseActor({
    base: 'tst',
    port,
    clock,
    threads: options.threads ?? 1,
    queueMax: options.queueMax ?? 100,
    expensive: options.expensive ?? new ExpensiveWork(options.expensiveAtOnce ?? 8),
    ...(options.onStep === undefined ? {} : { onStep: options.onStep }),
    onState: (base, state, detail) => states.push(`${base} ${state} ${detail}`.trim()),
  });
  const by = (budgetMs = 1000) => clock.now() + budgetMs;
  const ask = (numero: number, budgetMs?: number) => actor.ask<ReadRequest>(read(numero), by(budgetMs));
  const search = (q: string, asker: Asker = {}, count_ms: number | null = null) =>
    actor.ask<SearchRequest>(searchFor(q, { count_ms }), by(), asker);
  return { clock, port, states, actor, ask, search, by };
}

function budgets(port: HeldPort): number[][] {
  return port.batches.map(({ requests }) => requests.map(({ budget_ms }) => budget_ms));
}

/** Whether each batch is limited to cheap work. */
function areCheap(port: HeldPort): boolean[] {
  return port.batches.map(({ requests }) => requests.every(({ work_ms }) => work_ms !== undefined));
}

describe('a base actor', () => {
  test('gives a search the rest of its budget, counting included', async () => {
    const { by, port, actor, clock } = start();
    void actor.ask<SearchRequest>(searchFor('dano', { count_ms: 150 }), by());
    await clock.advance(100);
    port.batches[0]?.answer([EXPENSIVE]);
    await settle();
    expect(budgets(port)).toEqual([[1000], [900]]);
  });

  test('collects waiting requests into one batch while every thread is busy', async () => {
    const { port, ask } = start();
    const answers = [ask(1), ask(2), ask(3)];
    expect(port.batches.map(({ requests }) => requests.length)).toEqual([1]);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    expect(port.batches.map(({ requests }) => requests.length)).toEqual([1, 2]);
    port.batches[1]?.answer([reply('2'), reply('3')]);
    expect(await Promise.all(answers)).toEqual([reply('1'), reply('2'), reply('3')]);
  });

  test('counts the wait in the queue against the budget', async () => {
    const { clock, port, ask } = start();
    void ask(1);
    void ask(2, 1000);
    await clock.advance(300);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    expect(port.batches[1]?.requests[0]?.budget_ms).toBe(700);
  });

  test('runs a request that the port finds expensive in its own batch, without a limit of work', async () => {
    const { port, ask } = start({ threads: 2 });
    const expensive = ask(1);
    port.batches[0]?.answer([EXPENSIVE]);
    await settle();
    expect(areCheap(port)).toEqual([true, false]);
    const cheap = ask(2);
    port.batches[2]?.answer([reply('2')]);
    expect(await cheap).toEqual(reply('2'));
    port.batches[1]?.answer([reply('1')]);
    expect(await expensive).toEqual(reply('1'));
  });

  test('never gives expensive work the last thread of several', async () => {
    const { port, search } = start({ threads: 3 });
    for (const q of ['a*', 'b*', 'c*']) {
      void search(q);
      port.batches.at(-1)?.answer([EXPENSIVE]);
      await settle();
    }
    expect(areCheap(port).filter((isCheap) => !isCheap)).toHaveLength(2);
    void search('dano');
    expect(areCheap(port).at(-1)).toBe(true);
  });

  test('gives expensive work its only thread while no cheap request waits', async () => {
    const { port, search, ask } = start();
    void search('a*');
    void ask(1);
    port.batches[0]?.answer([EXPENSIVE]);
    await settle();
    expect(areCheap(port)).toEqual([true, true]);
    port.batches[1]?.answer([reply('1')]);
    await settle();
    expect(areCheap(port)).toEqual([true, true, false]);
  });

  test('treats slices of the coverage as expensive', () => {
    const { by, port, actor } = start({ threads: 2 });
    void actor.ask<CoverRequest>({ kind: 'cover', above: 0, rows_max: 10 }, by());
    expect(areCheap(port)).toEqual([false]);
  });

  test('runs no more expensive work than the limit of all bases, and takes turns among askers', async () => {
    const { port, search } = start({ threads: 4, expensiveAtOnce: 1 });
    for (const [q, id] of [
      ['a*', 7],
      ['b*', 7],
      ['c*', 7],
      ['d*', 8],
    ] as const) {
      void search(q, { id });
      port.batches.findLast(({ requests }) => requests[0]?.work_ms !== undefined)?.answer([EXPENSIVE]);
      await settle();
    }
    const expensive = () => port.batches.filter(({ requests }) => requests[0]?.work_ms === undefined);
    const words: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      expect(expensive()).toHaveLength(at + 1);
      const [request] = expensive()[at]?.requests ?? [];
      words.push(request?.kind === 'search' ? (request.terms[0]?.token ?? '') : '');
      expensive()[at]?.answer([{ ...failed('deadline'), work_ms: 200 }]);
      await settle();
    }
    expect(words).toEqual(['a*', 'd*', 'b*', 'c*'].map((q) => searchFor(q).terms[0]?.token));
  });

  test('does not start an expensive request that cannot meet its deadline while others wait', async () => {
    const { clock, port, search } = start({ threads: 4, expensiveAtOnce: 1 });
    const answers: Promise<unknown>[] = [];
    for (const q of ['a*', 'b*', 'c*']) {
      answers.push(search(q));
      port.batches.at(q === 'a*' ? 0 : -1)?.answer([{ ok: false, failure: 'expensive', cost_ms: 300 }]);
      await settle();
    }
    const expensive = () => port.batches.filter(({ requests }) => requests[0]?.work_ms === undefined);
    await clock.advance(701);
    expensive()[0]?.answer([failed('deadline')]);
    expect(await answers[1]).toMatchObject({ failure: 'deadline' });
    await settle();
    // No other request waits for the time of the last one.
    expect(expensive().map(({ requests }) => requests[0]?.budget_ms)).toEqual([1000, 299]);
  });

  test('bounds the queue of expensive work separately from the mailbox', async () => {
    const { port, search } = start({ threads: 2, queueMax: 2 });
    const answers: Promise<unknown>[] = [];
    for (const q of ['a*', 'b*', 'c*', 'd*']) {
      answers.push(search(q));
      port.batches.findLast(({ requests }) => requests[0]?.work_ms !== undefined)?.answer([EXPENSIVE]);
      await settle();
    }
    expect(await answers[3]).toMatchObject({ failure: 'overloaded' });
    void search('dano');
    expect(areCheap(port).at(-1)).toBe(true);
  });

  test('counts a page beyond the cheap budget only where an expensive request could start', async () => {
    const { port, search } = start({ threads: 3, expensiveAtOnce: 1 });
    const countMs = () => port.batches.map(({ requests: [one] }) => one?.kind === 'search' && one.count_ms);
    void search('dano', {}, 150);
    expect(countMs()).toEqual([150]);
    port.batches[0]?.answer([EXPENSIVE]);
    await settle();
    void search('dano', {}, 150);
    void search('dano', {}, 10);
    // Expensive work runs until its request's deadline.
    expect(countMs().slice(1)).toEqual([150, 40, 10]);
  });

  test('frees the room of expensive work that is blocked past its deadline, for other bases', async () => {
    const expensive = new ExpensiveWork(1);
    const blocked = start({ threads: 2, expensive });
    const other = start({ threads: 2, expensive });
    for (const { search, port } of [blocked, other]) {
      void search('a*');
      port.batches[0]?.answer([EXPENSIVE]);
      await settle();
    }
    expect([blocked.port.batches.length, other.port.batches.length]).toEqual([2, 1]);
    await blocked.clock.advance(1000);
    expect(other.port.batches).toHaveLength(2);
    // The end of the first one now frees nothing.
    blocked.port.batches[1]?.answer([reply('late')]);
    await settle();
    expect(expensive.isFree).toBe(false);
  });

  test('discards a waiting request whose client has left, and cancels a running one at the port', async () => {
    const { port, search } = start({ threads: 2 });
    const gone = new AbortController();
    void search('a*', { abandoned: gone.signal });
    port.batches[0]?.answer([EXPENSIVE]);
    await settle();
    expect(port.batches[1]?.abandoned?.aborted).toBe(false);
    void search('b*', { abandoned: gone.signal });
    port.batches[2]?.answer([EXPENSIVE]);
    await settle();
    gone.abort();
    expect(port.batches[1]?.abandoned?.aborted).toBe(true);
    port.batches[1]?.answer([failed('deadline')]);
    await settle();
    expect(port.batches).toHaveLength(3);
  });

  test('is congested while its queue is full and it answers requests, but not while it is stuck', async () => {
    const { clock, port, actor, ask } = start({ queueMax: 2 });
    void ask(1, 10_000);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    for (const numero of [2, 3, 4]) void ask(numero, 10_000);
    expect(actor.isCongestedFor()).toBe(true);
    await clock.advance(3_334);
    expect(actor.isCongestedFor()).toBe(false);
  });

  test('counts as working while it answers any request, even if others are expensive', async () => {
    const { clock, port, actor, ask } = start({ queueMax: 2 });
    for (const numero of [1, 2, 3]) void ask(numero, 10_000);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    await clock.advance(3_334);
    for (const numero of [4, 5]) void ask(numero, 10_000);
    expect(actor.isCongestedFor()).toBe(false);
    port.batches[1]?.answer([reply('2'), failed('deadline')]);
    await settle();
    for (const numero of [6, 7, 8]) void ask(numero, 10_000);
    expect(actor.isCongestedFor()).toBe(true);
  });

  test('is congested for the asker whose requests wait long, and for no other', async () => {
    const { by, clock, port, actor } = start();
    for (let numero = 1; numero <= 19; numero += 1)
      void actor.ask<ReadRequest>(read(numero), by(600), { id: 7 });
    await clock.advance(201);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    expect([7, 8].map((id) => actor.isCongestedFor(id))).toEqual([true, false]);
  });

  test('accepts the further rows of a page even with a full queue', async () => {
    const { by, port, actor, ask } = start({ queueMax: 1 });
    void ask(1);
    void ask(2);
    expect(await ask(3)).toMatchObject({ failure: 'overloaded' });
    const rows = actor.ask<ReadRequest>({ kind: 'read', object: 'resumo', doc_ids: [7] }, by());
    port.batches[0]?.answer([reply('1')]);
    await settle();
    port.batches[1]?.answer([reply('2'), reply('7')]);
    expect(await rows).toEqual(reply('7'));
  });

  test('refuses an empty read as overload while its queue is full', async () => {
    const { by, port, actor, ask } = start({ queueMax: 1 });
    void ask(1);
    void ask(2);
    const nothing = { kind: 'read' as const, object: 'resumo' as const, doc_ids: [] };
    expect(await actor.ask<ReadRequest>(nothing, by())).toMatchObject({ failure: 'overloaded' });
    expect(port.batches).toHaveLength(1);
  });

  test('runs a request that the port returns again, before all others', async () => {
    const { port, ask } = start();
    void ask(0);
    const answers = [ask(1), ask(2), ask(3)];
    port.batches[0]?.answer([reply('0')]);
    await settle();
    port.batches[1]?.answer([reply('1'), null, null]);
    await settle();
    expect(port.batches[2]?.requests.map((request) => request.kind === 'read' && request.doc_ids[0])).toEqual(
      [2, 3],
    );
    port.batches[2]?.answer([reply('2'), reply('3')]);
    expect(await Promise.all(answers)).toEqual([reply('1'), reply('2'), reply('3')]);
  });

  test('probes the file once a second, without a queue and without requests', async () => {
    let fault: string | null = null;
    let checks = 0;
    const checkFile = () => {
      checks += 1;
      return Promise.resolve({ fault, identity: 'a file' });
    };
    const { clock, port, actor, states, ask } = start({ checkFile });
    void actor.open(100);
    port.batches[0]?.answer([reply('')]);
    await clock.advance(1_000);
    port.batches[1]?.answer([reply('')]);
    await settle();
    expect([checks, actor.status().state]).toEqual([1, 'up']);
    // Its only thread is busy from now on.
    void ask(1, 60_000);
    fault = 'no file';
    await clock.advance(1_000);
    expect(actor.status()).toMatchObject({ state: 'down', detail: 'no file' });
    await clock.advance(2_000);
    expect([checks, port.batches.length]).toEqual([4, 3]);
    fault = null;
    port.batches[2]?.answer([failed('deadline')]);
    await clock.advance(1_000);
    port.batches[3]?.answer([reply('1')]);
    await settle();
    expect(states).toEqual(['tst down no file', 'tst up']);
    await actor.close();
    await clock.advance(5_000);
    expect(checks).toBe(5);
  });

  test('probes the base only while it is down or its file differs', async () => {
    let identity = 'a file';
    const { clock, port, actor } = start({ checkFile: () => Promise.resolve({ fault: null, identity }) });
    void actor.open(100);
    port.batches[0]?.answer([reply('')]);
    await clock.advance(1_000);
    port.batches[1]?.answer([reply('')]);
    await clock.advance(10_000);
    expect(port.batches).toHaveLength(2);
    identity = 'another file';
    await clock.advance(1_000);
    port.batches[2]?.answer([failed('unavailable', 'damaged')]);
    await settle();
    expect(actor.status()).toMatchObject({ state: 'down', detail: 'damaged' });
    for (const at of [3, 4]) {
      await clock.advance(1_000);
      port.batches[at]?.answer([at === 4 ? reply('') : failed('unavailable', 'damaged')]);
      await settle();
    }
    expect(actor.status().state).toBe('up');
    await clock.advance(10_000);
    expect(port.batches).toHaveLength(5);
  });

  test('runs one probe at a time', async () => {
    let checks = 0;
    const never = new Promise<never>(() => undefined);
    const { clock, actor } = start({ checkFile: () => ((checks += 1), never) });
    void actor.open(100);
    await clock.advance(10_000);
    expect(checks).toBe(1);
  });

  test('reports every request as it ends, and no probe', async () => {
    const kinds: string[] = [];
    const { port, actor, ask } = start({ onStep: ({ kind, outcome }) => kinds.push(`${kind} ${outcome}`) });
    void actor.open(100);
    port.batches[0]?.answer([reply('')]);
    await settle();
    void ask(1);
    port.batches[1]?.answer([reply('1')]);
    await settle();
    expect(kinds).toEqual(['registro ok']);
  });

  test('runs as many batches as threads after a change, fewer at once', async () => {
    const loading = Promise.withResolvers<number>();
    const resize = (threads: number) => (threads === 1 ? loading.promise : Promise.resolve(threads));
    const { clock, port, actor, ask } = start({ resize });
    for (let numero = 1; numero <= 40; numero += 1) void ask(numero);
    await clock.advance(20);
    expect(port.batches).toHaveLength(1);
    expect(await actor.changeThreads(3)).toBe(3);
    await clock.advance(20);
    expect(port.batches).toHaveLength(3);
    const shrunk = actor.changeThreads(1);
    await settle();
    for (const batch of port.batches.slice(0, 2)) batch.answer(batch.requests.map(() => reply('')));
    await settle();
    // While the smaller pool loads, the old one gets no more batches than the new size.
    expect(port.batches).toHaveLength(3);
    loading.resolve(1);
    expect(await shrunk).toBe(1);
  });

  test('keeps its threads if the port allows no others or they do not start', async () => {
    const fixed = start();
    expect(await fixed.actor.changeThreads(4)).toBe(1);
    const refusing = start({ resize: () => Promise.resolve(1) });
    expect(await refusing.actor.changeThreads(4)).toBe(1);
    void refusing.ask(1);
    void refusing.ask(2);
    expect(refusing.port.batches).toHaveLength(1);
  });

  test('keeps its threads if the port throws, and can get others later', async () => {
    const outcomes = [() => Promise.reject(new Error('no memory')), () => Promise.resolve(2)];
    const { clock, port, actor, ask } = start({ threads: 3, resize: () => outcomes.shift()!() });
    await expect(actor.changeThreads(1)).rejects.toThrow('no memory');
    for (let numero = 1; numero <= 60; numero += 1) void ask(numero);
    await clock.advance(20);
    expect(port.batches).toHaveLength(3);
    expect(await actor.changeThreads(2)).toBe(2);
  });

  test('keeps waiting requests when its queue is made shorter, and refuses new ones', async () => {
    const { port, actor, ask } = start({ queueMax: 10 });
    const waiting = [ask(1), ask(2), ask(3), ask(4)];
    actor.changeQueueMax(2);
    expect(await ask(5)).toMatchObject({ failure: 'overloaded' });
    port.batches[0]?.answer([reply('')]);
    await settle();
    port.batches[1]?.answer([reply(''), reply(''), reply('')]);
    for (const outcome of await Promise.all(waiting)) expect(outcome.ok).toBe(true);
  });

  test('is unavailable if its port throws', async () => {
    const { port, ask } = start();
    port.run = () => Promise.reject(new Error('boom'));
    expect(await ask(1, 100)).toMatchObject({ failure: 'unavailable' });
  });
});
