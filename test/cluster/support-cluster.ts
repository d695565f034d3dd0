import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BASES } from '../../src/contract/vocabulary.ts';
import { basesFolder } from '../../src/index/format/schema.ts';
import { BUSCA } from '../http/checks.ts';
import { temporaryFolder, type Body } from '../support/service.ts';
import { startMain, type ChildService } from '../support/run.ts';
import { COMUM } from '../tools/faults/support-corpus.ts';
import { until } from '../tools/faults/support-poll.ts';
import { faultFolder, PATIENT, type Folder } from '../tools/faults/support-service.ts';
import type { Lan } from './lan.ts';
import { startNats, type NatsServers } from './nats-server.ts';

/** A front or a node, as a process. */
export interface Member {
  readonly name: string;
  readonly dataDir: string;
  child: ChildService;
  /** Starts it again, after it has ended. */
  start(): Promise<void>;
}

/** A cluster of real processes: each front and node is `bun src/main.ts`. */
export interface Processes {
  readonly nats: NatsServers;
  readonly fronts: readonly Member[];
  readonly nodes: readonly Member[];
  /** The content of the bases, the same on every node. */
  readonly data: Folder;
  /** Waits until every front knows all nodes, and their bases answer. */
  untilWhole(): Promise<void>;
  search(front: Member, parameters?: Readonly<Record<string, string>>): Promise<Found>;
  stop(): Promise<void>;
}

export interface Found {
  readonly status: number;
  readonly ms: number;
  readonly body: Body;
}

export interface Shape {
  readonly servers?: 1 | 3;
  readonly environment?: Readonly<Record<string, string>>;
  /** Further configuration of the servers. */
  readonly natsExtra?: string;
  /** Each process on the host of its name: s1 to s3, f1, n1 and so on. Else all on this one. */
  readonly lan?: Lan;
}

/** Fronts f1 and f2, nodes n1 and n2. */
export async function startProcesses({
  servers = 1,
  environment = {},
  natsExtra = '',
  lan,
}: Shape = {}): Promise<Processes> {
  const hosts = lan === undefined ? [] : Array.from({ length: servers }, (_, at) => lan.host(`s${at + 1}`));
  const nats = await startNats(servers, natsExtra, hosts);
  const data = faultFolder();
  const folder = temporaryFolder();
  const member = (role: 'front' | 'base', name: string): Member => {
    const dataDir = join(folder, name);
    mkdirSync(dataDir);
    if (role === 'base') cpSync(basesFolder(data.dataDir), basesFolder(dataDir), { recursive: true });
    else cpSync(join(data.dataDir, 'keys'), join(dataDir, 'keys'), { recursive: true });
    const made: Member = {
      name,
      dataDir,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given by start
      child: null as unknown as ChildService,
      start: async () => {
        const host = lan?.host(name);
        const before = host && `exec ${host.command.join(' ')} "$0" "$@"`;
        const own =
          host !== undefined && role === 'front'
            ? { HOST: host.managed, ADMIN_HOST: host.managed, ADMIN_TOKEN }
            : {};
        const settings = { ...PATIENT, ...environment, ...own };
        const identity = { ROLE: role, NATS_URL: nats.url, NODE_NAME: name };
        made.child = await startMain(dataDir, { ...settings, ...identity }, before);
      },
    };
    return made;
  };
  const fronts = ['f1', 'f2'].map((name) => member('front', name));
  const nodes = ['n1', 'n2'].map((name) => member('base', name));
  const all = [...fronts, ...nodes];
  await Promise.all(all.map((one) => one.start()));
  const cluster: Processes = {
    nats,
    fronts,
    nodes,
    data,
    untilWhole: async () => {
      for (const front of fronts)
        await until(`${front.name} knows both nodes`, async () => (await liveOf(front)) === nodes.length);
    },
    search: async (front, parameters = { q: COMUM, limite: '12' }) => {
      const startedAt = performance.now();
      const response = await fetch(
        `${front.child.url}${BUSCA}?${new URLSearchParams(parameters).toString()}`,
        {
          headers: { authorization: `Bearer ${data.key}` },
        },
      );
      const body = (await response.json()) as Body;
      return { status: response.status, ms: performance.now() - startedAt, body };
    },
    stop: async () => {
      for (const { child } of all) {
        child.kill('SIGCONT');
        child.kill('SIGKILL');
        await child.ended;
      }
      await nats.stop();
    },
  };
  await cluster.untilWhole();
  // Where JetStream chooses its leaders first, the key comes a little later.
  for (const front of fronts)
    await until(`${front.name} knows the key`, async () => (await cluster.search(front)).status === 200);
  return cluster;
}

