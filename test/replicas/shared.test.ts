import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Tuning } from '../../src/admin/console/tuning.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import { cursorSecret } from '../../src/start/secret.ts';
import { run } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';
import { expectNoUnhandledRejection, expectWithin, msUntil, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer } from './nats-server.ts';
import { healthOf, replicasOfTests, type Joined } from './support-replicas.ts';

const { connect, servers, join: joined } = replicasOfTests();
const now = new Date();
const idOf = async ({ shared }: Joined, key: string) => (await shared.keys.find(key))?.id ?? null;

/** The settings of a replica's console, and what was applied to its bases. */
function tuningOf({ shared }: Joined) {
  const start = readConfig({ DATA_DIR: temporaryFolder() });
  const here = (_base: string, _key: string, value: number) => Promise.resolve(value);
  const tuning = new Tuning({
    clock: systemClock,
    start,
    restart: () => start,
    cores: 64,
    apply: shared.settings.apply(here),
  });
  shared.settings.follow(tuning, here);
  return tuning;
}

describe.skipIf(!hasNatsServer())('what replicas share over NATS', () => {
  expectNoUnhandledRejection();

  test('includes keys: one issued on a replica is found on another at once, and refused within a second of its revocation', async () => {
    const nats = await servers();
    const [a, b] = [await joined(nats), await joined(nats)];
    await expectWithin(1_000, async (at) => {
      const key = await a.shared.keyStore.issue(`ana${at}`, 7, now);
      expect(await b.shared.keys.find(key)).toMatchObject({ quotaPerDay: 7 });
      expect(await a.shared.keyStore.revoke(`ana${at}`, now)).toBe(true);
      return msUntil('it is refused', async () => (await idOf(b, key)) === null);
    });
    expect(await b.shared.keyStore.revoke('ana0', now)).toBe(false);
    const both = await Promise.allSettled(
      [a, b].map(async ({ shared }) => shared.keyStore.issue('one', null, now)),
    );
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('includes settings of bases and service, within a second, also for a replica that starts later', async () => {
    const nats = await servers();
    const [a, b] = [await joined(nats), await joined(nats)];
    const [here, there] = [tuningOf(a), tuningOf(b)];
    await expectWithin(1_000, async (at) => {
      await here.change('stj', 'queue_max', 300 + at);
      return msUntil('the other has it', () => there.current.stj.queue_max === 300 + at);
    });
    await there.change('servico', 'expensive_at_once', 3);
    await until('the first has it', () => here.current.servico.expensive_at_once === 3);
    const later = tuningOf(await joined(nats));
    await until('a later one has all', () => later.current.servico.expensive_at_once === 3);
    expect(later.current.stj.queue_max).toBe(here.current.stj.queue_max);
    expect(there.current.stf.queue_max).toBe(512);
  });

  test('includes the cursor secret: the first replica’s, and after a rotation a new one beside it', async () => {
    const nats = await servers();
    const a = await joined(nats);
    const b = await joined(nats);
    const first = cursorSecret(a.dataDir);
    expect([a, b].map(({ shared }) => shared.secrets())).toEqual([[first], [first]]);
    const { exitCode, err } = await run('keys/command.ts', ['rotate-cursor-secret'], {
      NATS_URL: nats.url,
      DATA_DIR: temporaryFolder(),
    });
    expect([exitCode, err]).toEqual([0, '']);
    await until('both sign with the new one', () =>
      [a, b].every(({ shared }) => !first.equals(Buffer.from(shared.secrets()[0]))),
    );
    const [next, before] = a.shared.secrets();
    expect(before).toEqual(first);
    expect(b.shared.secrets()).toEqual([next, first]);
  });

  test('is on each replica’s disk, which starts from it without NATS, and then refuses changes', async () => {
    const nats = await servers();
    const a = await joined(nats);
    const key = await a.shared.keyStore.issue('ana', null, now);
    await until('the copy has it', async () => {
      const alone = Bun.file(join(a.dataDir, 'shared.json'));
      return (await alone.exists()) && (await alone.text()).includes('ana');
    });
    await a.shared.stop();
    await nats.servers[0]?.kill();
    const again = await joined(nats, { DATA_DIR: a.dataDir });
    expect(await idOf(again, key)).not.toBeNull();
    expect(again.shared.secrets()[0]).toEqual(a.shared.secrets()[0]);
    expect(healthOf(again).quotas).toMatchObject({ counted: false, reason: 'no NATS server is connected' });
    await expect(again.shared.keyStore.revoke('ana', now)).rejects.toThrow('no NATS server is connected');
    expect(await tuningOf(again).change('stj', 'queue_max', 9)).toMatchObject({ recusa: 'sem_nats' });
    await nats.servers[0]?.start();
    await until('it is connected again', () => again.log.some(({ msg }) => msg === 'connected to NATS'));
    expect(await again.shared.keyStore.revoke('ana', now)).toBe(true);
    await until('it is counted', () => healthOf(again).quotas['counted'] === true);
  });

  test('and is lost by NATS stays in force, is reported, and is restored by the command alone', async () => {
    const nats = await servers();
    const a = await joined(nats);
    const [kept, ended] = [
      await a.shared.keyStore.issue('kept', null, now),
      await a.shared.keyStore.issue('ended', null, now),
    ];
    await a.shared.keyStore.revoke('ended', now);
    await tuningOf(a).change('stj', 'queue_max', 300);
    await nats.servers[0]?.kill();
    rmSync(join(nats.folder, 'store0'), { recursive: true });
    await nats.servers[0]?.start();
    await until('it is reported', () => healthOf(a).shared['lost'] === 4);
    expect(a.log.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('bun run keys restore'));
    expect([await idOf(a, kept), await idOf(a, ended)]).toEqual([expect.any(String), null]);
    const keys = (...words: string[]) =>
      run('keys/command.ts', words, { NATS_URL: nats.url, DATA_DIR: a.dataDir });
    expect((await keys('list')).err).toContain('there is none');
    // What somebody does meanwhile counts.
    await a.shared.keyStore.issue('new', null, now);
    expect(await keys('restore')).toMatchObject({ exitCode: 0, out: 'values put into NATS: 4\n' });
    expect((await keys('list')).out).toMatch(/^ended .*\d$\n^kept .*-$\n^new .*-$/mu);
    await until('nothing is lost', () => healthOf(a).shared['lost'] === 0);
    expect(await idOf(a, kept)).not.toBeNull();
    expect((await keys('restore')).out).toBe('values put into NATS: 0\n');
  });

  test('includes the live replicas, without one that has stopped, or what is no entry', async () => {
    const nats = await servers();
    const all = [await joined(nats), await joined(nats), await joined(nats)];
    const counts = () => all.map(({ shared }) => shared.replicas()?.length);
    await until('each knows both others', () => counts().every((count) => count === 2));
    const { client } = await connect(nats);
    await client.request('$KV.jur_replicas.other', 'no entry', { timeout: 2_000 });
    await all[2]?.shared.stop();
    await until('it is gone', () =>
      counts()
        .slice(0, 2)
        .every((count) => count === 1),
    );
    expect(all[0]?.shared.replicas()).toMatchObject([{ name: all[1]?.dataDir, state: 'serving' }]);
  });
});

const USER = 'users: [ { user: u } ]';

describe.skipIf(!hasNatsServer())('NATS', () => {
  expectNoUnhandledRejection();
  const store = () => `jetstream { store_dir: ${JSON.stringify(temporaryFolder())} }`;

  test.each([
    ['', () => 'debug: false'],
    [' for the account', () => `${store()}\naccounts { A: { ${USER} } }\nno_auth_user: u`],
  ])('without JetStream%s is named by the log, by health and by keys issue', async (_, extra) => {
    const message =
      /JetStream (?:is off in NATS or for this account|not enabled for account).*in nats\.conf/u;
    const nats = await servers(1, [], extra());
    const a = await joined(nats);
    expect(healthOf(a)).toMatchObject({
      quotas: { counted: false, reason: expect.stringMatching(message) },
      shared: { reason: expect.stringMatching(message) },
    });
    expect(JSON.stringify(a.log)).toMatch(message);
    const { err } = await run('keys/command.ts', ['issue', 'ana'], {
      NATS_URL: nats.url,
      DATA_DIR: a.dataDir,
    });
    expect(err).toMatch(message);
  });

  test('with a full storage limit fails the issue of a key with that reason', async () => {
    const limit = 'jetstream { max_file: 1KB, max_mem: 1MB }';
    const nats = await servers(1, [], `${store()}\naccounts { A: { ${limit}, ${USER} } }\nno_auth_user: u`);
    const a = await joined(nats);
    const issueMany = async () => {
      for (let at = 0; at < 20; at += 1) await a.shared.keyStore.issue(`ana${at}`, null, now);
    };
    await expect(issueMany()).rejects.toThrow(
      /JetStream refuses KV_jur: .*limit.* see jetstream and its limits in nats\.conf/u,
    );
  });
});
