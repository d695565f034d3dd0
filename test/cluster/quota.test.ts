import { readFileSync } from 'node:fs';
import { jetstreamManager } from '@nats-io/jetstream';
import { describe, expect, test } from 'vitest';
import { Broker } from '../../src/cluster/connection.ts';
import { FrontCount } from '../../src/cluster/front-count.ts';
import { CounterQuota, StreamCounters, type Counters } from '../../src/cluster/quota.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { brokerSettings, hasNatsServer, type NatsServers } from './nats-server.ts';
import { natsOfTests } from './support-nats.ts';

const { ends, servers } = natsOfTests();

interface Front {
  readonly quota: CounterQuota;
  readonly broker: Broker;
  readonly breaks: boolean[];
}

function front(nats: NatsServers, name: string, fronts = 2): Promise<Front> {
  const broker = new Broker(brokerSettings(nats.url, name));
  ends.unshift(() => broker.close());
  const counters = new StreamCounters(broker);
  const breaks: boolean[] = [];
  const quota = new CounterQuota({
    clock: systemClock,
    counters,
    fronts: () => fronts,
    onBreak: (isBroken) => breaks.push(isBroken),
  });
  return until('it is connected', () => broker.isConnected)
    .then(() => counters.untilMade(30_000))
    .then(() => ({ quota, broker, breaks }));
}

/** What the counter of a key has today. */
async function counted(broker: Broker, key: string): Promise<number> {
  const manager = await jetstreamManager(await broker.ready, { checkAPI: false });
  const day = Math.floor(Date.now() / 86_400_000);
  const message = await manager.direct.getMessage('jur_quota', { last_by_subj: `jur.quota.${day}.${key}` });
  return Number((JSON.parse(message?.string() ?? '{"val":"0"}') as { val: string }).val);
}

async function chargeAll(fronts: readonly Front[], key: string, limit: number, charges: number) {
  const states = await Promise.all(
    Array.from({ length: charges }, (_, at) => fronts[at % fronts.length]!.quota.charge(key, limit)),
  );
  return states.filter(({ granted }) => granted);
}

describe.skipIf(!hasNatsServer())('a quota counted over NATS', () => {
  expectNoUnhandledRejection();

  test('grants exactly its limit over all fronts, and names each unit once', async () => {
    const nats = await servers(1);
    const fronts = [await front(nats, 'a'), await front(nats, 'b'), await front(nats, 'c')];
    const granted = await chargeAll(fronts, 'k1', 1_000, 3_000);
    expect(granted).toHaveLength(1_000);
    expect(new Set(granted.map(({ remaining }) => remaining)).size).toBe(1_000);
    expect(fronts.flatMap(({ breaks }) => breaks)).toEqual([]);
    expect(await fronts[0]!.quota.peek('k1', 1_000)).toMatchObject({ remaining: 0, limit: 1_000 });
    await until(
      'refused charges are given back',
      async () => (await counted(fronts[0]!.broker, 'k1')) === 1_000,
    );
    expect(await fronts[1]!.quota.peek('k2', 7)).toMatchObject({ granted: true, remaining: 7 });
  });

  test('stays exact when charges come one by one', async () => {
    const nats = await servers(1);
    const fronts = [await front(nats, 'a'), await front(nats, 'b')];
    let granted = 0;
    for (let charges = 0; charges < 60; charges += 1)
      if ((await fronts[charges % 2]!.quota.charge('k', 50)).granted) granted += 1;
    expect(granted).toBe(50);
  });

  test('without a broker is bounded by a part of what remained, and is counted when it is back', async () => {
    const nats = await servers(1);
    const fronts = [await front(nats, 'a'), await front(nats, 'b')];
    expect(await chargeAll(fronts, 'k', 100, 20)).toHaveLength(20);
    // So that both know what remains.
    for (const { quota } of fronts) await quota.peek('k', 100);
    nats.servers[0]?.signal('SIGSTOP');
    // What it counted before it stands still, the other front would not know.
    await until('it stands still', () => stateOf(nats.servers[0]?.pid() ?? 0) === 'T');
    const since = performance.now();
    const during = await chargeAll(fronts, 'k', 100, 300);
    expect(performance.now() - since).toBeLessThan(5_000);
    expect(during.length).toBeGreaterThan(0);
    expect(during.length).toBeLessThanOrEqual(80);
    nats.servers[0]?.signal('SIGCONT');
    await until('both ask again', () => fronts.every(({ breaks }) => breaks.at(-1) === false));
    await until('all is counted', async () => (await counted(fronts[0]!.broker, 'k')) === 20 + during.length);
    const after = await chargeAll(fronts, 'k', 100, 300);
    expect(20 + during.length + after.length).toBe(100);
  });

  test('goes on through the loss of the leader, never above the limit', async () => {
    const nats = await servers(3);
    const fronts = [await front(nats, 'a'), await front(nats, 'b')];
    await chargeAll(fronts, 'k', 6_000, 10);
    const manager = await jetstreamManager(await fronts[0]!.broker.ready, { checkAPI: false });
    const leader = (await manager.streams.info('jur_quota')).cluster?.leader ?? '';
    await nats.servers[Number(leader.slice(1))]?.kill();
    let granted = 10;
    const end = performance.now() + 9_000;
    let late = 0;
    while (performance.now() < end) {
      const since = performance.now();
      granted += (await chargeAll(fronts, 'k', 6_000, 20)).length;
      if (performance.now() - since > 1_000) late += 1;
      await Bun.sleep(60);
    }
    expect(granted).toBeLessThan(6_000);
    expect(late).toBe(0);
    await until('both ask again', () =>
      fronts.every(({ breaks, quota }) => breaks.at(-1) !== true && quota.owed === 0),
    );
    granted += (await chargeAll(fronts, 'k', 6_000, 8_000)).length;
    expect(granted).toBe(6_000);
  });

  test('knows how many fronts there are', async () => {
    const nats = await servers(1);
    const brokers = ['a', 'b'].map((name) => new Broker(brokerSettings(nats.url, name)));
    const counts = brokers.map((broker) => new FrontCount(broker, systemClock));
    ends.unshift(async () => {
      for (const count of counts) count.close();
      for (const broker of brokers) await broker.close();
    });
    await until('each hears the other', () => counts.every(({ current }) => current === 2));
    await nats.servers[0]?.kill();
    await until('they are cut off', () => brokers.every(({ isConnected }) => !isConnected));
    expect(counts.map(({ current }) => current)).toEqual([2, 2]);
  });
});

