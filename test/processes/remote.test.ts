import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { Children, type ChildrenOptions } from '../../src/processes/children.ts';
import { Exchange } from '../../src/processes/exchange.ts';
import { mergedStatus } from '../../src/processes/merged-status.ts';
import type { ReadMetric } from '../../src/observe/tally-set.ts';
import type { Counts } from '../../src/processes/messages.ts';
import { risingOf, summed } from '../../src/processes/metrics.ts';
import { countIn } from '../../src/processes/parent.ts';
import { Slot } from '../../src/processes/slot.ts';
import { IpLimit } from '../../src/http/ip-limit.ts';
import { MemoryCounters } from '../../src/shared/counters.ts';
import { SharedQuota } from '../../src/shared/quota.ts';
import { STATUS_UP } from '../cluster/small-cluster.ts';
import { settle, SimulatedClock } from '../support/simulated-clock.ts';

function exchange() {
  const clock = new SimulatedClock();
  const sent: Counts[] = [];
  const made = new Exchange(clock, (message) => sent.push(message), new IpLimit(10, 60, clock));
  const answer = (...counters: number[]) => {
    made.take({ kind: 'counted', counters, clients: [], several_keys: false });
  };
  return { clock, sent, answer, exchange: made };
}

describe('the counters of a child', () => {
  test('are sent together with the next message while one is unanswered', async () => {
    const { sent, answer, exchange: one } = exchange();
    const first = one.add('a', 1, 'i');
    const others = [one.add('a', 2, 'ii'), one.read('b')];
    expect(sent).toEqual([{ kind: 'counts', counters: [['a', 1]], clients: [] }]);
    answer(7);
    await expect(first).resolves.toBe(7);
    expect(sent[1]?.counters).toEqual([
      ['a', 2],
      ['b', 0],
    ]);
    answer(9, 4);
    await expect(Promise.all(others)).resolves.toEqual([9, 4]);
  });

  test('fail after a second without an answer, and count once what is sent again', async () => {
    const { clock, sent, answer, exchange: one } = exchange();
    const silent = one.add('a', 1, 'i').catch(String);
    await clock.advance(1_000);
    await expect(silent).resolves.toContain('does not answer');
    const again = one.add('a', 1, 'i');
    answer(1);
    await expect(again).resolves.toBeNull();
    const late = one.add('a', 1, 'ii').catch(String);
    await clock.advance(1_000);
    await late;
    answer(2);
    await settle();
    await expect(one.add('a', 1, 'ii')).resolves.toBeNull();
    expect(sent).toHaveLength(2);
  });

  test('make a quota grant this part of it while the parent is silent, and count that when it answers', async () => {
    const { clock, sent, answer, exchange: counters } = exchange();
    const breaks: boolean[] = [];
    const onBreak = (isBroken: boolean) => breaks.push(isBroken);
    const quota = new SharedQuota({ clock, counters, peers: () => 2, onBreak });
    const charge = async () => (await quota.charge('a', 10)).granted;
    const first = charge();
    answer(5);
    await first;
    const waiting = charge();
    await clock.advance(1_000);
    // Half of the five that remained.
    const states = [await waiting, await charge(), await charge()];
    expect([states, breaks]).toEqual([[true, true, false], [true]]);
    answer(6);
    await clock.advance(1_000);
    await settle();
    // Of the two since, the one that the parent has not counted.
    expect(sent[2]?.counters.map(([, units]) => units)).toEqual([1]);
    answer(7);
    await settle();
    expect([breaks, quota.owed]).toEqual([[true, false], 0]);
  });
});

test('a child knows from the parent that several keys ask, until a second after the last but one', async () => {
  const { clock, exchange: child } = exchange();
  const count = countIn(clock, new MemoryCounters(), new IpLimit(10, 60, clock));
  const areSeveral = (name: string, units = 1) => {
    child.take(count({ kind: 'counts', counters: [[name, units]], clients: [] }));
    return child.severalKeys;
  };
  expect([areSeveral('1.a'), areSeveral('1.b', 0), areSeveral('1.a'), areSeveral('1.b')]).toEqual([
    false,
    false,
    false,
    true,
  ]);
  await clock.advance(999);
  expect(areSeveral('1.a')).toBe(true);
  await clock.advance(2);
  expect(areSeveral('1.a')).toBe(false);
});

