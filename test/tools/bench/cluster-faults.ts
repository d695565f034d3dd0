import { join } from 'node:path';
import { untilWhole } from '../../../src/tools/cluster/cluster.ts';
import { HttpClient, type Ask } from '../../../src/tools/load/http-client.ts';
import { aimed, info, type Finding, type Row } from '../measure/report.ts';
import { closedLoop, inTurn, latency, openLoop, verdictOf, type Sample } from '../measure/load.ts';
import { countBy, countsText, percentile } from '../measure/stats.ts';
import { short, spreadOf, spreadText } from './cost.ts';
import { ingest, writeLines } from './ingest.ts';
import {
  Publisher,
  startCluster,
  withNatsServer,
  type StartedCluster,
  type StartedNode,
} from './started-cluster.ts';
import { ONE } from './queries.ts';
import { searchesOf, type Bench, type Searches } from './setting.ts';

/** Searches a second, whether they are answered or not: a third of what this front and two nodes answer one by one. */
const PER_SECOND = 100;
const CONNECTIONS = 64;
/** Two seconds and a half pass until a node that is silent counts as gone. */
const WINDOW_ROUNDS = 2;
const WINDOW_MS_MIN = 200;
const FAULT_MS_MAX = 60_000;
const WARM_ROUNDS = 4;
const MORE = 1_000;
const P99_AIM = 3;
const POLL_MS = 50;

/** One round of a fault: what went wrong, and the 99th percentiles before it and while it lasts, milliseconds. */
interface Seen {
  readonly asked: number;
  /** Answers that were none, or lacked a base, by what they were. */
  readonly failed: readonly string[];
  readonly normalMs: number;
  readonly faultMs: number;
  readonly longestMs: number;
  /** How long the fault lasted, where it ends by itself. */
  readonly lastedMs?: number;
}

/** A fault of a node. `begin` resolves when it is over, where it ends by itself. */
interface Fault {
  readonly name: string;
  readonly prepare?: (round: number) => Promise<void>;
  readonly begin: () => Promise<void> | null;
  readonly mend: () => Promise<void>;
}

/** What clients see of two nodes while one is killed, stands still, or takes a new file. */
export async function measureClusterFaults(bench: Bench): Promise<Finding> {
  return withNatsServer('faults of a node', (binary) => measureFaults(bench, binary));
}

async function measureFaults(bench: Bench, binary: string): Promise<Finding> {
  using searches = await searchesOf(bench);
  const wish = { ...searches, environment: {} };
  await using cluster = await startCluster(binary, wish, { nodes: 2, threads: '1' });
  await using publisher = await Publisher.start(cluster.folder, wish.dataDir, ONE, cluster.broker.url);
  using client = new HttpClient(cluster.front.url, CONNECTIONS);
  const [first, second] = cluster.nodes;
  if (first === undefined || second === undefined) throw new Error('two nodes are needed');
  const load = new RoundLoad(client, searches.asks, bench.seconds * 1_000);
  await publish(cluster, publisher);
  await load.warm();
  const rows: Row[] = [];
  const details: Record<string, unknown> = {};
  for (const fault of faultsOf(cluster, { first, second }, publisher, load)) {
    const seen: Seen[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      bench.say(`cluster-faults: a node ${fault.name}, round ${round + 1}`);
      await fault.prepare?.(round);
      seen.push(await load.during(fault));
      await fault.mend();
    }
    details[fault.name] = seen;
    rows.push(...rowsOf(`${PER_SECOND} searches a second, a node ${fault.name}`, seen));
  }
  return { rows, details };
}

/** The one that ends a process is the last: what is started anew is slow for a while. */
function faultsOf(
  cluster: StartedCluster,
  { first, second }: Readonly<Record<'first' | 'second', StartedNode>>,
  publisher: Publisher,
  load: RoundLoad,
): readonly Fault[] {
  return [
    {
      name: 'stands still',
      begin: () => {
        process.kill(first.child.pid, 'SIGSTOP');
        return null;
      },
      mend: async () => {
        process.kill(first.child.pid, 'SIGCONT');
        await untilWhole(cluster.front.adminUrl, 2);
      },
    },
    {
      name: 'takes a new file',
      prepare: (round) => loadMore(cluster, publisher, round),
      begin: () => publish(cluster, publisher),
      mend: () => Promise.resolve(),
    },
    {
      name: 'is killed',
      begin: () => {
        process.kill(second.child.pid, 'SIGKILL');
        return null;
      },
      mend: async () => {
        await second.restart();
        await untilWhole(cluster.front.adminUrl, 2);
        await load.warm();
      },
    },
  ];
}

/** Searches at a fixed pace, first as ever and then during a fault. */
class RoundLoad {
  readonly #client: HttpClient;
  readonly #next: () => Ask;
  readonly #roundMs: number;

