import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, run, startMain } from '../support/run.ts';
import { swapped } from '../support/swapped.ts';
import { ownPort } from '../support/own-port.ts';
import { temporaryFolder } from '../support/service.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer, type Place } from './nats-server.ts';
import { healthOf, replicasOfTests } from './support-replicas.ts';

const { servers, join: joined } = replicasOfTests();
const shipped = (name: string) => readFileSync(join(ROOT, 'deploy/replicas', name), 'utf8');

/** The shipped nats.conf, which asks for a replica's certificate; for three servers with nats-cluster.conf around it. */
function shippedConfig(access: string, count: 1 | 3): (place: Place) => string {
  return ({ at, listen, route, routes, store }) => {
    mkdirSync(store);
    const one = swapped(shipped('nats.conf'), [
      ['0.0.0.0:4222', listen],
      ['127.0.0.1:8222', `127.0.0.1:${ownPort()}`],
      ['/var/lib/nats', store],
      ['include "users.conf"', `include "../${basename(access)}/users.conf"`],
      ['verify: false', 'verify: true'],
    ]);
    const cluster = swapped(shipped('nats-cluster.conf'), [
      ['include "nats.conf"', `server_name: n${at}\n${one}`],
      ['0.0.0.0:6222', route],
      ['["nats://nats-1:6222", "nats://nats-2:6222", "nats://nats-3:6222"]', JSON.stringify(routes)],
    ]);
    return (count === 1 ? one : cluster)
      .replaceAll('/etc/nats/server', join(access, '127.0.0.1'))
      .replaceAll('/etc/nats', access);
  };
}

describe.skipIf(!hasNatsServer() || Bun.which('openssl') === null)('the files of nats-access', () => {
  expectNoUnhandledRejection();

  test.each([1, 3] as const)(
    'on the shipped configuration of %i allow a replica its work, an operator what keys need, and nobody else',
    async (count) => {
      const folder = temporaryFolder();
      const made = await run('replicas/access-command.ts', [folder, '127.0.0.1']);
      expect(made).toMatchObject({ exitCode: 0, err: '' });
      const file = (name: string) => join(folder, name);
      const before = readFileSync(file('replica.nk'), 'utf8');
      await run('replicas/access-command.ts', [folder, '127.0.0.1', 'localhost']);
      expect(readFileSync(file('replica.nk'), 'utf8')).toBe(before);
      for (const name of ['replica.nk', 'operator.nk', 'ca.key', 'localhost.key'])
        expect(statSync(file(name)).mode & 0o777).toBe(0o600);

      const nats = await servers(count, [], shippedConfig(folder, count));
      const trusted = {
        NATS_CA: file('ca.pem'),
        NATS_CERT: file('127.0.0.1.pem'),
        NATS_KEY: file('127.0.0.1.key'),
      };
      const a = await joined(nats, { ...trusted, NATS_CREDS: file('replica.nk') });
      const b = await joined(nats, { ...trusted, NATS_CREDS: file('replica.nk') });
      await until('they know each other', () => a.shared.replicas()?.length === 1);
      await until('they count', () => [a, b].every((one) => healthOf(one).quotas['counted'] === true));
      expect(await b.shared.quota.peek('k', 5)).toMatchObject({ remaining: 5 });
      const keys = (creds: string, ...words: string[]) =>
        run('keys/command.ts', words, {
          ...trusted,
          NATS_URL: nats.url,
          NATS_CREDS: creds,
          DATA_DIR: temporaryFolder(),
        });
      const { out } = await keys(file('operator.nk'), 'issue', 'ana');
      expect(await b.shared.keys.find(out.trim().split('\n').at(-1) ?? '')).not.toBeNull();
      expect(JSON.stringify([a.log, b.log])).not.toMatch(/permission/iu);

      const operator = await joined(nats, { ...trusted, NATS_CREDS: file('operator.nk') });
      expect(healthOf(operator).quotas['counted']).toBe(false);
      expect(JSON.stringify(operator.log)).toMatch(/permission/iu);
      const stranger = temporaryFolder();
      await run('replicas/access-command.ts', [stranger]);
      expect((await keys(join(stranger, 'operator.nk'), 'list')).err).toMatch(
        /NATS_URL: no connection .*authori/iu,
      );
      const { err } = await run('keys/command.ts', ['list'], {
        NATS_URL: nats.url,
        NATS_CREDS: file('operator.nk'),
        DATA_DIR: stranger,
      });
      expect(err).toContain('set NATS_CA');
      expect((await keys('', 'list')).err).toContain('set NATS_CREDS');
    },
  );
});

test.runIf(process.platform === 'linux')(
  'replicas of one host share a port with SHARE_PORT, and without it a second process fails on it',
  async () => {
    const port = String(ownPort());
    const settings = { PORT: port, DEMO: '0', SHARE_PORT: '1', BASES_THREADS: '1' };
    await using one = await startMain(temporaryFolder(), settings);
    await using two = await startMain(temporaryFolder(), settings);
    expect(one.url).toBe(two.url);
    const asked = Array.from(
      { length: 64 },
      async () => (await fetch(`${one.url}/v1/jurisprudencia/cobertura`, { keepalive: false })).status,
    );
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
    const alone = { ...settings, SHARE_PORT: '0', ADMIN_PORT: '0', DATA_DIR: temporaryFolder() };
    expect(await run('main.ts', [], alone)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`:${port} is in use`) as string,
    });
  },
);