/** The state of a process as Linux tells it: `T` where a signal has stopped it. */
function stateOf(pid: number): string {
  return /\) (\w)/u.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
}

describe('a quota whose counters fail', () => {
  /** Counters that lose the word of some additions, which may have counted. */
  function lossy(): Counters & { values: Map<string, number>; loses: boolean; seen: Set<string> } {
    const values = new Map<string, number>();
    const seen = new Set<string>();
    return {
      values,
      seen,
      loses: false,
      add(subject, units, id) {
        const isAgain = seen.has(id);
        seen.add(id);
        const value = (values.get(subject) ?? 0) + (isAgain ? 0 : units);
        values.set(subject, value);
        if (this.loses) return Promise.reject(new Error('no word'));
        return Promise.resolve(isAgain ? null : value);
      },
    };
  }

  test('counts what it granted once, whether the addition had counted or not', async () => {
    const counters = lossy();
    const breaks: boolean[] = [];
    const quota = new CounterQuota({
      clock: {
        ...systemClock,
        after: (ms, action) => systemClock.after(Math.min(ms, 5), action),
        now: fastNow,
      },
      counters,
      fronts: () => 1,
      onBreak: (isBroken) => breaks.push(isBroken),
    });
    const charge = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, () => quota.charge('k', 50)))).filter(
        ({ granted }) => granted,
      ).length;
    let granted = await charge(20);
    counters.loses = true;
    granted += await charge(10);
    granted += await charge(10);
    counters.loses = false;
    await until('it asks again', () => breaks.at(-1) === false);
    expect([...counters.values.values()].reduce((sum, value) => sum + value, 0)).toBe(granted);
    granted += await charge(100);
    expect(granted).toBe(50);
  });

  test('counts also what it granted while its debts were being added', async () => {
    const counters = lossy();
    const add = counters.add.bind(counters);
    const quota = new CounterQuota({
      clock: { ...systemClock, after: (_, action) => systemClock.after(5, action), now: fastNow },
      counters,
      fronts: () => 1,
      onBreak: () => undefined,
    });
    counters.loses = true;
    await quota.charge('k', 50);
    counters.loses = false;
    const meanwhile: Promise<unknown>[] = [];
    counters.add = (subject, units, id) => {
      if (meanwhile.length === 0) meanwhile.push(quota.charge('k', 50));
      return add(subject, units, id);
    };
    await until('it owes nothing', () => meanwhile.length > 0 && quota.owed === 0);
    await Promise.all(meanwhile);
    expect([...counters.values.values()].reduce((sum, value) => sum + value, 0)).toBe(2);
  });

  /** So fast that every break is over at the next look. */
  let ticks = 0;
  function fastNow(): number {
    ticks += 10_000;
    return ticks;
  }
});
