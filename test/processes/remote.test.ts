import { describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { issueKey, makeKey } from '../../src/keys/store.ts';
import { Children, type ChildrenOptions } from '../../src/processes/children.ts';
import { Exchange } from '../../src/processes/exchange.ts';
import { mergedStatus } from '../../src/processes/merged-status.ts';
import { readToChild, readToParent, type Counts, type Metric } from '../../src/processes/messages.ts';
import { MetricsSum } from '../../src/processes/metrics-sum.ts';
import { RemoteKeys } from '../../src/processes/remote-keys.ts';
import { Slot } from '../../src/processes/slot.ts';
import { temporaryFolder } from '../support/service.ts';
import { settle, SimulatedClock } from '../support/simulated-clock.ts';

function exchange(settings: { processes?: number; ipRequests?: number } = {}) {
  const clock = new SimulatedClock();
  const sent: Counts[] = [];
  const silences: boolean[] = [];
  const made = new Exchange({
    clock,
    send: (message) => sent.push(message),
    onSilence: (isSilent) => silences.push(isSilent),
    processes: settings.processes ?? 2,
    ipRequests: settings.ipRequests ?? 10,
    ipWindowSeconds: 60,
  });
  return { clock, sent, silences, exchange: made, quota: made.quota, ipLimit: made.ipLimit };
}

describe('charges of a child', () => {
  test('that come while others are under way go together with the next message', async () => {
    const { quota, sent, exchange: one } = exchange();
    const first = quota.charge('a', 100);
    const others = [quota.charge('a', 100), quota.charge('b', 50), quota.charge('a', 100)];
    expect(sent).toEqual([{ kind: 'counts', id: 1, charges: [['a', 100, 1]], clients: [] }]);
    one.take({ kind: 'counted', id: 1, charges: [[1, 99, 3_600]], clients: [] });
    await expect(first).resolves.toEqual({ granted: true, limit: 100, remaining: 99, resetSeconds: 3_600 });
    expect(sent[1]?.charges).toEqual([
      ['a', 100, 2],
      ['b', 50, 1],
    ]);
    one.take({
      kind: 'counted',
      id: 2,
      charges: [
        [2, 97, 3_600],
        [1, 49, 3_600],
      ],
      clients: [],
    });
    expect((await Promise.all(others)).map(({ remaining }) => remaining)).toEqual([98, 49, 97]);
  });

  test('of which some are refused are granted in their order, and a look costs nothing', async () => {
    const { quota, exchange: one } = exchange();
    const lead = quota.peek('a', 3);
    const asked = [quota.charge('a', 3), quota.charge('a', 3), quota.peek('a', 3), quota.charge('a', 3)];
    one.take({ kind: 'counted', id: 1, charges: [[0, 2, 60]], clients: [] });
    await expect(lead).resolves.toMatchObject({ granted: true, remaining: 2 });
    one.take({ kind: 'counted', id: 2, charges: [[2, 0, 60]], clients: [] });
    expect((await Promise.all(asked)).map(({ granted, remaining }) => [granted, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [true, 0],
      [false, 0],
    ]);
  });

  test('are granted from its part of what remained when the parent is silent for a second, and told of later', async () => {
    const { quota, sent, silences, clock, exchange: one } = exchange({ processes: 2 });
    const known = quota.charge('a', 10);
    one.take({ kind: 'counted', id: 1, charges: [[1, 5, 60]], clients: [] });
    await known;
    const waiting = quota.charge('a', 10);
    await clock.advance(999);
    expect(silences).toEqual([]);
    await clock.advance(1);
    expect(silences).toEqual([true]);
    await expect(waiting).resolves.toMatchObject({ granted: true, remaining: 1 });
    await expect(quota.charge('a', 10)).resolves.toMatchObject({ granted: true, remaining: 0 });
    await expect(quota.charge('a', 10)).resolves.toMatchObject({ granted: false, remaining: 0 });
    one.take({ kind: 'counted', id: 2, charges: [[1, 4, 60]], clients: [] });
    expect(silences).toEqual([true, false]);
    // Of the two since, the one that was granted.
    expect(sent[2]?.charges).toEqual([['a', 10, 1]]);
    const after = quota.charge('a', 10);
    await settle();
    one.take({ kind: 'counted', id: 3, charges: [[1, 3, 60]], clients: [] });
    one.take({ kind: 'counted', id: 4, charges: [[1, 2, 60]], clients: [] });
    await expect(after).resolves.toMatchObject({ granted: true, remaining: 2 });
  });
});

describe('charges that a child refuses while the parent is silent', () => {
  test('are not counted, whether they were on their way or not', async () => {
    const { quota, sent, clock, exchange: one } = exchange({ processes: 2 });
    const known = quota.charge('a', 10);
    one.take({ kind: 'counted', id: 1, charges: [[1, 2, 60]], clients: [] });
    await known;
    const onTheirWay = [quota.charge('a', 10), quota.charge('a', 10)];
    // The first goes by itself.
    expect(sent[1]?.charges).toEqual([['a', 10, 1]]);
    one.take({ kind: 'counted', id: 2, charges: [[1, 3, 60]], clients: [] });
    onTheirWay.push(quota.charge('a', 10), quota.charge('a', 10), quota.charge('b', 0));
    expect(sent[2]?.charges).toEqual([['a', 10, 1]]);
    await clock.advance(1_000);
    // Of three that remained its part is one.
    const states = await Promise.all(onTheirWay);
    expect(states.map(({ granted }) => granted)).toEqual([true, true, false, false, false]);
    // The parent grants what was on its way, and nothing of it was refused.
    one.take({ kind: 'counted', id: 3, charges: [[1, 2, 60]], clients: [] });
    expect(sent[3]?.charges).toEqual([
      ['a', 10, 0],
      ['b', 0, 0],
    ]);
  });

  test('are given back where the parent has granted them meanwhile, beside new charges', async () => {
    const { quota, sent, clock, exchange: one } = exchange({ processes: 2 });
    const first = quota.charge('a', 2);
    one.take({ kind: 'counted', id: 1, charges: [[1, 1, 60]], clients: [] });
    await first;
    // Half of the one that remains is none.
    const refused = quota.charge('a', 2);
    await clock.advance(1_000);
    await expect(refused).resolves.toMatchObject({ granted: false });
    one.take({ kind: 'counted', id: 2, charges: [[1, 0, 60]], clients: [] });
    expect(sent[2]?.charges).toEqual([['a', 2, -1]]);
    const next = [quota.charge('a', 2), quota.charge('a', 2)];
    one.take({ kind: 'counted', id: 3, charges: [[-1, 1, 60]], clients: [] });
    expect(sent[3]?.charges).toEqual([['a', 2, 2]]);
    one.take({ kind: 'counted', id: 4, charges: [[1, 0, 60]], clients: [] });
    expect((await Promise.all(next)).map(({ granted }) => granted)).toEqual([true, false]);
  });
});

describe('the per-IP limit of a child', () => {
  test('counts what others were sent as soon as the parent has told it, and ends with the parent’s window', async () => {
    const { ipLimit, sent, clock, exchange: one } = exchange({ ipRequests: 10 });
    expect([ipLimit.refuse('x'), ipLimit.refuse('x'), ipLimit.refuse('y')]).toEqual([null, null, null]);
    expect(sent).toEqual([]);
    await clock.advance(5);
    expect(sent[0]?.clients).toEqual([
      ['x', 2],
      ['y', 1],
    ]);
    one.take({
      kind: 'counted',
      id: 1,
      charges: [],
      clients: [
        [9, 30_000],
        [1, 60_000],
      ],
    });
    expect(ipLimit.refuse('x')).toBeNull();
    expect(ipLimit.refuse('x')).toBe(30);
    expect(ipLimit.refuse('y')).toBeNull();
    await clock.advance(30_000);
    expect(ipLimit.refuse('x')).toBeNull();
  });

  test('goes with the charges, so that it takes no message of its own', () => {
    const { ipLimit, quota, sent } = exchange();
    ipLimit.refuse('x');
    void quota.charge('a', 10);
    expect(sent).toEqual([{ kind: 'counts', id: 1, charges: [['a', 10, 1]], clients: [['x', 1]] }]);
  });
});

describe('the keys of a child', () => {
  test('are those that the parent told, and one that it may just have issued is asked for', async () => {
    const dataDir = temporaryFolder();
    const key = issueKey(dataDir, 'nova', null, new Date());
    const clock = new SimulatedClock();
    const asked: [number, string][] = [];
    const keys = new RemoteKeys(clock, [], (id, digest) => asked.push([id, digest]));
    expect(keys.find('no key at all')).toBeNull();
    expect(asked).toEqual([]);
    const found = keys.find(key);
    const [[id, digest]] = asked as [[number, string]];
    expect(digest).not.toContain(key);
    keys.found(id, { id: digest, quotaPerDay: 7 });
    await expect(found).resolves.toEqual({ id: digest, quotaPerDay: 7 });
    await clock.advance(100);
    const unanswered = keys.find(key);
    await clock.advance(1_000);
    await expect(unanswered).resolves.toBeNull();
    keys.take([{ id: digest, quotaPerDay: 7 }]);
    expect(keys.find(key)).toEqual({ id: digest, quotaPerDay: 7 });
    keys.take([]);
    expect(keys.find(key)).toBeInstanceOf(Promise);
  });

  test('that it does not know are asked for ten times a second at most, and each once', async () => {
    const clock = new SimulatedClock();
    const asked: number[] = [];
    const keys = new RemoteKeys(clock, [], (id) => asked.push(id));
    const unknown = () => makeKey('x', null, new Date()).key;
    const one = unknown();
    const [first, again] = [keys.find(one), keys.find(one)];
    for (let more = 0; more < 1_000; more += 1) expect(keys.find(unknown())).toBeNull();
    expect(asked).toHaveLength(1);
    keys.found(asked[0] ?? 0, { id: 'new', quotaPerDay: null });
    expect([await first, await again].map((key) => key?.id)).toEqual(['new', 'new']);
    await clock.advance(100);
    expect(keys.find(unknown())).toBeInstanceOf(Promise);
    expect(asked).toHaveLength(2);
  });
});

const STATUS = {
  state: 'up',
  detail: '',
  threads: 2,
  threads_busy: 1,
  threads_left_behind: 0,
  restarts: 1,
  waiting: 3,
  under_way: 1,
  result_cache_bytes: 10,
  generation: 4,
  docs: 40,
  made_up: false,
} as const;

describe('a base in several processes', () => {
  const down = { ...STATUS, state: 'down', detail: 'no file', generation: 5, docs: 50 } as const;

  test('is up where one has it, down where none has, and unknown where none serves', () => {
    expect(mergedStatus([])).toMatchObject({ state: 'unknown', threads: 0 });
    const mixed = mergedStatus([
      { name: 'process 1', status: STATUS },
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
        const answer = { kind: 'changed', id: 1, value };
        return Promise.resolve(typeof value === 'string' ? null : (answer as never));
      }),
    ];
    const children = new Children({ count: 2 } as ChildrenOptions);
    const settings = { ...readConfig({}).bases.stj, result_cache_mb: wanted };
    const isDone = await children.change('stj', settings, 'result_cache_mb');
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
    expect(readToParent({ kind: 'changed', id: 1, value: null })).not.toBeNull();
  });
});

describe('metrics of several processes', () => {
  const counter = (value: number): Metric => ({
    name: 'requests_total',
    help: 'Requests',
    type: 'counter',
    values: [{ value, labels: { route: 'busca' } }],
  });
  const gauge = (value: number, aggregator: 'max' | 'min'): Metric => ({
    name: aggregator,
    help: '',
    type: 'gauge',
    aggregator,
    values: [{ value, labels: {} }],
  });

  test('are added up, but for those of which the greatest or the least counts', () => {
    const sum = new MetricsSum();
    sum.add([counter(2), gauge(5, 'max'), gauge(5, 'min')]);
    sum.add([counter(3), gauge(4, 'max'), gauge(4, 'min')]);
    // What a process that has ended held, it holds no more; what it counted was counted.
    sum.addEnded([counter(10), gauge(9, 'max')]);
    expect(sum.metrics.map(({ name, values }) => [name, values[0]?.value])).toEqual([
      ['requests_total', 15],
      ['max', 5],
      ['min', 4],
    ]);
  });
});

describe('a message', () => {
  test('is one only as its schema says, at both ends', () => {
    expect(readToParent({ kind: 'counts', id: 1, charges: [['a', 5, 1]], clients: [] })).not.toBeNull();
    for (const wrong of [
      null,
      'counts',
      { kind: 'counts', id: -1, charges: [], clients: [] },
      { kind: 'counts', id: 1, charges: [['a', 5]], clients: [] },
      { kind: 'counts', id: 1, charges: [['a', 5, 1.5]], clients: [] },
      { kind: 'stop' },
    ])
      expect(readToParent(wrong)).toBeNull();
    expect(readToChild({ kind: 'stop' })).not.toBeNull();
    expect(readToChild({ kind: 'keys', keys: [{ id: 'a' }] })).toBeNull();
    expect(readToChild({ kind: 'start', v: 999 })).toBeNull();
  });
});
