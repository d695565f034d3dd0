import { describe, expect, test } from 'vitest';
import { BaseActor } from '../../src/engine/base-actor.ts';
import type { Step } from '../../src/engine/steps.ts';
import {
  SearchRequestSchema,
  type BaseReply,
  type BaseRequest,
  type SearchReply,
  type SearchRequest,
} from '../../src/engine/messages.ts';
import { done, failed, type Outcome } from '../../src/engine/outcome.ts';
import type { BasePort } from '../../src/engine/port.ts';
import { readOf, searchFor, searchReply } from '../support/requests.ts';
import { runningClock } from '../support/simulated-clock.ts';

const BUDGET_MS = 1_000;
/** More than a state that the base named counts as its present one. */
const LATER_MS = 101;
const MB = 1_048_576;

/** A base whose data are a number that a test changes; its answers tell it. Looks at its state are not counted as asked. */
class FakeBase implements BasePort {
  data = 1;
  /** What becomes of the next requests. */
  answer: (request: BaseRequest) => Outcome<BaseReply> = (request) => done(this.reply(request));
  asked = 0;
  looks = 0;
  /** Whether it can name the state that its answers are of. */
  namesState = true;
  rowLength = 0;

  run(batch: readonly BaseRequest[]): Promise<Outcome<BaseReply>[]> {
    return Promise.resolve(
      batch.map((request) => {
        const isLook = request.kind === 'read' && request.doc_ids.length === 0;
        if (isLook) this.looks += 1;
        else this.asked += 1;
        return isLook ? done(this.reply(request)) : this.answer(request);
      }),
    );
  }

