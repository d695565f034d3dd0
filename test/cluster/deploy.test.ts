import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBaseNode, type BaseNode } from '../../src/cluster/base-node.ts';
import { Broker } from '../../src/cluster/connection.ts';
import { makeBucket } from '../../src/cluster/streams.ts';
import { joinCluster } from '../../src/cluster/front.ts';
import { readConfig } from '../../src/config/config.ts';
import { createBases } from '../../src/index/write/base-file.ts';
import { createLog } from '../../src/observe/log.ts';
import { createBase, startSystem, type System } from '../../src/system.ts';
import { DEMO_SEED_DEFAULT, demoLines } from '../../src/tools/demo/generate.ts';
import { ownPort } from '../support/own-port.ts';
import { run, startProgram, startScript, type Child } from '../support/run.ts';
import { AMPLE_WINDOWS, loadLines, temporaryFolder } from '../support/service.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer, natsBinary } from './nats-server.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy/cluster');
const log = createLog(process.env['TEST_LOG'] === '1' ? 'info' : 'silent').log;

describe.skipIf(!hasNatsServer())('the configuration in deploy/cluster', () => {
  expectNoUnhandledRejection();
  const folder = temporaryFolder();
  const secrets = join(folder, 'secrets');
  const ports = [1, 2, 3].map(() => ({ client: ownPort(), route: ownPort(), http: ownPort() }));
  // By name, and the servers' certificates have no address: on several hosts it is so.
  const url = ports.map(({ client }) => `tls://localhost:${client}`).join(',');
  const servers: Child[] = [];
  const ends: (() => Promise<unknown> | void)[] = [];
  let front: System;
  let node: BaseNode;

  /** The settings of a process, with its own secret and certificate. */
  function of(name: string) {
    return {
      NATS_URL: url,
      NODE_NAME: name,
      NATS_CREDS: join(secrets, `${name}.nk`),
      NATS_CA: join(secrets, 'ca.pem'),
      NATS_CERT: join(secrets, '127.0.0.1.pem'),
      NATS_KEY: join(secrets, '127.0.0.1.key'),
      DATA_DIR: join(folder, name),
    };
  }

  /** Starts a server with the file, its paths and ports replaced. */
  function startServer(at: number): void {
    const { client, route, http } = ports[at]!;
    const home = join(folder, `nats-${at + 1}`);
    mkdirSync(home);
    const routes = ports.map((one) => `nats://localhost:${one.route}`);
    const text = readFileSync(join(DEPLOY, 'nats.conf'), 'utf8')
      .replace('port: 4222', `port: ${client}`)
      .replace('port: 6222', `port: ${route}`)
      .replace(':8222', `:${http}`)
      .replaceAll('"0.0.0.0"', '"127.0.0.1"')
      .replace('client_advertise: $NATS_NAME', `client_advertise: "localhost:${client}"`)
      .replace(/^ {2}advertise: \$NATS_NAME$/mu, `  advertise: "localhost:${route}"`)
      .replaceAll('/etc/nats/tls/server', join(secrets, 'localhost'))
      .replaceAll('/etc/nats/tls/ca.pem', join(secrets, 'ca.pem'))
      .replace('/var/lib/nats', join(home, 'store'))
      .replace(/routes: \[.*\]/u, `routes: ${JSON.stringify(routes)}`)
      .replace('include "users.conf"', `include ${JSON.stringify(join('../secrets', 'users.conf'))}`);
    writeFileSync(join(home, 'nats.conf'), text);
    const command = [natsBinary(), '-c', join(home, 'nats.conf'), '-l', join(home, 'log')];
    servers.push(startProgram(command, { environment: { NATS_NAME: `nats-${at + 1}` } }));
  }

  const logOf = (at: number) => {
    const file = join(folder, `nats-${at + 1}`, 'log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };

  beforeAll(async () => {
    const made = Bun.spawnSync([join(DEPLOY, 'certificates.sh'), secrets, '127.0.0.1', 'localhost']);
    expect([made.exitCode, made.stdout.toString().split('\n').length]).toEqual([0, 3]);
    const users = await run('cluster/users-command.ts', [secrets, '--fronts', 'f1', '--nodes', 'n1,n2']);
    expect([users.exitCode, users.err]).toEqual([0, '']);
    for (const name of ['f1', 'n1']) mkdirSync(join(folder, name));
    for (const at of ports.keys()) startServer(at);
    // Who begins at another server visits the first one later, and leaves a handshake that was broken off.
    for (const at of ports.keys())
      await until('the server is ready', () => logOf(at).includes('Server is ready'));
    const common = { PORT: '0', ADMIN_PORT: '0', ...AMPLE_WINDOWS };
    const frontConfig = readConfig({ ...common, ...of('f1'), ROLE: 'front' });
    front = startSystem(frontConfig, log, { shared: await joinCluster(frontConfig, log) });
    ends.push(() => front.stop());
    const nodeConfig = readConfig({ ...common, ...of('n1'), ROLE: 'base', BASES_SERVED: 'stj' });
    node = await startBaseNode(nodeConfig, log, createBase);
    ends.push(() => node.stop());
  });
  afterAll(async () => {
    for (const end of ends) await end();
    for (const server of servers) server.kill('SIGKILL');
  });

  test('carries a base from its publisher to a node over TLS, and a search from a front to the node', async () => {
    const publisher = { ...of('publisher'), FILES_PORT: '0' };
    createBases(publisher.DATA_DIR);
    loadLines(publisher.DATA_DIR, 'stj', [...demoLines('stj', 50, DEMO_SEED_DEFAULT)]);
    const files = startScript('cluster/data/files-command.ts', [], publisher);
    ends.unshift(() => files.stop());
    const [, address = ''] = /at (https:\S+)/u.exec(await files.says('Ctrl-C')) ?? [];
    await expect(
      fetch(address, { tls: { ca: readFileSync(join(secrets, 'ca.pem'), 'utf8') } }),
    ).rejects.toThrow();
    const published = await run('cluster/data/publish-command.ts', ['stj'], {
      ...publisher,
      FILES_URL: address,
    });
    expect([published.exitCode, published.err]).toEqual([0, '']);
    const issued = await run('keys/command.ts', ['issue', 'ana', '--quota', '100000'], of('operator'));
    expect([issued.exitCode, issued.err]).toEqual([0, '']);
    const key = issued.out.trim().split('\n').at(-1) ?? '';
    await until(
      'the record is found',
      async () => {
        const response = await fetch(`${front.url}/v1/jurisprudencia/stj:1`, {
          headers: { authorization: `Bearer ${key}` },
        });
        return response.status === 200;
      },
      100,
    );
  });

  test('lets servers reach each other by their names, and refuses nothing that a process does', () => {
    for (const at of ports.keys()) expect(logOf(at)).not.toMatch(/handshake error|Violation/u);
  });

  // The last ones wait for a server or for refusals, at the same time.
  test.concurrent('is the same for one server', async () => {
    const home = join(folder, 'one');
    mkdirSync(home);
    const port = ownPort();
    const text = readFileSync(join(DEPLOY, 'nats-one.conf'), 'utf8')
      .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
      .replace(':8222', `:${ownPort()}`)
      .replace('data/nats', join(home, 'store'))
      .replace('../../secrets/users.conf', '../secrets/users.conf');
    writeFileSync(join(home, 'nats.conf'), text);
    const { NATS_CA, NATS_CERT, NATS_KEY } = of('n1');
    const environment = { NATS_CA, NATS_CERT, NATS_KEY };
    servers.push(startProgram([natsBinary(), '-c', join(home, 'nats.conf')], { environment }));
    const there = { ...of('operator'), NATS_URL: `tls://127.0.0.1:${port}` };
    // As a front does when it starts.
    const broker = new Broker(readConfig({ ...of('f1'), NATS_URL: there.NATS_URL }));
    await until('the bucket is there', () =>
      makeBucket(broker, 'jur_keys').then(
        () => true,
        () => false,
      ),
    );
    await broker.close();
    const issued = await run('keys/command.ts', ['issue', 'eva'], there);
    expect([issued.exitCode, issued.err]).toEqual([0, '']);
    expect((await run('keys/command.ts', ['list'], there)).out).toContain('eva');
  });

  test.concurrent('says which setting is missing to somebody without a certificate', async () => {
    const without = { NATS_CERT: '', NATS_KEY: '' };
    const mends = [
      [without, 'set NATS_CERT and NATS_KEY'],
      [{ ...without, NATS_CA: '' }, 'set NATS_CA'],
    ] as const;
    const isTold = async ([settings, mend]: (typeof mends)[number]) => {
      const broker = new Broker(readConfig({ ...of('n2'), ...settings }));
      ends.unshift(() => broker.close());
      await until(`the fault names the mend: ${mend}`, () => broker.fault.includes(mend));
    };
    await Promise.all(mends.map(isTold));
  });

  test.concurrent('lets no server in that has the certificate of a process', async () => {
    const home = join(folder, 'rogue');
    mkdirSync(home);
    const [port, logFile] = [ownPort(), join(home, 'log')];
    const { NATS_CA, NATS_CERT, NATS_KEY } = of('n1');
    const tls = `tls { ca_file: "${NATS_CA}", cert_file: "${NATS_CERT}", key_file: "${NATS_KEY}" }`;
    const routes = ports.map((one) => `"nats://localhost:${one.route}"`).join(', ');
    writeFileSync(
      join(home, 'nats.conf'),
      `listen: "127.0.0.1:${port}"
      accounts { JUR: { users: [ { user: rogue, password: rogue } ] } }
      cluster { name: jurisprudencia, listen: "127.0.0.1:${ownPort()}", routes: [ ${routes} ], ${tls} }`,
    );
    servers.push(startProgram([natsBinary(), '-c', join(home, 'nats.conf'), '-l', logFile]));
    const login = { servers: `127.0.0.1:${port}`, user: 'rogue', pass: 'rogue', waitOnFirstConnect: true };
    const client = await connect(login);
    ends.unshift(() => client.close());
    const write = () => client.request('$KV.jur_keys.6576', '').then(String, () => null);
    let written: string | null = null;
    await until('it is refused, or has written a key', async () => {
      written ??= await write();
      return written !== null || readFileSync(logFile, 'utf8').includes('Authorization Violation');
    });
    expect(written).toBeNull();
  });

  test.concurrent('lets nobody in without a user', async () => {
    await run('cluster/users-command.ts', [join(folder, 'others'), '--fronts', 'f1', '--nodes', 'n1']);
    const issued = await run('keys/command.ts', ['list'], {
      ...of('operator'),
      NATS_CREDS: join(folder, 'others', 'operator.nk'),
    });
    expect([issued.exitCode, issued.err]).toEqual([
      1,
      expect.stringMatching(/NATS_URL: no connection to tls:\S+, .*: Authorization Violation/u),
    ]);
  });
});
