import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { issueKey } from '../../src/keys/store.ts';
import { cursorSecret } from '../../src/start/secret.ts';
import { demoLines } from '../../src/tools/demo/generate.ts';
import { ROOT, run, startMain, startProgram, type Child } from '../support/run.ts';
import { AMPLE_WINDOWS, loadLines, makeBases, temporaryFolder } from '../support/service.ts';
import { swapped } from '../support/swapped.ts';
import { until } from '../tools/faults/support-poll.ts';
import { startNginx } from './files/nginx.ts';
import { Lan, type Host } from './lan.ts';
import { startNats } from './nats-server.ts';

const ADMIN_TOKEN = 'a-token-of-the-tests';
const MANY = '100000000';

/** A replica on its own host, reached at an address that stays connected when the network is cut. */
export class Deployed {
  readonly #command: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  readonly url: string;
  readonly #admin: string;
  child!: Child;

  constructor({ command, managed }: Host, adminPort: number, environment: Readonly<Record<string, string>>) {
    this.#command = [...command, process.execPath, '--no-env-file', join(ROOT, 'src/main.ts')];
    this.#environment = { ...environment, ADMIN_PORT: String(adminPort), ADMIN_TOKEN };
    this.url = `http://${managed}:3000`;
    this.#admin = `http://${managed}:${adminPort}`;
  }

  async start(): Promise<void> {
    this.child = startProgram(this.#command, { environment: this.#environment });
    await until('a replica was ready', async () => {
      this.child.needRunning();
      return (await fetch(`${this.#admin}/readyz`).catch(() => null))?.status === 200;
    });
  }

  async asked<T>(path: string): Promise<T> {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    return (await (await fetch(this.#admin + path, { headers })).json()) as T;
  }

  async health() {
    return this.asked<{
      quotas: { counted: boolean; reason: string | null };
      files: Record<string, { state: string; published: string | null; fault: string | null }>;
    }>('/health/ready');
  }
}

/**
 * Two replicas on two hosts; on a third, beside the first, HAProxy, and nginx with the published files; a NATS server on each; as
 * shipped. And one process of the same data, here, that knows the right answers.
 * @param decisions in each base. @param isAmple no window of a base or the balancer is over before a busy machine answers.
 */
export async function deploy(decisions: number, isAmple: boolean, ends: (() => Promise<void> | void)[]) {
  const [load, place] = [temporaryFolder(), temporaryFolder()];
  const lines = (base: Base) => [...demoLines(base, decisions, 7)];
  makeBases(load, Object.fromEntries(BASES.map((base) => [base, lines(base)])));
  cursorSecret(load);
  const publish = async (...bases: Base[]) => {
    const done = await run('replicas/files/command.ts', [...bases, '--to', place], { DATA_DIR: load });
    if (done.exitCode !== 0) throw new Error(done.err);
  };
  await publish(...BASES);
  const lan = new Lan([['one', 'between'], ['two']]);
  ends.unshift(() => {
    lan.close();
  });
  const [one, two, between] = ['one', 'two', 'between'].map((name) => lan.host(name)) as [Host, Host, Host];
  const nats = await startNats(3, [one, two, between]);
  ends.unshift(() => nats.stop());
  const site = await startNginx(place, between);
  ends.unshift(() => site.child.stop());
  const environment = {
    DEMO: '0',
    IP_REQUESTS: MANY,
    BASES_THREADS: '1',
    ...(isAmple && AMPLE_WINDOWS),
  };
  const replicas = [one, two].map((host, at) => {
    const dataDir = temporaryFolder();
    cpSync(join(load, 'cursor-secret'), join(dataDir, 'cursor-secret'));
    const shared = { NATS_URL: nats.url, BASES_URL: site.url, DATA_DIR: dataDir };
    const open = { HOST: '0.0.0.0', ADMIN_HOST: '0.0.0.0', TRUSTED_PROXIES: between.address };
    return new Deployed(host, 3_001 + at, { ...environment, ...shared, ...open });
  }) as [Deployed, Deployed];
  for (const replica of replicas) ends.unshift(() => replica.child?.stop());
  const [alone] = await Promise.all([
    startMain(load, environment),
    ...replicas.map((replica) => replica.start()),
  ]);
  ends.unshift(() => alone.stop());
  const balancer = startBalancer(between, [one.address, two.address], isAmple);
  ends.unshift(() => balancer.stop());
  const keys = async (...words: string[]) => {
    const command = [
      ...between.command,
      process.execPath,
      '--no-env-file',
      join(ROOT, 'src/keys/command.ts'),
    ];
    const settings = { NATS_URL: nats.url, DATA_DIR: temporaryFolder() };
    const done = startProgram([...command, ...words], { environment: settings });
    if ((await done.ended) !== 0) throw new Error(done.err());
    return done.out().trim().split('\n').at(-1) ?? '';
  };
  return {
    lan,
    nats,
    replicas,
    keys,
    publish,
    place,
    url: `http://${between.managed}:3000`,
    /** The one process, and a key of it. */
    alone: { url: alone.url, key: issueKey(load, 'one', Number(MANY), new Date()) },
    add: (count: number) => {
      const all = demoLines('stj', decisions + count, 7);
      loadLines(load, 'stj', [...all].slice(decisions));
    },
    files: site.child,
  };
}

function startBalancer({ command }: Host, [one, two]: readonly [string, string], isAmple: boolean): Child {
  const shipped = readFileSync(join(ROOT, 'deploy/replicas/haproxy.cfg'), 'utf8');
  const config = join(temporaryFolder(), 'haproxy.cfg');
  const late = 'timeout server 3s';
  writeFileSync(config, swapped(shipped, isAmple ? [[late, 'timeout server 600s']] : []));
  return startProgram([...command, 'haproxy', '-db', '-f', config], {
    environment: {
      BALANCER_ADDRESS: '0.0.0.0:3000',
      REPLICA_ONE: `${one}:3000`,
      REPLICA_TWO: `${two}:3000`,
      ADMIN_PORT_ONE: '3001',
      ADMIN_PORT_TWO: '3002',
    },
  });
}
