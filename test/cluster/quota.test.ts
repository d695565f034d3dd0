import { readFileSync } from 'node:fs';
import { jetstreamManager } from '@nats-io/jetstream';
import { describe, expect, test } from 'vitest';
import type { Broker } from '../../src/cluster/connection.ts';
import { FrontCount } from '../../src/cluster/front-count.ts';
import { QUOTA_ACK_MS_MAX, StreamCounters } from '../../src/cluster/counters.ts';
import { SharedQuota } from '../../src/shared/quota.ts';
import { LATE, systemClock, within } from '../../src/clock.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer, type NatsServers } from './nats-server.ts';
import { natsOfTests } from './support-nats.ts';

const { ends, servers, brokerOf, countersOf } = natsOfTests();

interface Front {
  readonly quota: SharedQuota;
  readonly broker: Broker;
  readonly breaks: boolean[];
}

/** @param ackMsMax as in service, where a test is about counters that do not answer. */
async function front(nats: NatsServers, name: string, ackMsMax?: number): Promise<Front> {
  const { broker, counters } = await countersOf(nats, name, ackMsMax);
  const breaks: boolean[] = [];
  const quota = new SharedQuota({
    clock: systemClock,
    counters,
    peers: () => 2,
    onBreak: (isBroken) => breaks.push(isBroken),
  });
  return { quota, broker, breaks };
}

/** A front alone. `reasons`: each that was told; empty where it is counted again. */
function frontOf(counters: StreamCounters) {
  const reasons: string[] = [];
  const onBreak = (_: boolean, reason: string) => reasons.push(reason);
  return { quota: new SharedQuota({ clock: systemClock, counters, peers: () => 1, onBreak }), reasons };
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
    Array.from({ length: charges }, async (_, at) => fronts[at % fronts.length]!.quota.charge(key, limit)),
  );
  return states.filter(({ granted }) => granted);
}

