import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { startBaseNode, type BaseNode, type CreateBase } from '../../src/cluster/base-node.ts';
import { serveFiles } from '../../src/cluster/data/file-server.ts';
import { publishedFolder } from '../../src/cluster/data/published.ts';
import { NO_CERTIFICATES } from '../../src/cluster/data/source.ts';
import { joinCluster } from '../../src/cluster/front.ts';
import { readConfig } from '../../src/config/config.ts';
import { createBases } from '../../src/index/write/base-file.ts';
import { createBase, startSystem, type System } from '../../src/system.ts';
import { adminApi } from '../admin/support-api.ts';
import { run, type Finished } from '../support/run.ts';
import { AMPLE_WINDOWS, temporaryFolder, type Body } from '../support/service.ts';
import { until } from '../tools/faults/support-poll.ts';
import { startNats, type NatsServers } from './nats-server.ts';

/** Real nats-servers, fronts and nodes of base `stj` in this process, and a publisher whose commands are processes. */
export class WholeCluster {
  readonly nats: NatsServers;
  readonly folder: string;
  readonly fronts: System[] = [];
  readonly nodes: BaseNode[] = [];
  /** Lines of the log of all. */
  readonly said: string[] = [];
  readonly #log = pino({ base: null }, { write: (line: string) => this.said.push(line) });
  readonly #files: Bun.Server<undefined>;

  private constructor(nats: NatsServers, folder: string) {
    this.nats = nats;
    this.folder = folder;
    createBases(this.publisherDir);
    this.#files = serveFiles(
      publishedFolder(this.publisherDir),
      { host: '127.0.0.1', port: 0 },
      NO_CERTIFICATES,
    );
  }

  /** With fronts f1 and f2, and nodes n1 and n2. */
  static async start(): Promise<WholeCluster> {
    const cluster = new WholeCluster(await startNats(), temporaryFolder());
    cluster.fronts.push(...(await Promise.all(['f1', 'f2'].map((name) => cluster.startFront(name)))));
    cluster.nodes.push(...(await Promise.all(['n1', 'n2'].map((name) => cluster.startNode(name)))));
    return cluster;
  }

  async stop(): Promise<void> {
    await Promise.all(this.fronts.map((front) => front.stop()));
    await Promise.all(this.nodes.map((node) => node.stop()));
    await this.#files.stop(true);
    await this.nats.stop();
  }

  get publisherDir(): string {
    return join(this.folder, 'publisher');
  }

  front(at: number): System {
    const front = this.fronts[at % this.fronts.length];
    if (front === undefined) throw new Error('there is no front');
    return front;
  }

  /** Its data folder has its name, so that another one of the same name finds what the first left. */
  async startFront(name: string): Promise<System> {
    const config = readConfig(this.#environment(name, 'front'));
    return startSystem(config, this.#log, { shared: await joinCluster(config, this.#log) });
  }

  startNode(name: string, create: CreateBase = createBase): Promise<BaseNode> {
    const config = readConfig({ ...this.#environment(name, 'base'), BASES_SERVED: 'stj' });
    return startBaseNode(config, this.#log, create);
  }

  keys(...args: string[]): Promise<Finished> {
    return run('keys/command.ts', args, { NATS_URL: this.nats.url, DATA_DIR: join(this.folder, 'none') });
  }

  /** @throws where it is not issued. */
  async issueKey(name: string, ...more: string[]): Promise<string> {
    const { out, err, exitCode } = await this.keys('issue', name, ...more);
    if (exitCode !== 0 || err !== '') throw new Error(err);
    return out.trim().split('\n').at(-1) ?? '';
  }

  /** @returns what the command says, and the generation. @throws where it is not published. */
  async publish() {
    const { out, err, exitCode } = await run('cluster/data/publish-command.ts', ['stj'], {
      NATS_URL: this.nats.url,
      DATA_DIR: this.publisherDir,
      FILES_URL: `http://127.0.0.1:${this.#files.port}`,
    });
    if (exitCode !== 0 || err !== '') throw new Error(err);
    return { out, generation: Number(/generation (\d+)/u.exec(out)?.[1]) };
  }

  /** Publishes, and waits until both nodes serve it. */
  async publishEverywhere(): Promise<void> {
    const { generation } = await this.publish();
    await until('both nodes have it', () => this.isEverywhere(generation));
  }

  /** Whether both nodes have data of at least this generation. */
  async isEverywhere(generation: number): Promise<boolean> {
    const seen = await this.generations();
    return seen.length === 2 && seen.every((one) => one >= generation);
  }

  /** Of a front's public routes. */
  get(front: System, path: string, key: string): Promise<Response> {
    return fetch(`${front.url}/v1/jurisprudencia/${path}`, { headers: { authorization: `Bearer ${key}` } });
  }

  async busca(front: System, key: string, parameters: Record<string, string>): Promise<Body> {
    const response = await this.get(front, `busca?${new URLSearchParams(parameters).toString()}`, key);
    return (await response.json()) as Body;
  }

  /** Of the generation of `stj` that each live node has, as the first front sees it. */
  async generations(): Promise<number[]> {
    const { body } = await adminApi(this.front(0), '/')('GET', 'nodes');
    const nodes = body.nodes as { state: string; bases: Record<string, { generation: number | null }> }[];
    return nodes.filter(({ state }) => state === 'live').map(({ bases }) => bases['stj']?.generation ?? 0);
  }

  #environment(name: string, role: string) {
    const dataDir = join(this.folder, name);
    mkdirSync(dataDir, { recursive: true });
    const ports = { PORT: '0', ADMIN_PORT: '0' };
    const places = { NATS_URL: this.nats.url, NODE_NAME: name, DATA_DIR: dataDir };
    return { ...ports, ...AMPLE_WINDOWS, ROLE: role, ...places };
  }
}
