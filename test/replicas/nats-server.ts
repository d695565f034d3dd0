import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, type NatsSettings } from '../../src/replicas/connection.ts';
import { QUOTA_STREAM } from '../../src/replicas/counters.ts';
import { Stream } from '../../src/replicas/streams.ts';
import { hasNeeded } from '../support/needed.ts';
import { ownPort } from '../support/own-port.ts';
import { startProgram, type Child } from '../support/run.ts';
import { until } from '../tools/faults/support-poll.ts';
import type { Host } from './lan.ts';

const NAMED = process.env['NATS_SERVER'] ?? '';
const BINARY = NAMED === '' ? (Bun.which('nats-server') ?? '') : NAMED;

const HERE: Host = { command: [], address: '127.0.0.1', managed: '127.0.0.1' };

/** Whether there is a nats-server, in `NATS_SERVER` or in `PATH`. @throws in CI, where it must be there. */
export function hasNatsServer(): boolean {
  return hasNeeded('nats-server', BINARY !== '' && existsSync(BINARY));
}

/** A real nats-server with JetStream. */
export interface NatsServer {
  readonly url: string;
  readonly pid: () => number;
  /** With SIGKILL, at once. */
  kill(): Promise<void>;
  /** Starts it again on the same ports and the same store. */
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

export interface NatsServers {
  readonly servers: readonly NatsServer[];
  /** Of all of them, as `NATS_URL` takes it. */
  readonly url: string;
  readonly folder: string;
  /** The one that leads the quotas' counters. */
  leader(): Promise<NatsServer>;
  stop(): Promise<void>;
}

/**
 * Starts real nats-servers in a temporary folder: several are one cluster.
 * @param hosts where each runs; else here.
 * @param extra configuration in place of JetStream's, in the servers' syntax; or what makes the whole of a server's.
 */
export async function startNats(
  count: 1 | 3 = 1,
  hosts: readonly Host[] = [],
  extra?: string | ((place: Place) => string),
): Promise<NatsServers> {
  const folder = mkdtempSync(join(tmpdir(), 'jurisprudencia-nats-'));
  const ports = Array.from({ length: count }, () => ({ client: ownPort(), route: ownPort() }));
  const at = (index: number) => hosts[index] ?? HERE;
  const routes = ports.map(({ route }, index) => `nats://${at(index).address}:${route}`);
  const servers = ports.map(
    (_, index) => new Server(folder, index, { ports, routes, extra, host: at(index) }),
  );
  await Promise.all(servers.map((server) => server.start()));
  return {
    servers,
    url: servers.map(({ url }) => url).join(','),
    folder,
    leader: async () => {
      const urls = ports.map(({ client }, index) => `nats://${at(index).managed}:${client}`);
      const connection = new Connection(settingsOf(urls), () => undefined);
      await connection.ready;
      const stream = new Stream(connection, QUOTA_STREAM, null);
      const asked = `$JS.API.STREAM.INFO.${QUOTA_STREAM}`;
      let name = '';
      await until('there was a leader', async () => {
        const { cluster } = (await stream.ask(asked, '', 500).catch(() => ({}))) as {
          cluster?: { leader?: string };
        };
        name = cluster?.leader ?? '';
        return name !== '';
      });
      await connection.close();
      return servers[Number(name.slice(1))]!;
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of a connection to servers that ask for nothing. */
export function settingsOf(urls: readonly string[]): NatsSettings {
  return { nats_url: [...urls], nats_creds: '', nats_ca: '', nats_cert: '', nats_key: '' };
}

/** Where one of the servers listens and stores: `HOST:PORT`, and a folder. */
export interface Place {
  readonly at: number;
  readonly listen: string;
  readonly route: string;
  readonly routes: readonly string[];
  readonly store: string;
}

interface Shared {
  readonly ports: readonly { readonly client: number; readonly route: number }[];
  readonly routes: readonly string[];
  readonly extra: string | ((place: Place) => string) | undefined;
  readonly host: Host;
}

class Server implements NatsServer {
  readonly url: string;
  readonly #config: string;
  readonly #command: readonly string[];
  #child: Child | null = null;

  constructor(folder: string, at: number, { ports, routes, extra, host }: Shared) {
    const { address } = host;
    this.#command = host.command;
    const { client = 0, route = 0 } = ports[at] ?? {};
    const place: Place = {
      at,
      listen: `${host === HERE ? address : '0.0.0.0'}:${client}`,
      route: `${address}:${route}`,
      routes: ports.length === 1 ? [] : routes,
      store: join(folder, `store${at}`),
    };
    this.url = `nats://${address}:${client}`;
    this.#config = join(folder, `n${at}.conf`);
    writeFileSync(this.#config, typeof extra === 'function' ? extra(place) : plainConfig(place, extra));
  }

  readonly pid = (): number => this.#child?.pid ?? 0;

  async start(): Promise<void> {
    this.#child = startProgram([...this.#command, BINARY, '-c', this.#config]);
    await this.#child.says('Server is ready');
  }

  async kill(): Promise<void> {
    this.signal('SIGCONT');
    this.signal('SIGKILL');
    await this.#child?.ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }
}

function plainConfig({ at, listen, route, routes, store }: Place, extra: string | undefined): string {
  return [
    `server_name: n${at}`,
    `listen: "${listen}"`,
    routes.length === 0
      ? ''
      : `cluster { name: test, listen: "${route}", routes: ${JSON.stringify(routes)} }`,
    extra ?? `jetstream { store_dir: ${JSON.stringify(store)} }`,
  ].join('\n');
}