const ADMIN_TOKEN = 'token-of-these-tests';

/** Of a member's admin listener. */
export function askAdmin({ child }: Member, path: string): Promise<Response> {
  return fetch(child.adminUrl + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
}

/** The nodes as a front sees them. */
async function nodesAt(front: Member) {
  const { nodes } = (await (await askAdmin(front, '/nodes')).json()) as {
    nodes: { name: string; state: string; waiting: number; bases: Record<string, { state: string }> }[];
  };
  return nodes;
}

/** A node as a front sees it. `waiting`: requests of the front that it has not answered. */
export async function nodeAt(front: Member, node: string) {
  return (await nodesAt(front)).find(({ name }) => name === node);
}

/** How many nodes with all bases a front knows. */
async function liveOf(front: Member): Promise<number> {
  const nodes = await nodesAt(front);
  return nodes.filter(
    ({ state, bases }) => state === 'live' && BASES.every((base) => bases[base]?.state === 'up'),
  ).length;
}

export async function untilState(front: Member, node: string, wanted: string): Promise<void> {
  const isThere = async () => (await nodeAt(front, node))?.state === wanted;
  await until(`${node} is ${wanted} at ${front.name}`, isThere);
}

const QUERIES = [
  { q: COMUM, limite: '12' },
  { q: COMUM, limite: '50', ordem: 'recentes' },
  { q: `${COMUM} OR p31`, limite: '20' },
  { q: 'p62 OR p93', limite: '6' },
];

/** Of each client between two searches: most of the time some are running, and what starts meanwhile has processors. */
const PAUSE_MS = 10;

/** Searches at all fronts, one after the other by so many at once, each held to what the cluster answers at rest. */
export class Load {
  readonly #cluster: Pick<Processes, 'fronts' | 'search'>;
  readonly #expected = new Map<string, string>();
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();
  /** What was wrong with an answer. */
  readonly problems = new Set<string>();
  readonly durations: number[] = [];

  constructor(cluster: Pick<Processes, 'fronts' | 'search'>) {
    this.#cluster = cluster;
  }

  /** Asks each search once, then begins. */
  async start(inFlight = 4): Promise<void> {
    for (const query of QUERIES) {
      const { body } = await this.#cluster.search(this.#front(0), query);
      if (body.bases_sem_resposta.length > 0) throw new Error('not at rest');
      this.#expected.set(JSON.stringify(query), idsOf(body));
    }
    this.#running = Promise.all(Array.from({ length: inFlight }, (_, at) => this.#repeat(at)));
  }

  /** Waits for so many answers more. */
  async more(count: number): Promise<void> {
    const wanted = this.durations.length + count;
    await until('there were more answers', () => this.durations.length >= wanted);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  get longestMs(): number {
    return Math.max(...this.durations);
  }

  #front(at: number): Member {
    const { fronts } = this.#cluster;
    const front = fronts[at % fronts.length];
    if (front === undefined) throw new Error('no front');
    return front;
  }

  async #repeat(first: number): Promise<void> {
    for (let at = first; !this.#isOver; at += 1) {
      await Bun.sleep(PAUSE_MS);
      const query: Readonly<Record<string, string>> = QUERIES[at % QUERIES.length] ?? { q: COMUM };
      try {
        const { status, body, ms } = await this.#cluster.search(this.#front(at), query);
        this.durations.push(ms);
        if (status !== 200) this.problems.add(`${status} ${JSON.stringify(body)}`);
        else if (body.bases_sem_resposta.length > 0)
          this.problems.add(`without ${JSON.stringify(body.bases_sem_resposta)} after ${ms} ms`);
        else if (
          body.por_base.some(({ ordem_aplicada }) => ordem_aplicada !== (query['ordem'] ?? 'relevancia'))
        )
          this.problems.add(`without its order after ${ms} ms`);
        else if (idsOf(body) !== this.#expected.get(JSON.stringify(query)))
          this.problems.add(`${JSON.stringify(query)}: other decisions`);
      } catch (error) {
        this.problems.add(String(error));
        this.durations.push(Number.POSITIVE_INFINITY);
      }
    }
  }
}

function idsOf({ itens }: Body): string {
  return itens.map(({ id }) => id).join(' ');
}
