import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasNeeded } from '../support/needed.ts';
import { ownPort } from '../support/own-port.ts';
import { startProgram, type Child } from '../support/run.ts';
import type { Host } from './lan.ts';

const NAMED = process.env['NATS_SERVER'] ?? '';
const BINARY = NAMED === '' ? (Bun.which('nats-server') ?? '') : NAMED;

const HERE = { command: [], address: '127.0.0.1' };

/** Whether there is a nats-server, in `NATS_SERVER` or in `PATH`. @throws in CI, where it must be there. */
export function hasNatsServer(): boolean {
  return hasNeeded('nats-server', BINARY !== '' && existsSync(BINARY));
}

/** Its path; empty if there is none. */
export function natsBinary(): string {
  return BINARY;
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
  stop(): Promise<void>;
}

/**
 * Starts real nats-servers in a temporary folder: several are one cluster.
 * @param hosts where each runs; else here. @param extra configuration in place of JetStream's, in the servers' syntax.
 */
export async function startNats(
  count: 1 | 3 = 1,
  hosts: readonly Pick<Host, 'command' | 'address'>[] = [],
  extra?: string,
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
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Shared {
  readonly ports: readonly { readonly client: number; readonly route: number }[];
  readonly routes: readonly string[];
  readonly extra: string | undefined;
  readonly host: Pick<Host, 'command' | 'address'>;
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
    this.url = `nats://${address}:${client}`;
    this.#config = join(folder, `n${at}.conf`);
    const cluster =
      ports.length === 1
        ? ''
        : `cluster { name: test, listen: "${address}:${route}", routes: ${JSON.stringify(routes)} }`;
    writeFileSync(
      this.#config,
      [
        `server_name: n${at}`,
        `listen: "${address}:${client}"`,
        cluster,
        extra ?? `jetstream { store_dir: ${JSON.stringify(join(folder, `store${at}`))} }`,
      ].join('\n'),
    );
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