describe('the per-IP limit of a child', () => {
  test('counts what others were sent as soon as the parent has told it, and ends with the parent’s window', async () => {
    const { exchange: one, sent, clock } = exchange();
    expect([one.refuse('x'), one.refuse('x'), one.refuse('y')]).toEqual([null, null, null]);
    expect(sent).toEqual([]);
    await clock.advance(5);
    expect(sent[0]?.clients).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
    one.take({
      kind: 'counted',
      counters: [],
      clients: [
        [9, 30_000],
        [1, 60_000],
      ],
      several_keys: false,
    });
    expect(one.refuse('x')).toBeNull();
    expect(one.refuse('x')).toBe(30);
    expect(one.refuse('y')).toBeNull();
    await clock.advance(30_001);
    expect(one.refuse('x')).toBeNull();
  });

  test('goes with the charges, without a separate message', () => {
    const { exchange: one, sent } = exchange();
    one.refuse('x');
    void one.add('a', 1, 'i');
    expect(sent).toEqual([{ kind: 'counts', counters: [['a', 1]], clients: [['x', 1]] }]);
  });
});

describe('a base in several processes', () => {
  const some = { threads: 2, threads_busy: 1, restarts: 1, waiting: 3 };
  const up = { ...STATUS_UP, ...some, generation: 4, docs: 40 };
  const down = { ...up, state: 'down', detail: 'no file', generation: 5, docs: 50 } as const;

  test('is up where one has it, down where none has, and unknown where none serves', () => {
    expect(mergedStatus([])).toMatchObject({ state: 'unknown', threads: 0 });
    const mixed = mergedStatus([
      { name: 'process 1', status: up },
      { name: 'process 3', status: down },
    ]);
    expect(mixed).toMatchObject({ state: 'up', detail: 'down in process 3: no file', generation: 5 });
    expect(mixed).toMatchObject({ threads: 4, threads_busy: 2, restarts: 2, waiting: 6, docs: 50 });
    const none = mergedStatus([
      { name: 'process 1', status: down },
      { name: 'process 2', status: down },
    ]);
    expect(none).toMatchObject({ state: 'down', detail: 'no file' });
  });
});

describe('a setting that all processes are to have', () => {
  const change = async (value: number | null | 'silence' | 'end', wanted: number) => {
    let pid = 7;
    const spies = [
      vi.spyOn(Slot.prototype, 'pid', 'get').mockImplementation(() => pid),
      vi.spyOn(Slot.prototype, 'ask').mockImplementation(() => {
        if (value === 'end') pid += 1;
        return Promise.resolve(typeof value === 'string' ? null : ({ value } as never));
      }),
    ];
    const config = { ...readConfig({}), processes: 2 };
    const children = new Children({ config } as ChildrenOptions);
    const settings = { ...config.bases.stj, result_cache_mb: wanted };
    const isDone = (await children.change('stj', settings, 'result_cache_mb')) === wanted;
    for (const spy of spies) spy.mockRestore();
    return isDone;
  };

  test('is not had where one could not take it, also if it is 0, or says nothing', async () => {
    expect([await change(5, 5), await change(0, 0), await change('end', 5)]).toEqual([true, true, true]);
    expect([await change(4, 5), await change(null, 0), await change('silence', 5)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('of the expensive searches that run at once is sent to each child', () => {
    const sent: unknown[] = [];
    const spy = vi.spyOn(Slot.prototype, 'send').mockImplementation((message) => {
      sent.push(message);
    });
    const config = { ...readConfig({}), processes: 2 };
    new Children({ config } as ChildrenOptions).changeExpensive(3);
    spy.mockRestore();
    const message = { kind: 'expensive_at_once', value: 3 };
    expect(sent).toEqual([message, message]);
  });
});

describe('metrics of several processes', () => {
  const counter = (value: number): ReadMetric => ({
    name: 'requests_total',
    help: 'Requests',
    type: 'counter',
    values: [{ value, labels: { route: 'busca' } }],
  });
  const gauge = (value: number, aggregator: 'max' | 'min'): ReadMetric => ({
    name: aggregator,
    help: '',
    type: 'gauge',
    aggregator,
    values: [{ value, labels: {} }],
  });

  test('are added up, unless the greatest or the least value counts', async () => {
    const sum = await summed([
      [counter(2), gauge(5, 'max'), gauge(5, 'min')],
      [counter(3), gauge(4, 'max'), gauge(4, 'min')],
      // What a process that has ended held, it holds no more; what it counted was counted.
      risingOf([counter(10), gauge(9, 'max')]),
    ]);
    expect(sum.map(({ name, values }) => [name, values[0]?.value])).toEqual([
      ['requests_total', 15],
      ['max', 5],
      ['min', 4],
    ]);
  });
});

test('a process that was started from other code than its parent reports it', async () => {
  const said = Promise.withResolvers<unknown>();
  const main = join(import.meta.dirname, '../../src/main.ts');
  const child = Bun.spawn([process.execPath, main, 'child'], { serialization: 'json', ipc: said.resolve });
  child.send({ kind: 'start', v: 0 });
  expect(await said.promise).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/was replaced.*restart the service/),
  });
  child.kill('SIGKILL');
});
