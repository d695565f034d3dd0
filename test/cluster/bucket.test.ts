import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { jetstreamManager } from '@nats-io/jetstream';
import { BUCKET_BACK_OFF_MS_MAX, BUCKET_RETRY_MS } from '../../src/cluster/bucket.ts';
import { BucketKeyStore } from '../../src/cluster/keys.ts';
import { BUCKET_MS_MAX, NoStream } from '../../src/cluster/streams.ts';
import { fileNameOf, type Manifest } from '../../src/cluster/data/manifest.ts';
import { ROLL_OUT_LEASE_MS, ROLL_OUT_TRY_MS, Registry } from '../../src/cluster/data/registry.ts';
import { systemClock, type Clock } from '../../src/clock.ts';
import { describeCoverage } from '../../src/search/coverage.ts';
import { emptyTotals } from '../../src/search/coverage-totals.ts';
import { run } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { expectNoUnhandledRejection, expectWithin, msUntil, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer } from './nats-server.ts';
import { natsOfTests } from './support-nats.ts';

const { servers, bucketOf: member } = natsOfTests();
type Member = Awaited<ReturnType<typeof member>>;

const textsOf = ({ bucket }: Member) =>
  Object.fromEntries([...bucket.entries].map(([key, { text }]) => [key, text]));
const registryOf = ({ bucket, broker }: Member, clock: Clock = systemClock) =>
  new Registry({ bucket, clock, node: broker.name, replicas: () => 2 });
const revisionOf = ({ bucket }: Member, key: string) => bucket.entries.get(key)?.revision ?? 0;

function manifestOf(generation: number): Manifest {
  const sha256 = 'ab'.repeat(32);
  const of = { base: 'stj', generation, sha256 } as const;
  const now = new Date();
  return {
    v: 1,
    ...of,
    decisions: 0,
    bytes: 0,
    chunks_sha256: sha256,
    file: fileNameOf(of),
    coverage: describeCoverage('stj', emptyTotals(), now),
    published_at: now.toISOString(),
    url: 'http://publisher',
  };
}

