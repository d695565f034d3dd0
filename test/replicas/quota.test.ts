import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { Connection } from '../../src/replicas/connection.ts';
import { StreamCounters, counterName } from '../../src/replicas/counters.ts';
import { LiveReplicas } from '../../src/replicas/live.ts';
import { dayOfTime } from '../../src/shared/quota.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer, settingsOf } from './nats-server.ts';
import { grants, healthOf, replicasOfTests } from './support-replicas.ts';

const { connect, ends, servers, join } = replicasOfTests();

describe.skipIf(!hasNatsServer())('a quota over replicas', () => {
  expectNoUnhandledRejection();

  test('is granted exactly for any distribution of charges, and the refused are given back', async () => {
    const nats = await servers();
    const replicas = [await join(nats), await join(nats)];
    const areCounted = () => replicas.every((replica) => healthOf(replica).quotas['counted'] === true);
    // How often one got no answer in time, on a busy machine too: then its part comes on top of what the other counts.
    const isSilent = () =>
      replicas.flatMap(({ log }) => log).some(({ msg }) => msg.startsWith('quotas are not counted'));
    let granted = 0;
    while (granted < 300) {
      granted += await grants(replicas, 'k', 300, 100);
      await until('all is counted', areCounted);
      if (!isSilent()) expect(granted).toBeLessThanOrEqual(300);
    }
    expect(await grants(replicas, 'k', 300, 50)).toBe(0);
    const counters = new StreamCounters(await connect(nats));
    const name = counterName(dayOfTime(new Date()), 'k');
    await until('the refused are given back', async () => (await counters.read(name)) === granted);
    expect(await replicas[1]!.shared.quota.peek('k', 300)).toMatchObject({ remaining: 0 });
  });

  test('is counted by the day of NATS, and a clock over a minute off is reported', async () => {
    const connection = await connect(await servers());
    const skews: [boolean, number][] = [];
    let aheadMs = 61_000;
    const live = new LiveReplicas({
      connection,
      clock: { ...systemClock, date: () => new Date(Date.now() + aheadMs) },
      describe: () => ({ name: 'a', address: '', state: 'serving', bases: {}, counts: true }),
      onSkew: (isSkewed, skewMs) => skews.push([isSkewed, Math.round(skewMs / 1_000)]),
    });
    ends.unshift(() => live.close());
    await until('it knows', async () => (await live.renew(), skews.length > 0));
    expect(skews).toEqual([[true, 61]]);
    expect(Math.abs(live.clock.date().getTime() - Date.now())).toBeLessThan(5_000);
    aheadMs = 0;
    await live.renew();
    expect(skews.at(-1)?.[0]).toBe(false);
  });
});

describe.skipIf(!hasNatsServer())('a connection', () => {
  expectNoUnhandledRejection();

  test('leaves a hung server, even with full buffers, and reports why there is no connection', async () => {
    const nats = await servers(3);
    const faults: string[] = [];
    const connection = new Connection(settingsOf(nats.url.split(',')), (reason) => faults.push(reason));
    ends.unshift(() => connection.close());
    const client = await connection.ready;
    const mine = nats.servers.find(({ url }) => url.endsWith(client.getServer()));
    mine?.signal('SIGSTOP');
    ends.unshift(() => Promise.resolve(mine?.signal('SIGCONT')));
    for (let at = 0; at < 32; at += 1) client.publish('test.x', new Uint8Array(1_000_000));
    const since = performance.now();
    // A question that is lost with it is given up.
    const asking = new StreamCounters(connection).make();
    await until('it knows', () => !connection.isConnected);
    await until('it is connected to another', () => connection.isConnected);
    await asking;
    expect(performance.now() - since).toBeLessThan(8_000);
    expect(mine?.url.endsWith(client.getServer())).toBe(false);
    const nowhere = new Connection(settingsOf(['nats://127.0.0.1:1']), (reason) => faults.push(reason));
    ends.unshift(() => nowhere.close());
    await until('there is a fault', () => nowhere.fault !== '');
    expect(faults.at(-1)).toMatch(/refused/iu);
    await expect(new StreamCounters(nowhere).read('a')).rejects.toThrow('no NATS server is connected');
  });
});
