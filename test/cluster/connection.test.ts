import type { NatsConnection } from '@nats-io/transport-node';
import { describe, expect, test } from 'vitest';
import { Broker } from '../../src/cluster/connection.ts';
import { BROKER_HOME_MS, BROKER_HOME_MS_MAX } from '../../src/cluster/home-server.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { brokerSettings, hasNatsServer, type NatsServer, type NatsServers } from './nats-server.ts';
import { natsOfTests } from './support-nats.ts';

/** More than the kernel keeps for one connection, here and there. */
const MESSAGES_TO_FILL = 32;
const MEGABYTE = new Uint8Array(1_048_576);

/** The one that a client is connected to. */
function serverOf({ servers }: NatsServers, client: NatsConnection): NatsServer | undefined {
  return servers.find(({ url }) => url === `nats://${client.getServer()}`);
}

const decode = (data: Uint8Array) => new TextDecoder().decode(data);

describe.skipIf(!hasNatsServer())('a connection to NATS', () => {
  expectNoUnhandledRejection();
  const { ends, servers, brokerOf: broker } = natsOfTests();

  test('carries messages, and keeps its subscriptions when the server is back; meanwhile nothing is kept', async () => {
    const nats = await servers();
    const [a, b] = [broker(nats, 'a'), broker(nats, 'b')];
    const got: string[] = [];
    b.subscribe('test.>', ({ data }) => got.push(decode(data)));
    await until('both are connected', () => a.isConnected && b.isConnected);
    await (await b.ready).flush();
    expect(a.publish('test.x', 'one')).toBe(true);
    await until('it came', () => got.length === 1);

    await nats.servers[0]?.kill();
    await until('both know', () => !a.isConnected && !b.isConnected);
    expect(a.publish('test.x', 'lost')).toBe(false);
    await nats.servers[0]?.start();
    await until('both are back', () => a.isConnected && b.isConnected);
    await (await b.ready).flush();
    expect(a.publish('test.x', 'two')).toBe(true);
    await until('it came', () => got.length === 2);
    expect(got).toEqual(['one', 'two']);
  });

  test('is there later when the server starts later', async () => {
    const nats = await servers();
    await nats.servers[0]?.kill();
    const late = broker(nats, 'late');
    expect(late.isConnected).toBe(false);
    await nats.servers[0]?.start();
    await until('it is connected', () => late.isConnected);
  });

  test('says once why there is none', async () => {
    const nowhere = new Broker(brokerSettings('nats://127.0.0.1:1', 'a'));
    ends.unshift(() => nowhere.close());
    const faults: string[] = [];
    nowhere.onFault((reason) => faults.push(reason));
    await until('there is a fault', () => faults.length > 0);
    expect(nowhere.fault).toBe(faults[0]);
    expect(faults[0]).toMatch(/refused/iu);
  });

  test('leaves a server that hangs, though the messages for it have filled its buffers', async () => {
    const nats = await servers(3);
    const made = broker(nats, 'a');
    const mine = serverOf(nats, await made.ready);
    mine?.signal('SIGSTOP');
    ends.unshift(() => mine?.signal('SIGCONT'));
    for (let messages = 0; messages < MESSAGES_TO_FILL; messages += 1) made.publish('test.x', MEGABYTE);
    const since = performance.now();
    await until('it knows', () => !made.isConnected);
    expect(performance.now() - since).toBeLessThan(10_000);
    await until('it is connected to another', () => made.isConnected);
    expect(serverOf(nats, await made.ready)).not.toBe(mine);
    await (await made.ready).flush();
  });

  test('begins at the server that its name gives, and goes back there once that one is there again', async () => {
    const nats = await servers(3);
    const clock = new SimulatedClock();
    const made = ['n1', 'n2', 'n3'].map((name) => broker(nats, name, clock));
    const clients = await Promise.all(made.map(({ ready }) => ready));
    const homes = clients.map((client) => serverOf(nats, client));
    expect(new Set(homes).size).toBe(3);

    const [client, home, one] = [clients[0], homes[0], made[0]];
    if (client === undefined || home === undefined || one === undefined) throw new Error('no broker');
    const got: string[] = [];
    one.subscribe('test.>', ({ data }) => got.push(decode(data)));
    await home.kill();
    await until('it is elsewhere', () => one.isConnected && serverOf(nats, client) !== home);
    await clock.advance(BROKER_HOME_MS_MAX);
    expect(serverOf(nats, client)).not.toBe(home);
    await home.start();
    await until('it is back', async () => {
      await clock.advance(BROKER_HOME_MS);
      return one.isConnected && serverOf(nats, client) === home;
    });
    await client.flush();
    expect(one.publish('test.x', 'one')).toBe(true);
    await until('it came', () => got.length === 1);
    expect(clients.map((other) => serverOf(nats, other))).toEqual(homes);
  });
});