// Beside each other: most of the time is the wait for servers that choose a leader.
describe.skipIf(!hasNatsServer()).concurrent('a bucket', () => {
  expectNoUnhandledRejection();

  test('is known everywhere within a second, and only one of two writers is first', async () => {
    const nats = await servers();
    const [a, b] = [await member(nats, 'a'), await member(nats, 'b')];
    await expectWithin(1_000, async (at) => {
      expect(await a.bucket.put('k', `one ${at}`, revisionOf(a, 'k'))).toBe(true);
      return msUntil('the other knows', () => textsOf(b)['k'] === `one ${at}`);
    });
    const written = await Promise.all([a, b].map((one) => one.bucket.put('k', 'two', revisionOf(one, 'k'))));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await b.bucket.put('k', 'three', 0)).toBe(false);
    // More than are read at once.
    for (let at = 0; at < 600; at += 1) await a.bucket.put(`many.${at}`, '', 0);
    await until('the other knows all', () => b.bucket.entries.size === 601);
    expect((await member(nats, 'c')).bucket.entries.size).toBe(601);
  });

  test('is known everywhere after the loss of its leader', async () => {
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

  test('of keys that is not there is named by the command, which does not say that there are no keys', async () => {
    const nats = await servers(1);
    const there = { NATS_URL: nats.url, DATA_DIR: temporaryFolder() };
    const { exitCode, out, err } = await run('keys/command.ts', ['list'], there);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/jur_keys cannot be read: .* is not there; a front makes it/u);
  });

  test('that the servers have lost is not forgotten, and can be written again', async () => {
    const nats = await servers();
    const file = join(temporaryFolder(), 'copy.json');
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
    const maker = await member(nats, 'maker');
    await maker.bucket.put('first', 'old', 0);
    await maker.bucket.put('second', 'old', 0);
    const manager = await jetstreamManager(await maker.broker.ready, { checkAPI: false });
    const a = await member(nats, 'a', { creates: false });
    const isBehind = vi.spyOn(a.bucket, 'look').mockResolvedValue();
    maker.bucket.close();
    if (writes === null) await manager.streams.purge('KV_test');
    else await manager.streams.delete('KV_test');
    const b = await member(nats, 'b');
    for (const key of writes ?? []) await b.bucket.put(key, 'new', revisionOf(b, key));
    const mine = () => {
      isBehind.mockRestore();
      return 'mine';
    };
    expect(await a.bucket.change('second', mine)).toBe(true);
    await b.bucket.look();
    expect(textsOf(b)['second']).toBe('mine');
    expect(textsOf(a)['first']).toBe((writes ?? []).length > 0 ? 'new' : 'old');
  });

  test('to which others write, or that has no leader, is tried at growing intervals, and written or refused', async () => {
    const nats = await servers();
    const clock = new SimulatedClock();
    const { bucket } = await member(nats, 'a', { clock });
    // Neither a read nor a write takes its own time, in which this clock would pass the limit.
    vi.spyOn(bucket, 'look').mockResolvedValue();
    const put = vi.spyOn(bucket, 'put').mockResolvedValue(false);
    const tries: number[] = [];
    const change = () =>
      bucket.change('k', () => {
        tries.push(clock.now());
        return 'written';
      });
    const written = change();
    await clock.advance(1_000);
    const waits = tries.slice(1).map((at, before) => at - (tries[before] ?? 0));
    expect(tries.length).toBeLessThan(15);
    expect(waits.at(-1)).toBeGreaterThan(100);
    put.mockRejectedValueOnce(new NoStream('no leader')).mockResolvedValue(true);
    await clock.advance(2 * BUCKET_BACK_OFF_MS_MAX);
    await expect(written).resolves.toBe(true);
    for (const reason of ['no leader', 'others write to it']) {
      if (reason === 'no leader') put.mockRejectedValue(new NoStream(reason));
      else put.mockResolvedValue(false);
      tries.length = 0;
      const refused = expect(change()).rejects.toThrow(reason);
      await clock.advance(BUCKET_MS_MAX + BUCKET_BACK_OFF_MS_MAX);
      await refused;
      expect(tries.length).toBeGreaterThan(10);
    }
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
    const registries = [a, b].map((one) => registryOf(one));
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
  });

  test('knows what may have been seen of a base from each of its nodes, and believes none beyond what was published', async () => {
    const nats = await servers();
    const [a, b, eve] = [await member(nats, 'a'), await member(nats, 'b'), await member(nats, 'eve')];
    const registries = [a, b].map((one) => registryOf(one));
    const shown = () => registries.map((registry) => registry.shownGeneration('stj'));
    await registries[0]?.announce('stj', 7);
    expect(shown()).toEqual([null, null]);
    await registries[0]?.publish(manifestOf(8));
    await registries[1]?.announce('stj', 8);
    await registries[0]?.announce('stj', 5);
    await until('both know', () => shown().every((generation) => generation === 8));
    await eve.bucket.put('shown.stj.eve', '999999999', 0);
    await eve.bucket.put('shown.tst.eve', '999999999', 0);
    await eve.bucket.put('manifest.tst', JSON.stringify(manifestOf(9)), 0);
    await until('all have read it', () => [a, b].every(({ bucket }) => bucket.entries.has('manifest.tst')));
    expect(shown()).toEqual([8, 8]);
    expect(registries.map((registry) => registry.manifest('tst'))).toEqual([null, null]);
    expect(registries.map((registry) => registry.shownGeneration('tst'))).toEqual([null, null]);
  });

  test('does not wait for a replica longer than one may switch, whatever that says', async () => {
    const nats = await servers();
    const [a, eve] = [await member(nats, 'a'), await member(nats, 'eve')];
    const clock = new SimulatedClock();
    const registry = registryOf(a, clock);
    const key = 'switching.stj.eve';
    const keep = async (ms: number) => {
      const text = JSON.stringify({ until: clock.date().getTime() + ms });
      await eve.bucket.change(key, () => text);
      await until('it is read', () => textsOf(a)[key] === text);
    };
    await keep(1e12);
    await (
      await registry.enter('stj')
    )();
    await keep(ROLL_OUT_LEASE_MS);
    let hasEntered = false;
    void registry.enter('stj').then(() => (hasEntered = true));
    while (clock.now() < ROLL_OUT_LEASE_MS - ROLL_OUT_TRY_MS) {
      await clock.advance(ROLL_OUT_TRY_MS);
      await a.bucket.look();
      expect(hasEntered).toBe(false);
    }
    await until('it has entered', async () => {
      await clock.advance(ROLL_OUT_TRY_MS);
      return hasEntered;
    });
  });
});