describe.skipIf(!hasNatsServer())('a quota counted over NATS', () => {
  expectNoUnhandledRejection();

  test('without a broker is bounded by a part of what remained, and is counted when it is back', async () => {
    const nats = await servers(1);
    const fronts = [await front(nats, 'a', QUOTA_ACK_MS_MAX), await front(nats, 'b', QUOTA_ACK_MS_MAX)];
    let granted = (await chargeAll(fronts, 'k', 100, 20)).length;
    expect(granted).toBe(20);
    // On a busy machine an answer may be late, which breaks off the count.
    await until('both count, and know what remains', async () => {
      if (fronts.some(({ quota }) => quota.fault !== '' || quota.owed !== 0)) return false;
      granted += (await chargeAll(fronts, 'k', 100, 2)).length;
      const states = await Promise.all(fronts.map(async ({ quota }) => quota.peek('k', 100)));
      return states.every(({ remaining }) => remaining === 100 - granted);
    });
    nats.servers[0]?.signal('SIGSTOP');
    // What it counted before it stands still, the other front would not know.
    await until('it stands still', () => stateOf(nats.servers[0]?.pid() ?? 0) === 'T');
    const since = performance.now();
    const during = await chargeAll(fronts, 'k', 100, 300);
    expect(performance.now() - since).toBeLessThan(5_000);
    expect(during.length).toBeGreaterThan(0);
    expect(during.length).toBeLessThanOrEqual(100 - granted);
    granted += during.length;
    nats.servers[0]?.signal('SIGCONT');
    await until('both ask again', () => fronts.every(({ breaks }) => breaks.at(-1) === false));
    await until('all is counted', async () => (await counted(fronts[0]!.broker, 'k')) === granted);
    granted += (await chargeAll(fronts, 'k', 100, 300)).length;
    expect(granted).toBe(100);
  });

  test('is read, and not written, for a state without a charge', async () => {
    const nats = await servers(1);
    const fronts = [await front(nats, 'a'), await front(nats, 'b')];
    await chargeAll([fronts[0]!], 'k', 10, 4);
    const manager = await jetstreamManager(await fronts[0]!.broker.ready, { checkAPI: false });
    const written = async () => (await manager.streams.info('jur_quota')).state.last_seq;
    const before = await written();
    const states = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => fronts[at % 2]!.quota.peek('k', 10)),
    );
    expect(new Set(states.map(({ granted, remaining }) => `${granted} ${remaining}`))).toEqual(
      new Set(['true 6']),
    );
    expect(await fronts[1]!.quota.peek('unused', 10)).toMatchObject({ granted: true, remaining: 10 });
    expect(await written()).toBe(before);
  });

  test('says why it is not counted, and counts once that is mended', async () => {
    const nats = await servers(1);
    const broker = brokerOf(nats, 'a');
    const manager = await jetstreamManager(await broker.ready, { checkAPI: false });
    await manager.streams.add({ name: 'jur_quota', subjects: ['jur.quota.*.*'] });
    const { quota, reasons } = frontOf(new StreamCounters(broker));
    await until('it says why', async () => {
      await quota.charge('k', 10);
      return quota.fault.includes('jur_quota is another one; remove it');
    });
    expect(reasons.at(-1)).toBe(quota.fault);
    await manager.streams.delete('jur_quota');
    await until('it is counted', async () => (await quota.charge('k', 10), quota.fault === ''));
    expect(reasons.at(-1)).toBe('');
    quota.close();
  });

  test('is counted in a stream that has other settings than a new one', async () => {
    const nats = await servers(1);
    const broker = brokerOf(nats, 'a');
    const manager = await jetstreamManager(await broker.ready, { checkAPI: false });
    await manager.streams.add({
      name: 'jur_quota',
      subjects: ['jur.quota.*.*'],
      allow_msg_counter: true,
      allow_direct: true,
    });
    const { counters } = await countersOf(nats, 'b');
    const { quota, reasons } = frontOf(counters);
    await quota.check();
    await quota.charge('k', 10);
    expect([quota.fault, reasons, await counted(broker, 'k')]).toEqual(['', [], 1]);
  });

  test('goes on through the loss of the leader, never above the limit', async () => {
    const nats = await servers(3);
    const fronts = [await front(nats, 'a', QUOTA_ACK_MS_MAX), await front(nats, 'b', QUOTA_ACK_MS_MAX)];
    await chargeAll(fronts, 'k', 6_000, 10);
    const manager = await jetstreamManager(await fronts[0]!.broker.ready, { checkAPI: false });
    const leader = (await manager.streams.info('jur_quota')).cluster?.leader ?? '';
    await nats.servers[Number(leader.slice(1))]?.kill();
    let granted = 10;
    const end = performance.now() + 9_000;
    let late = 0;
    while (performance.now() < end) {
      const states = await within(1_000, chargeAll(fronts, 'k', 6_000, 20));
      if (states === LATE) late += 1;
      else granted += states.length;
      await Bun.sleep(60);
    }
    expect(granted).toBeLessThan(6_000);
    expect(late).toBe(0);
    await until('both ask again', () => fronts.every(({ breaks }) => breaks.at(-1) !== true));
    await until('all is counted', async () => (await counted(fronts[0]!.broker, 'k')) === granted);
    // Others, to which no answer is late however busy the machine is.
    const patient = [await front(nats, 'c'), await front(nats, 'd')];
    granted += (await chargeAll(patient, 'k', 6_000, 8_000)).length;
    expect(granted).toBe(6_000);
  });

  test('says that servers are missing where a majority of them is', async () => {
    const nats = await servers(3);
    const { quota, broker } = await front(nats, 'a', 1);
    await quota.charge('k', 10);
    for (const server of nats.servers.slice(1)) await server?.kill();
    await until('it is connected to the one that is left', () => broker.isConnected);
    await until('it names them', async () => {
      await quota.charge('k', 10);
      return /jur_quota has no leader: .*a majority of them is missing/u.test(quota.fault);
    });
    quota.close();
  });

  test('knows how many fronts there are', async () => {
    const nats = await servers(1);
    const brokers = ['a', 'b'].map((name) => brokerOf(nats, name));
    const counts = brokers.map((broker) => new FrontCount(broker, systemClock));
    ends.unshift(() => {
      for (const count of counts) count.close();
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
