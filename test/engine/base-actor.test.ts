import { describe, expect, test } from 'vitest';
import { BaseActor } from '../../src/engine/base-actor.ts';
import type { Step } from '../../src/engine/steps.ts';
import type { BaseReply, BaseRequest, ReadRequest, SearchRequest } from '../../src/engine/messages.ts';
import { done, failed, type Outcome } from '../../src/engine/outcome.ts';
import type { Abandonment, BasePort, Look } from '../../src/engine/port.ts';
import { searchFor } from '../support/requests.ts';
import { runningClock, settle } from '../support/simulated-clock.ts';

type Batch = {
  requests: readonly BaseRequest[];
  abandoned: Abandonment | undefined;
  answer: (outcomes: readonly (Outcome<BaseReply> | null)[]) => void;
};

/** A port whose batches are answered by the test. */
class HeldPort implements BasePort {
  readonly batches: Batch[] = [];
  run(
    requests: readonly BaseRequest[],
    abandoned?: Abandonment,
  ): Promise<readonly (Outcome<BaseReply> | null)[]> {
    const { promise, resolve } = Promise.withResolvers<readonly (Outcome<BaseReply> | null)[]>();
    this.batches.push({ requests, abandoned, answer: resolve });
    return promise;
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const read = (numero: number) => ({ kind: 'read' as const, tabela: 'documento' as const, numeros: [numero] });
const reply = (text: string): Outcome<BaseReply> =>
  done({ kind: 'read', linhas: [text], generation: 3, decisoes: 7 });

interface Start {
  threads?: number;
  queueMax?: number;
  onStep?: (step: Step) => void;
  resize?: (threads: number) => Promise<number>;
  look?: () => Promise<Look>;
}

function start(options: Start = {}) {
  const clock = runningClock();
  const port: HeldPort & BasePort = new HeldPort();
  if (options.resize !== undefined) Object.assign(port, { resize: options.resize });
  if (options.look !== undefined) Object.assign(port, { look: options.look });
  const states: string[] = [];
  const actor = new BaseActor({
    base: 'tst',
    port,
    clock,
    threads: options.threads ?? 1,
    queueMax: options.queueMax ?? 100,
    ...(options.onStep === undefined ? {} : { onStep: options.onStep }),
    onState: (base, state, detail) => states.push(`${base} ${state} ${detail}`.trim()),
  });
  const ask = (numero: number, budgetMs = 1000) => actor.ask<ReadRequest>(read(numero), budgetMs);
  const search = (q: string, abandoned?: Abandonment) =>
    actor.ask<SearchRequest>(searchFor(q), 1000, abandoned);
  return { clock, port, states, actor, ask, search };
}

function budgets(port: HeldPort): number[][] {
  return port.batches.map(({ requests }) => requests.map(({ budget_ms }) => budget_ms));
}

describe('a base actor', () => {
  test('gives a search what is left of its budget, and the time for counting on top of it', async () => {
    const { port, actor, clock } = start();
    void actor.ask<SearchRequest>(searchFor('dano', { count_ms: 150 }), 1000);
    await clock.advance(100);
    // The first try has a limit of its own; the next one has all that is left.
    port.batches[0]?.answer([failed('deadline')]);
    await settle();
    expect(budgets(port)[1]).toEqual([900]);
  });

  test('drains what waits into one batch while a thread is busy', async () => {
    const { port, ask } = start();
    const answers = [ask(1), ask(2), ask(3)];
    expect(port.batches.map(({ requests }) => requests.length)).toEqual([1]);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    expect(port.batches.map(({ requests }) => requests.length)).toEqual([1, 2]);
    port.batches[1]?.answer([reply('2'), reply('3')]);
    expect(await Promise.all(answers)).toEqual([reply('1'), reply('2'), reply('3')]);
  });

  test('knows the data generation and the number of decisions that the latest answer told', async () => {
    const { port, actor, ask } = start();
    expect(actor.status()).toMatchObject({ generation: null, decisoes: null });
    const answer = ask(1);
    port.batches[0]?.answer([reply('1')]);
    await answer;
    expect(actor.status()).toMatchObject({ generation: 3, decisoes: 7 });
  });

  test('counts the wait in the queue against the budget', async () => {
    const { clock, port, ask } = start();
    void ask(1);
    void ask(2, 1000);
    await clock.advance(300);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    port.batches[1]?.answer([failed('deadline')]);
    await settle();
    expect(port.batches[2]?.requests[0]?.budget_ms).toBe(700);
  });

  test('gives each request a few milliseconds first, and an expensive one all its time by itself', async () => {
    const { port, ask } = start({ threads: 2 });
    const expensive = ask(1, 1000);
    expect(budgets(port)).toEqual([[100]]);
    expect(port.batches[0]?.requests[0]?.work_ms).toBe(20);
    port.batches[0]?.answer([failed('deadline')]);
    await settle();
    expect(budgets(port)).toEqual([[100], [1000]]);
    expect(port.batches[1]?.requests[0]?.work_ms).toBeUndefined();
    const cheap = ask(2, 1000);
    port.batches[2]?.answer([reply('2')]);
    expect(await cheap).toEqual(reply('2'));
    port.batches[1]?.answer([reply('1')]);
    expect(await expensive).toEqual(reply('1'));
  });

  test('never lets the slow lane take the last thread of several', async () => {
    const { port, search } = start({ threads: 3 });
    for (const q of ['a*', 'b*', 'c*']) {
      void search(q);
      port.batches.at(-1)?.answer([failed('deadline')]);
      await settle();
    }
    expect(budgets(port).filter(([budget]) => (budget ?? 0) > 100)).toHaveLength(2);
    void search('dano');
    expect(budgets(port).at(-1)).toEqual([100]);
  });

  test('remembers an expensive search, and does not try it again beside cheap ones', async () => {
    const { port, search } = start({ threads: 2 });
    void search('a*');
    port.batches[0]?.answer([failed('deadline')]);
    await settle();
    port.batches[1]?.answer([failed('deadline')]);
    await settle();
    void search('a*');
    expect(budgets(port)).toEqual([[100], [1000], [1000]]);
  });

  test('takes a search for cheap again once it was quick with all its time', async () => {
    const { clock, port, search } = start({ threads: 2 });
    for (const [ms, budget] of [
      [30, 1000],
      [20, 100],
    ] as const) {
      void search('a*');
      port.batches.at(-1)?.answer([failed('deadline')]);
      await settle();
      await clock.advance(ms);
      port.batches.at(-1)?.answer([reply('a')]);
      await settle();
      void search('a*');
      expect(budgets(port).at(-1)).toEqual([budget]);
      port.batches.at(-1)?.answer([reply('a')]);
      await settle();
    }
  });

  test('bounds the slow lane, apart from the mailbox', async () => {
    const { port, search } = start({ threads: 2, queueMax: 2 });
    const answers: Promise<unknown>[] = [];
    for (const q of ['a*', 'b*', 'c*', 'd*']) {
      answers.push(search(q));
      port.batches.findLast(({ requests }) => requests[0]?.budget_ms === 100)?.answer([failed('deadline')]);
      await settle();
    }
    expect(await answers[3]).toMatchObject({ failure: 'overloaded' });
    void search('dano');
    expect(budgets(port).at(-1)).toEqual([100]);
  });

  test('drops before it starts what its sender has gone away from, and tells the port of what is under way', async () => {
    const { port, search } = start({ threads: 2 });
    const gone = new AbortController();
    void search('a*', gone.signal);
    port.batches[0]?.answer([failed('deadline')]);
    await settle();
    expect(port.batches[1]?.abandoned?.aborted).toBe(false);
    void search('b*', gone.signal);
    port.batches[2]?.answer([failed('deadline')]);
    await settle();
    gone.abort();
    expect(port.batches[1]?.abandoned?.aborted).toBe(true);
    port.batches[1]?.answer([failed('deadline')]);
    await settle();
    expect(port.batches).toHaveLength(3);
  });

  test('is congested while its queue is full and it is at work, and not when it stands still', async () => {
    const { clock, port, actor, ask } = start({ queueMax: 2 });
    void ask(1, 10_000);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    for (const numero of [2, 3, 4]) void ask(numero, 10_000);
    expect(actor.isCongestedFor(searchFor('dano'))).toBe(true);
    await clock.advance(300);
    expect(actor.isCongestedFor(searchFor('dano'))).toBe(false);
  });

  test('is congested while the first in line has spent a third of its time waiting, however few wait', async () => {
    const { clock, port, actor, ask } = start();
    for (let numero = 1; numero <= 19; numero += 1) void ask(numero, 600);
    await clock.advance(201);
    expect(actor.isCongestedFor(searchFor('dano'))).toBe(false);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    // Sixteen of those that waited are under way now, two wait on.
    expect(port.batches[1]?.requests).toHaveLength(16);
    expect(actor.isCongestedFor(searchFor('dano'))).toBe(true);
  });

  test('is at work as long as it answers any request, even if others are too expensive for a first try', async () => {
    const { clock, port, actor, ask } = start({ queueMax: 2 });
    for (const numero of [1, 2, 3]) void ask(numero, 10_000);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    await clock.advance(300);
    for (const numero of [4, 5]) void ask(numero, 10_000);
    expect(actor.isCongestedFor(searchFor('dano'))).toBe(false);
    port.batches[1]?.answer([reply('2'), failed('deadline')]);
    await settle();
    for (const numero of [6, 7, 8]) void ask(numero, 10_000);
    expect(actor.isCongestedFor(searchFor('dano'))).toBe(true);
  });

  test('is congested for a search known to be expensive while the slow lane waits, and for no other', async () => {
    const { clock, port, actor, search } = start({ threads: 2 });
    for (const q of ['a*', 'b*', 'c*']) {
      void search(q);
      port.batches.at(-1)?.answer([failed('deadline')]);
      await settle();
    }
    // One of them is under way with all its time; the others wait for that one.
    const cheap = actor.ask<ReadRequest>(read(1), 10_000);
    port.batches.at(-1)?.answer([reply('1')]);
    await cheap;
    await clock.advance(400);
    const other = actor.ask<ReadRequest>(read(2), 10_000);
    port.batches.at(-1)?.answer([reply('2')]);
    await other;
    expect(actor.isCongestedFor(searchFor('c*'))).toBe(true);
    expect(actor.isCongestedFor(searchFor('dano'))).toBe(false);
  });

  test('lets in the rows of a page that has begun, however full its queue is', async () => {
    const { port, actor, ask } = start({ queueMax: 1 });
    void ask(1);
    void ask(2);
    expect(await ask(3)).toMatchObject({ failure: 'overloaded' });
    const rows = actor.ask<ReadRequest>({ kind: 'read', tabela: 'resumo', numeros: [7] }, 1000);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    port.batches[1]?.answer([reply('2'), reply('7')]);
    expect(await rows).toEqual(reply('7'));
  });

  test('lets no look at the base into a full queue, which reads nothing for any page', async () => {
    const { port, actor, ask } = start({ queueMax: 1 });
    void ask(1);
    void ask(2);
    const nothing = { kind: 'read' as const, tabela: 'resumo' as const, numeros: [] };
    expect(await actor.ask<ReadRequest>(nothing, 1000)).toMatchObject({ failure: 'overloaded' });
    expect(port.batches).toHaveLength(1);
  });

  test('drops before it starts what can no longer meet its deadline', async () => {
    const { clock, port, ask } = start();
    void ask(1, 5000);
    const late = ask(2, 100);
    await clock.advance(200);
    expect(await late).toMatchObject({ failure: 'deadline' });
    port.batches[0]?.answer([reply('1')]);
    await settle();
    expect(port.batches).toHaveLength(1);
  });

  test('answers in time even when the port never does', async () => {
    const { clock, ask } = start();
    const answer = ask(1, 150);
    await clock.advance(150);
    expect(await answer).toEqual(failed('deadline'));
  });

  test('refuses as overload what its bounded queue has no place for', async () => {
    const { ask } = start({ queueMax: 2 });
    void ask(1);
    void ask(2);
    void ask(3);
    expect(await ask(4)).toMatchObject({ failure: 'overloaded' });
  });

  test('runs again, first in line, what the port gives back', async () => {
    const { port, ask } = start();
    void ask(0);
    const answers = [ask(1), ask(2), ask(3)];
    port.batches[0]?.answer([reply('0')]);
    await settle();
    port.batches[1]?.answer([reply('1'), null, null]);
    await settle();
    expect(port.batches[2]?.requests.map((request) => request.kind === 'read' && request.numeros[0])).toEqual(
      [2, 3],
    );
    port.batches[2]?.answer([reply('2'), reply('3')]);
    expect(await Promise.all(answers)).toEqual([reply('1'), reply('2'), reply('3')]);
  });

  test('gathers what comes while a batch runs, and takes another thread once that has taken long', async () => {
    const { clock, port, ask } = start({ threads: 3 });
    for (let numero = 1; numero <= 20; numero += 1) void ask(numero);
    await clock.advance(4);
    expect(port.batches.map(({ requests }) => requests.length)).toEqual([1]);
    await clock.advance(1);
    expect(port.batches.map(({ requests }) => requests.length)).toEqual([1, 16]);
    await clock.advance(5);
    expect(port.batches.map(({ requests }) => requests.length)).toEqual([1, 16, 3]);
  });

  test('keeps no more batches under way than it has threads', async () => {
    const { clock, port, ask } = start({ threads: 2 });
    for (let numero = 1; numero <= 40; numero += 1) void ask(numero);
    await clock.advance(100);
    expect(port.batches.map(({ requests }) => requests.length)).toEqual([1, 16]);
    port.batches[0]?.answer([reply('1')]);
    await settle();
    expect(port.batches.map(({ requests }) => requests.length)).toEqual([1, 16, 16]);
  });

  test('says once when the base goes down and once when it comes back', async () => {
    const { clock, port, states, ask } = start();
    for (const outcome of [
      reply('1'),
      failed('unavailable', 'no file'),
      failed('unavailable', 'no file'),
      failed('deadline'),
      reply('2'),
    ]) {
      const answer = ask(1, 40);
      port.batches.at(-1)?.answer([outcome]);
      await clock.advance(40);
      await answer;
    }
    expect(states).toEqual(['tst down no file', 'tst up']);
  });

  test('asks a longer quiet spell of a base each time it goes down again, and so fills no log', async () => {
    const { clock, port, states, ask } = start();
    for (let round = 0; round < 200; round += 1) {
      for (const outcome of [failed('unavailable', 'damaged page'), reply('1')]) {
        void ask(1, 40);
        port.batches.at(-1)?.answer([outcome]);
        await clock.advance(100);
      }
    }
    expect(states.length).toBeLessThan(10);
    void ask(1, 40);
    await clock.advance(60_000);
    port.batches.at(-1)?.answer([reply('1')]);
    await settle();
    expect(states.at(-1)).toBe('tst up');
  });

  test('looks once a second whether it can be answered for, in no queue and though nobody asks', async () => {
    let fault: string | null = null;
    let looks = 0;
    const look = () => {
      looks += 1;
      return Promise.resolve({ fault, identity: 'a file' });
    };
    const { clock, port, actor, states, ask } = start({ look });
    void actor.open(100);
    port.batches[0]?.answer([reply('')]);
    await clock.advance(1_000);
    port.batches[1]?.answer([reply('')]);
    await settle();
    expect([looks, actor.status().state]).toEqual([1, 'up']);
    // Its only thread is busy from now on.
    void ask(1, 60_000);
    fault = 'no file';
    await clock.advance(1_000);
    expect(actor.status()).toMatchObject({ state: 'down', detail: 'no file' });
    await clock.advance(2_000);
    expect([looks, port.batches.length]).toEqual([4, 3]);
    fault = null;
    port.batches[2]?.answer([failed('deadline')]);
    await clock.advance(1_000);
    port.batches[3]?.answer([reply('1')]);
    await settle();
    expect(states).toEqual(['tst down no file', 'tst up']);
    await actor.close();
    await clock.advance(5_000);
    expect(looks).toBe(5);
  });

  test('is asked whether it answers where it does not, or where something else is seen, and else is left alone', async () => {
    let identity = 'a file';
    const { clock, port, actor } = start({ look: () => Promise.resolve({ fault: null, identity }) });
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

  test('has one look at a time under way', async () => {
    let looks = 0;
    const never = new Promise<never>(() => undefined);
    const { clock, actor } = start({ look: () => ((looks += 1), never) });
    void actor.open(100);
    await clock.advance(10_000);
    expect(looks).toBe(1);
  });

  test('tells of every ask as it ends, and not of a look whether the base answers', async () => {
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

  test('gives as many batches as there are threads after a change, and fewer at once', async () => {
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
    // The new size has not loaded yet, and no batch more than it can take is given to the old one.
    expect(port.batches).toHaveLength(3);
    loading.resolve(1);
    expect(await shrunk).toBe(1);
  });

  test('keeps its threads where the port can have no others, and where they do not start', async () => {
    const fixed = start();
    expect(await fixed.actor.changeThreads(4)).toBe(1);
    const refusing = start({ resize: () => Promise.resolve(1) });
    expect(await refusing.actor.changeThreads(4)).toBe(1);
    void refusing.ask(1);
    void refusing.ask(2);
    expect(refusing.port.batches).toHaveLength(1);
  });

  test('keeps its threads where the port throws, and can be given others later', async () => {
    const outcomes = [() => Promise.reject(new Error('no memory')), () => Promise.resolve(2)];
    const { clock, port, actor, ask } = start({ threads: 3, resize: () => outcomes.shift()!() });
    await expect(actor.changeThreads(1)).rejects.toThrow('no memory');
    for (let numero = 1; numero <= 60; numero += 1) void ask(numero);
    await clock.advance(20);
    expect(port.batches).toHaveLength(3);
    expect(await actor.changeThreads(2)).toBe(2);
  });

  test('lets those wait that wait already when its queue is made shorter, and refuses the next', async () => {
    const { port, actor, ask } = start({ queueMax: 10 });
    const waiting = [ask(1), ask(2), ask(3), ask(4)];
    actor.changeQueueMax(2);
    expect(await ask(5)).toMatchObject({ failure: 'overloaded' });
    port.batches[0]?.answer([reply('')]);
    await settle();
    port.batches[1]?.answer([reply(''), reply(''), reply('')]);
    for (const outcome of await Promise.all(waiting)) expect(outcome.ok).toBe(true);
  });

  test('takes a port that throws for a base that is unavailable', async () => {
    const clock = runningClock();
    const port: BasePort = { run: () => Promise.reject(new Error('boom')), close: () => Promise.resolve() };
    const actor = new BaseActor({
      base: 'tst',
      port,
      clock,
      threads: 1,
      queueMax: 10,
      onState: () => undefined,
    });
    expect(await actor.ask<ReadRequest>(read(1), 100)).toMatchObject({ failure: 'unavailable' });
  });
});