  constructor(client: HttpClient, asks: Searches['asks'], roundMs: number) {
    this.#client = client;
    this.#next = inTurn(asks);
    this.#roundMs = roundMs;
  }

  async warm(): Promise<void> {
    await this.#run(WARM_ROUNDS * this.#roundMs);
  }

  async during(fault: Fault): Promise<Seen> {
    const windowMs = Math.max(WINDOW_MS_MIN, WINDOW_ROUNDS * this.#roundMs);
    let faultAt = Number.POSITIVE_INFINITY;
    let overAt: number | null = null;
    let isLasting = true;
    const begin = async () => {
      await Bun.sleep(windowMs);
      // However slow the machine is, a search is answered before the fault.
      const answered = await closedLoop(this.#client, 1, this.#next, () => true);
      faultAt = performance.now();
      const ends = fault.begin();
      try {
        await ends;
      } finally {
        isLasting = false;
      }
      if (ends !== null) overAt = performance.now();
      return answered;
    };
    const isOver = () => !isLasting && performance.now() > faultAt + windowMs;
    const samples = await Promise.all([this.#run(windowMs + 2 * FAULT_MS_MAX, isOver), begin()]);
    return seenOf(samples.flat(), faultAt, overAt);
  }

  #run(ms: number, isOver?: () => boolean): Promise<Sample[]> {
    const paced = { perSecond: PER_SECOND, seconds: ms / 1_000, next: this.#next };
    return openLoop(this.#client, isOver === undefined ? paced : { ...paced, isOver });
  }
}

/** Requests that ran when the fault came count to it. */
function seenOf(samples: readonly Sample[], faultAt: number, overAt: number | null): Seen {
  const during = samples.filter(({ endedAt }) => endedAt >= faultAt).map(latency);
  const before = samples.filter(({ endedAt }) => endedAt < faultAt).map(latency);
  const failed = samples.map(verdictOf).filter((verdict) => verdict !== 'complete');
  return {
    asked: samples.length,
    failed,
    normalMs: percentile(before, 0.99),
    faultMs: percentile(during, 0.99),
    longestMs: Math.max(...during),
    ...(overAt === null ? {} : { lastedMs: overAt - faultAt }),
  };
}

async function loadMore(cluster: StartedCluster, publisher: Publisher, round: number): Promise<void> {
  const file = join(cluster.folder, 'more.jsonl');
  // Far from those that are there.
  await ingest(publisher.dataDir, writeLines(file, 10_000_000 + round * MORE, MORE));
}

/** Resolves when both nodes serve the new file. In a cluster the command runs on another machine: here it gives way. */
async function publish(cluster: StartedCluster, publisher: Publisher): Promise<void> {
  const generation = await publisher.publish(['nice', '-n', '19']);
  await until(async () => {
    const nodes = await nodesOf(cluster);
    return nodes.every(({ bases }) => (bases[ONE]?.generation ?? 0) >= generation);
  });
}

interface ListedNode {
  readonly bases: Readonly<Record<string, { readonly generation: number | null }>>;
}

async function nodesOf({ front }: StartedCluster): Promise<readonly ListedNode[]> {
  // As `console-nodes.ts` lists them.
  return ((await (await fetch(`${front.adminUrl}/nodes`)).json()) as { nodes: readonly ListedNode[] }).nodes;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + FAULT_MS_MAX;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('the nodes are not as they should be');
    await Bun.sleep(POLL_MS);
  }
}

function rowsOf(name: string, seen: readonly Seen[]): Row[] {
  const asked = seen.reduce((sum, one) => sum + one.asked, 0);
  const failed = countBy(
    seen.flatMap((one) => one.failed),
    (verdict) => verdict,
  );
  const count = seen.reduce((sum, one) => sum + one.failed.length, 0);
  const how = count === 0 ? '' : ` (${countsText(failed)})`;
  const ratio = spreadOf(seen.map(({ normalMs, faultMs }) => faultMs / normalMs));
  const ms = (figure: (one: Seen) => number) => short(spreadOf(seen.map(figure)).median);
  const lasted = seen.flatMap(({ lastedMs }) => (lastedMs === undefined ? [] : lastedMs / 1_000));
  const p99 = `${ms((one) => one.faultMs)} ms to ${ms((one) => one.normalMs)} ms`;
  const reached = `${spreadText(ratio)}: ${p99}, longest ${ms((one) => one.longestMs)} ms`;
  return [
    {
      measure: `${name}: failed or incomplete`,
      aim: '0',
      reached: `${count} of ${asked.toLocaleString('en')}${how}`,
      ok: count === 0,
    },
    aimed('  p99 to normal', ratio.median, P99_AIM, '', reached),
    ...(lasted.length === 0 ? [] : [info('  until both nodes have it', spreadText(spreadOf(lasted), ' s'))]),
  ];
}
