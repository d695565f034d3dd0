import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jetstreamManager } from '@nats-io/jetstream';
import { BUCKET_RETRY_MS } from '../../src/config/limits.ts';
import { Bucket, type BucketOptions } from '../../src/cluster/bucket.ts';
import { Broker } from '../../src/cluster/connection.ts';
import { BucketKeyStore } from '../../src/cluster/keys.ts';
import { Registry } from '../../src/cluster/data/registry.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { temporaryFolder } from '../support/service.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { brokerSettings, hasNatsServer, type NatsServers } from './nats-server.ts';
import { natsOfTests } from './support-nats.ts';

const { ends, servers } = natsOfTests();

interface Member {
  readonly broker: Broker;
  readonly bucket: Bucket;
}

async function member(
  nats: NatsServers,
  name: string,
  { file = null, clock = systemClock, creates = true }: Partial<BucketOptions> = {},
): Promise<Member> {
  const broker = new Broker(brokerSettings(nats.url, name));
  const bucket = new Bucket({ broker, clock, name: 'test', file, creates, log: () => undefined });
  ends.unshift(async () => {
    bucket.close();
    await broker.close();
  });
  await bucket.firstRead;
  return { broker, bucket };
}

const textsOf = ({ bucket }: Member) =>
  Object.fromEntries([...bucket.entries].map(([key, { text }]) => [key, text]));
const revisionOf = ({ bucket }: Member, key: string) => bucket.entries.get(key)?.revision ?? 0;

