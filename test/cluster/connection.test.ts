import { describe, expect, test } from 'vitest';
import { Broker } from '../../src/cluster/connection.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { brokerSettings, hasNatsServer, type NatsServers } from './nats-server.ts';
import { natsOfTests } from './support-nats.ts';

const decode = (data: Uint8Array) => new TextDecoder().decode(data);

describe.skipIf(!hasNatsServer())('a connection to NATS', () => {
  expectNoUnhandledRejection();
  const { ends, servers } = natsOfTests();
  function broker(nats: NatsServers, name: string): Broker {
    const made = new Broker(brokerSettings(nats.url, name));
    ends.unshift(() => made.close());
    return made;
  }

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
    await until('it is told', () => faults.length > 0);
    expect(nowhere.fault).toBe(faults[0]);
    expect(faults[0]).toMatch(/refused/iu);
  });

  test('notices a server that hangs', async () => {
    const nats = await servers();
    const made = broker(nats, 'a');
    await until('it is connected', () => made.isConnected);
    nats.servers[0]?.signal('SIGSTOP');
    const since = performance.now();
    await until('it knows', () => !made.isConnected);
    expect(performance.now() - since).toBeLessThan(10_000);
  });

  test('goes over to another server when its own is killed', async () => {
    const nats = await servers(3);
    const made = broker(nats, 'a');
    const client = await made.ready;
    const mine = nats.servers.find(({ url }) => url.endsWith(client.getServer().replace(/^.*:/, ':')));
    await mine?.kill();
    await until('it left', () => client.getServer() !== mine?.url.replace('nats://', ''));
    await until('it is connected', () => made.isConnected);
    await client.flush();
  });
});