  reply(request: BaseRequest): BaseReply {
    const { data } = this;
    const text = `${data}${'x'.repeat(this.rowLength)}`;
    const of = {
      generation: data,
      docs: data,
      ...(this.namesState ? { data_version: String(data) } : {}),
    };
    if (request.kind === 'read') return { kind: 'read', rows: request.doc_ids.map(() => text), ...of };
    return searchReply({ resumos: [text], ...of });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function start(resultCacheMb = 1) {
  const port = new FakeBase();
  const clock = runningClock();
  const steps: Step[] = [];
  const actor = new BaseActor({
    base: 'tst',
    port,
    clock,
    threads: 1,
    queueMax: 100,
    resultCacheMb,
    onState: () => undefined,
    onStep: (step) => steps.push(step),
  });
  /** As the supervisor does, some time after whatever was before: what is kept, or what the base says. */
  const get = async (request: SearchRequest) => {
    await clock.advance(LATER_MS);
    const outcome = await actor.ask<SearchRequest>(request, BUDGET_MS);
    return outcome.ok ? outcome.value : outcome.failure;
  };
  return { port, actor, clock, steps, get };
}

/** With the base known to be up. */
async function startUp(resultCacheMb?: number) {
  const started = start(resultCacheMb);
  await started.actor.open(BUDGET_MS);
  started.port.asked = 0;
  return started;
}

const SEARCH = searchFor('dano moral', { count_ms: 100 });
/** Requests that have another answer. */
const CHANGES: readonly (readonly [string, Partial<SearchRequest>])[] = [
  ['order', { ordem: 'relevancia' }],
  ['place', { after: { ordem: 'recentes', below: 9 } }],
  ['court', { filter: { ...SEARCH.filter, tribunais: ['tnu'] } }],
  ['type', { filter: { ...SEARCH.filter, tipo: 'sumula' } }],
  ['first day', { filter: { ...SEARCH.filter, judged_from: 20_200_101 } }],
  ['last day', { filter: { ...SEARCH.filter, judged_to: 20_200_101 } }],
  [
    'field that a filter may have one day',
    { filter: Object.assign({ publicacao_de: 20_200_101 }, SEARCH.filter) },
  ],
  ['length', { doc_ids_max: 7 }],
  ['number of rows', { rows_max: 3 }],
  ['want of a count', { count_ms: null }],
  ['tree', { tree: searchFor('dano').tree }],
  ['words', { terms: searchFor('dano').terms }],
];

describe('cached replies', () => {
  test('are given again, without asking the base, while its data are the same', async () => {
    const { port, get, actor, steps } = await startUp();
    const first = await get(SEARCH);
    expect(await get(searchFor('dano moral', { count_ms: 150 }))).toEqual(first);
    expect(port.asked).toBe(1);
    expect(steps.map(({ cached, outcome }) => [cached, outcome])).toEqual([
      [false, 'ok'],
      [true, 'ok'],
    ]);
    expect(actor.status().result_cache_bytes).toBeGreaterThan(0);
  });

  test('are those of records and of rows too, each table by itself', async () => {
    const { port, actor } = await startUp();
    await actor.ask(readOf([7]), BUDGET_MS);
    expect(await actor.ask(readOf([7]), BUDGET_MS)).toMatchObject({ value: { rows: ['1'] } });
    expect(port.asked).toBe(1);
    await actor.ask(readOf([7], 'resumo'), BUDGET_MS);
    await actor.ask(readOf([7, 8]), BUDGET_MS);
    expect(port.asked).toBe(3);
  });

  test('are not given once the data have changed', async () => {
    const { port, get } = await startUp();
    await get(SEARCH);
    port.data = 2;
    expect(await get(SEARCH)).toMatchObject({ resumos: ['2'] });
    expect(await get(SEARCH)).toMatchObject({ resumos: ['2'] });
    expect(port.asked).toBe(2);
  });

  test('are not given after a change that came while the base was answering', async () => {
    const { port, get } = await startUp();
    port.answer = (request) => {
      const old = done(port.reply(request));
      port.data += 1;
      return old;
    };
    expect(await get(SEARCH)).toMatchObject({ resumos: ['1'] });
    expect(await get(SEARCH)).toMatchObject({ resumos: ['2'] });
  });

  test('are given again when data of before are back, and none of them wipes those of later ones', async () => {
    const { port, get } = await startUp();
    await get(SEARCH);
    port.data = 2;
    await get(searchFor('tutela'));
    port.data = 1;
    expect(await get(SEARCH)).toMatchObject({ resumos: ['1'] });
    port.data = 2;
    expect(await get(searchFor('tutela'))).toMatchObject({ resumos: ['2'] });
    expect(port.asked).toBe(2);
  });

  test('are none of a base that does not name the state that its answers are of', async () => {
    const { port, get } = await startUp();
    port.namesState = false;
    await get(SEARCH);
    await get(SEARCH);
    expect(port.asked).toBe(2);
    port.namesState = true;
    await get(SEARCH);
    port.namesState = false;
    await get(SEARCH);
    expect(port.asked).toBe(4);
  });

  test('are given once the base has said what its state is: one probe for all who ask together', async () => {
    const { port, actor, clock, get } = await startUp();
    await get(SEARCH);
    await get(searchFor('tutela'));
    const { looks } = port;
    await clock.advance(LATER_MS);
    const ask = (request: SearchRequest) => actor.ask(request, BUDGET_MS);
    await Promise.all([SEARCH, searchFor('tutela'), SEARCH].map(ask));
    expect(port.looks).toBe(looks + 1);
    await clock.advance(99);
    await ask(SEARCH);
    expect([port.looks, port.asked]).toEqual([looks + 1, 2]);
    await clock.advance(LATER_MS);
    port.data = 2;
    await ask(SEARCH);
    expect([port.looks, port.asked]).toEqual([looks + 2, 3]);
    // Its reply has named the version.
    await ask(searchFor('tutela'));
    expect([port.looks, port.asked]).toEqual([looks + 2, 4]);
  });

  test('are not given to who wants the base to be asked', async () => {
    const { port, actor, get } = await startUp();
    await get(SEARCH);
    await actor.ask(SEARCH, BUDGET_MS, { isAnew: true });
    expect(port.asked).toBe(2);
  });

  test('are given again after a probe that was refused', async () => {
    const { port, get } = await startUp();
    await get(SEARCH);
    const run = port.run.bind(port);
    port.run = (batch) => Promise.resolve(batch.map(() => failed('overloaded')));
    expect(await get(SEARCH)).toBe('overloaded');
    port.run = run;
    await get(SEARCH);
    expect(port.asked).toBe(1);
  });

  test('are done without where the base does not say it soon: it is asked with the time that is left', async () => {
    const { port, actor, clock, get } = await startUp();
    await get(SEARCH);
    await clock.advance(LATER_MS);
    const { promise: never } = Promise.withResolvers<Outcome<BaseReply>[]>();
    const budgets: number[] = [];
    port.run = (batch) => {
      budgets.push(...batch.map(({ budget_ms }) => budget_ms));
      return never;
    };
    const answer = actor.ask<SearchRequest>(SEARCH, BUDGET_MS);
    await clock.advance(BUDGET_MS + 100);
    expect(await answer).toEqual(failed('deadline'));
  });

  test('are none of decisions that are not there, which is looked at twice before it is said', async () => {
    const { port, actor } = await startUp();
    port.answer = () => done({ kind: 'read', rows: ['7', null], generation: 1, docs: 1, data_version: '1' });
    await actor.ask(readOf([7, 8]), BUDGET_MS);
    port.answer = (request) => done(port.reply(request));
    expect(await actor.ask(readOf([7, 8]), BUDGET_MS)).toMatchObject({ value: { rows: ['1', '1'] } });
  });

  test('are not given of a base that is down, which only an ask can find to be back', async () => {
    const { port, get } = await startUp();
    await get(SEARCH);
    port.answer = () => failed('unavailable', 'no base file');
    expect(await get(searchFor('tutela'))).toBe('unavailable');
    expect(await get(SEARCH)).toBe('unavailable');
  });

  test('are only whole ones: no failure, and none whose count did not come in time', async () => {
    const { port, get } = await startUp();
    port.answer = () => failed('deadline');
    expect(await get(SEARCH)).toBe('deadline');
    port.answer = (request) => done({ ...port.reply(request), count: null } as SearchReply);
    await get(SEARCH);
    const before = port.asked;
    await get(SEARCH);
    expect(port.asked).toBeGreaterThan(before);
    // Where no count is wanted, none is missing.
    const uncounted = { ...SEARCH, count_ms: null };
    await get(uncounted);
    const now = port.asked;
    await get(uncounted);
    expect(port.asked).toBe(now);
  });

  test.each(CHANGES)('are those of the same request alone: another %s is asked for', async (_, changed) => {
    const { port, get } = await startUp();
    await get(SEARCH);
    await get({ ...SEARCH, ...changed });
    expect(port.asked).toBe(2);
    await get(SEARCH);
    await get({ ...SEARCH, ...changed });
    expect(port.asked).toBe(2);
  });

  test('are told apart by every field of a search but its kind and its time', () => {
    const fields = new Set(CHANGES.flatMap(([, changed]) => Object.keys(changed)));
    const others = ['kind', 'budget_ms', 'work_ms'];
    expect([...fields, ...others].toSorted()).toEqual(Object.keys(SearchRequestSchema.properties).toSorted());
  });

  test('take no more memory than they may, and those not asked for longest go first', async () => {
    const { port, actor, get } = await startUp();
    port.rowLength = 50_000;
    for (let at = 0; at < 100; at += 1) {
      await get(searchFor(`dano ${at}`));
      await get(searchFor('dano 0'));
      expect(actor.status().result_cache_bytes).toBeLessThanOrEqual(MB);
    }
    expect(actor.status().result_cache_bytes).toBeGreaterThan(MB / 2);
    expect(port.asked).toBe(100);
    await get(searchFor('dano 1'));
    expect(port.asked).toBe(101);
  });

  test('are none where no memory is given to them, and begin anew when it is changed', async () => {
    const { port, actor, get } = await startUp(0);
    await get(SEARCH);
    await get(SEARCH);
    expect(port.asked).toBe(2);
    actor.changeResultCacheMb(1);
    await get(SEARCH);
    await get(SEARCH);
    expect(port.asked).toBe(3);
    actor.changeResultCacheMb(0);
    expect(actor.status().result_cache_bytes).toBe(0);
    await get(SEARCH);
    expect(port.asked).toBe(4);
  });
});