// Beside each other: most of the time is the wait for servers that choose a leader.
describe.skipIf(!hasNatsServer()).concurrent('a bucket', () => {
  expectNoUnhandledRejection();

  test('is known everywhere within a second, and only one of two writers is first', async () => {
    const nats = await servers();
    const [a, b] = [await member(nats, 'a'), await member(nats, 'b')];
    expect(await a.bucket.put('k', 'one', 0)).toBe(true);
    const since = performance.now();
    await until('the other knows', () => textsOf(b)['k'] === 'one');
    expect(performance.now() - since).toBeLessThan(1_000);
    const written = await Promise.all([a, b].map((one) => one.bucket.put('k', 'two', revisionOf(one, 'k'))));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await b.bucket.put('k', 'three', 0)).toBe(false);
    // More than are read at once.
    for (let at = 0; at < 600; at += 1) await a.bucket.put(`many.${at}`, '', 0);
    await until('the other knows all', () => b.bucket.entries.size === 601);
    expect((await member(nats, 'c')).bucket.entries.size).toBe(601);
  });

  test('is told of through the loss of its leader', async () => {
    const nats = await servers(3);
    const [a, b] = [await member(nats, 'a'), await member(nats, 'b')];
    expect(await a.bucket.put('k', 'one', 0)).toBe(true);
    const manager = await jetstreamManager(await a.broker.ready, { checkAPI: false });
    const leader = (await manager.streams.info('KV_test')).cluster?.leader ?? '';
    await nats.servers[Number(leader.slice(1))]?.kill();
    await until('it can be written again', async () => {
      try {
        return await a.bucket.put('k', 'two', revisionOf(a, 'k'));
      } catch {
        return false;
      }
    });
    const since = performance.now();
    await until('the other knows', () => textsOf(b)['k'] === 'two');
    expect(performance.now() - since).toBeLessThan(6_000);
  });

  test('that the servers have lost is not forgotten, and can be written again', async () => {
    const nats = await servers();
    const folder = temporaryFolder();
    ends.push(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const file = join(folder, 'copy.json');
    const a = await member(nats, 'a', { file });
    await a.bucket.put('first', 'one', 0);
    await a.bucket.put('first', 'two', revisionOf(a, 'first'));
    await a.bucket.put('second', 'three', 0);
    await nats.servers[0]?.kill();
    rmSync(join(nats.folder, 'store0'), { recursive: true });
    await nats.servers[0]?.start();
    // As it knows the stream that was lost.
    const b = await member(nats, 'b');
    await b.bucket.put('other', 'four', 0);
    await until('the first one has both', () => textsOf(a)['other'] === 'four', 50);
    expect(textsOf(a)).toEqual({ first: 'two', second: 'three', other: 'four' });
    expect(await a.bucket.put('first', 'five', revisionOf(a, 'first'))).toBe(true);
    await until('the other knows', () => textsOf(b)['first'] === 'five');
    await until('its copy has it', () => existsSync(file) && readFileSync(file, 'utf8').includes('five'));
    // From the copy of the lost stream alone.
    const c = await member(nats, 'c', { file });
    expect(await c.bucket.put('second', 'six', revisionOf(c, 'second'))).toBe(true);
  });

  test.each([
    { what: 'another one with as many values', writes: ['first', 'other'] },
    { what: 'another one with more', writes: ['first', 'first', 'first'] },
    { what: 'another one with less', writes: ['first'] },
    { what: 'another one that is empty', writes: [] },
    { what: 'emptied', writes: null },
  ])('whose stream is $what can still be written', async ({ writes }) => {
    const nats = await servers();
    const clock = new SimulatedClock();
    const maker = await member(nats, 'maker', { clock });
    await maker.bucket.put('first', 'old', 0);
    await maker.bucket.put('second', 'old', 0);
    const manager = await jetstreamManager(await maker.broker.ready, { checkAPI: false });
    const a = await member(nats, 'a', { clock, creates: false });
    maker.bucket.close();
    if (writes === null) await manager.streams.purge('KV_test');
    else await manager.streams.delete('KV_test');
    const b = await member(nats, 'b', { clock });
    for (const key of writes ?? []) await b.bucket.put(key, 'new', revisionOf(b, key));
    expect(await a.bucket.change('second', () => 'mine')).toBe(true);
    await b.bucket.look();
    expect(textsOf(b)['second']).toBe('mine');
    expect(textsOf(a)['first']).toBe((writes ?? []).length > 0 ? 'new' : 'old');
  });

  test('is made again where its servers have lost it, and gets back what a process knows that gives it back', async () => {
    const nats = await servers();
    const clock = new SimulatedClock();
    const a = await member(nats, 'a', { clock });
    let refusals = 2;
    a.bucket.giveBack((lost) => {
      if (lost.size === 0 || refusals === 0) return a.bucket.restore(lost);
      refusals -= 1;
      return Promise.reject(new Error('not now'));
    });
    await a.bucket.put('first', 'one', 0);
    await a.bucket.put('second', 'two', 0);
    await a.bucket.look();
    const manager = await jetstreamManager(await a.broker.ready, { checkAPI: false });
    await manager.streams.delete('KV_test');
    await a.bucket.look();
    await until('all is given back', async () => {
      await clock.advance(BUCKET_RETRY_MS);
      return revisionOf(a, 'first') === 1 && revisionOf(a, 'second') === 2 && refusals === 0;
    });
    expect(textsOf(await member(nats, 'b'))).toEqual({ first: 'one', second: 'two' });
  });

  test('gets back from a front the keys that its servers have lost, and is not written where it has them', async () => {
    const nats = await servers();
    const file = join(temporaryFolder(), 'copy.json');
    const first = await member(nats, 'a', { file });
    await new BucketKeyStore(first.bucket).issue('user', null, new Date());
    await until('it is on the disk', () => existsSync(file));
    const { keys } = new BucketKeyStore(first.bucket).list();
    const [place] = first.bucket.entries.keys();
    const before = revisionOf(first, place ?? '');
    expect(await new BucketKeyStore(first.bucket).restore(keys)).toBe(0);
    expect(revisionOf(first, place ?? '')).toBe(before);
    const manager = await jetstreamManager(await first.broker.ready, { checkAPI: false });
    first.bucket.close();
    await manager.streams.delete('KV_test');
    const again = await member(nats, 'b', { file });
    await new BucketKeyStore(again.bucket).restore(keys);
    const store = new BucketKeyStore((await member(nats, 'c')).bucket);
    expect(store.list().keys).toEqual(keys);
    await store.revoke('user', new Date());
    const { keys: revoked } = store.list();
    expect(await store.restore([...keys, ...keys])).toBe(0);
    expect(store.list().keys).toEqual(revoked);
    // One that was cut off from the revocation was there first.
    await again.bucket.change(place ?? '', () => JSON.stringify(keys));
    await store.restore(revoked);
    expect(store.list().keys).toEqual(revoked);
  });

  test('has one place for two replicas that switch, and the other waits for it', async () => {
    const nats = await servers();
    const [a, b] = [await member(nats, 'a'), await member(nats, 'b')];
    const registries = [a, b].map(
      ({ bucket, broker }) =>
        new Registry({ bucket, clock: systemClock, node: broker.name, replicas: () => 2 }),
    );
    let inside = 0;
    let most = 0;
    let entered = 0;
    const switchOn = async (registry: Registry) => {
      for (let times = 0; times < 3; times += 1) {
        const leave = await registry.enter('stj');
        inside += 1;
        entered += 1;
        most = Math.max(most, inside);
        await Bun.sleep(30);
        inside -= 1;
        await leave();
      }
    };
    await Promise.all(registries.map(switchOn));
    expect([most, entered]).toEqual([1, 6]);
    await Promise.all(registries.map((registry, at) => registry.announce('stj', 7 + at)));
    await until('both know', () => registries.every((registry) => registry.shownGeneration('stj') === 8));
    await registries[0]?.announce('stj', 5);
    expect(registries[0]?.shownGeneration('stj')).toBe(8);
  });
});
