import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run, startMain } from '../support/run.ts';
import { ownPort } from '../support/own-port.ts';
import { temporaryFolder } from '../support/service.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer } from './nats-server.ts';
import { grants, healthOf, replicasOfTests } from './support-replicas.ts';

const { servers, join: joined } = replicasOfTests();

describe.skipIf(!hasNatsServer() || Bun.which('openssl') === null)('the files of nats-access', () => {
  expectNoUnhandledRejection();

  test('let a replica do all that it has to, an operator only what keys need, and nobody else in', async () => {
    const folder = temporaryFolder();
    const made = await run('replicas/access-command.ts', [folder, '127.0.0.1']);
    expect(made).toMatchObject({ exitCode: 0, err: '' });
    const file = (name: string) => join(folder, name);
    const before = readFileSync(file('replica.nk'), 'utf8');
    await run('replicas/access-command.ts', [folder, '127.0.0.1', 'localhost']);
    expect(readFileSync(file('replica.nk'), 'utf8')).toBe(before);
    for (const name of ['replica.nk', 'operator.nk', 'ca.key', 'localhost.key'])
      expect(statSync(file(name)).mode & 0o777).toBe(0o600);

    const tls = `tls { ca_file: "${file('ca.pem')}", cert_file: "${file('127.0.0.1.pem')}", key_file: "${file('127.0.0.1.key')}", verify: true }`;
    const store = temporaryFolder();
    mkdirSync(join(store, 'js'));
    const include = `include ${JSON.stringify(join('..', basename(folder), 'users.conf'))}`;
    const nats = await servers(1, [], [`jetstream { store_dir: "${store}/js" }`, tls, include].join('\n'));
    const trusted = {
      NATS_CA: file('ca.pem'),
      NATS_CERT: file('127.0.0.1.pem'),
      NATS_KEY: file('127.0.0.1.key'),
    };
    const a = await joined(nats, { ...trusted, NATS_CREDS: file('replica.nk') });
    const b = await joined(nats, { ...trusted, NATS_CREDS: file('replica.nk') });
    await until('they know each other', () => a.shared.replicas()?.length === 1);
    await until('they count', () => [a, b].every((one) => healthOf(one).quotas['counted'] === true));
    expect(await grants([a, b], 'k', 5, 8)).toBe(5);
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
  });
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
