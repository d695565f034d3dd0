import { info, type Row } from '../measure/finding.ts';
import { ProcessProbe } from '../measure/process.ts';
import { startReady } from '../measure/ready.ts';
import { AS_SHIPPED } from '../measure/service.ts';
import { measureByMode, type ModeWish } from './by-mode.ts';
import { interleaved, ratioOf, short, spreadOf, spreadText, type Cost } from './cost.ts';
import { runLoad, type Load } from './generator.ts';
import { startCluster, withNatsServer } from './started-cluster.ts';
import { WARM_ROUNDS, type Bench, type BenchFinding } from './setting.ts';

const IN_FLIGHT = [1, 8, 64];
const NODES = 2;
/** The threads of both nodes together are those of the single process. */
const THREADS = { single: '2', node: '1' };
/** What a cluster may take more of the CPU than one process, at this many in flight. */
const CPU_AIM = { ratio: 2, inFlight: 8 };

/** Parts of what answers, whose CPU is told apart. */
const PARTS = ['front', 'nodes', 'broker'] as const;
type Part = (typeof PARTS)[number];

interface ClusterCost extends Cost {
  readonly load: Load;
  readonly parts: Readonly<Record<Part, number>>;
}

interface Watched {
  readonly url: string;
  readonly probes: Readonly<Record<Part, readonly ProcessProbe[]>>;
  stop(): Promise<void>;
}

/** Searches of six bases by a front and two nodes, beside one process on the same files. */
export async function measureCluster(bench: Bench): Promise<BenchFinding> {
  return withNatsServer('cluster', (binary) =>
    measureByMode(
      bench,
      (asks) => [
        { mode: 'searches', environment: {}, asks },
        { mode: 'searches asked before', environment: AS_SHIPPED, asks },
      ],
      (wish) => measureMode(bench, binary, wish),
    ),
  );
}

async function measureMode(bench: Bench, binary: string, wish: ModeWish): Promise<BenchFinding> {
  const { seconds, generator, rounds } = bench;
  const rows: Row[] = [];
  const details: Record<string, unknown> = {};
  const sides: Watched[] = [];
  try {
    // First, while nobody has the files open that it copies.
    const started = await startWatched(binary, wish);
    sides.push(started);
    sides.unshift(await startSingle(wish));
    for (const { url } of sides)
      await runLoad({
        url,
        asks: wish.asks,
        connections: 32,
        generator,
        seconds: WARM_ROUNDS * seconds * NODES,
      });
    for (const inFlight of IN_FLIGHT) {
      bench.say(`cluster: ${wish.mode}, ${inFlight} in flight`);
      const load = { asks: wish.asks, connections: inFlight, seconds, generator };
      const [single = [], cluster = []] = await interleaved(
        rounds,
        sides.map((side, at) => ({ name: String(at), run: () => cost(side, load) })),
      );
      details[`${inFlight} in flight`] = { single, cluster };
      rows.push(...rowsOf(`${wish.mode}, ${inFlight} in flight`, inFlight, single, cluster));
    }
  } finally {
    for (const side of sides) await side.stop();
  }
  return { rows, details };
}

async function startSingle({ dataDir, key, environment }: ModeWish): Promise<Watched> {
  const service = await startReady(dataDir, key, 'de', { BASES_THREADS: THREADS.single, ...environment });
  return {
    url: service.url,
    probes: { front: [service.probe], nodes: [], broker: [] },
    stop: () => service.stop(),
  };
}

async function startWatched(binary: string, wish: ModeWish): Promise<Watched> {
  const cluster = await startCluster(binary, wish, { nodes: NODES, threads: THREADS.node });
  return {
    url: cluster.front.url,
    probes: {
      front: [cluster.front.probe],
      nodes: cluster.nodes.map(({ child }) => child.probe),
      broker: [new ProcessProbe(cluster.broker.pid)],
    },
    stop: () => cluster.stop(),
  };
}

type LoadOf = Omit<Parameters<typeof runLoad>[0], 'url'>;

async function cost({ url, probes }: Watched, load: LoadOf): Promise<ClusterCost> {
  const cpu = (part: Part) => probes[part].reduce((sum, probe) => sum + probe.fineCpuMs(), 0);
  const before = PARTS.map(cpu);
  const brought = await runLoad({ ...load, url });
  const [front = 0, nodes = 0, broker = 0] = PARTS.map(
    (part, at) => (cpu(part) - (before[at] ?? 0)) / brought.requests,
  );
  return {
    load: brought,
    cpuMs: front + nodes + broker,
    parts: { front, nodes, broker },
    wallMs: (brought.seconds * 1_000) / brought.requests,
  };
}

function rowsOf(
  name: string,
  inFlight: number,
  single: readonly ClusterCost[],
  cluster: readonly ClusterCost[],
): Row[] {
  const figuresOf = (costs: readonly ClusterCost[]) => {
    const median = (figure: (one: ClusterCost) => number) => short(spreadOf(costs.map(figure)).median);
    const parts = PARTS.map((part) => `${part} ${median((one) => one.parts[part])}`).join(', ');
    const ofLoad = [
      `${median(({ load }) => load.requests / load.seconds)}/s`,
      `p50 ${median(({ load }) => load.p50Ms)} ms`,
      `p99 ${median(({ load }) => load.p99Ms)} ms`,
    ].join(', ');
    return { cpu: `CPU ${median(({ cpuMs }) => cpuMs)} ms`, parts, ofLoad };
  };
  const [alone, together] = [figuresOf(single), figuresOf(cluster)];
  const ratio = ratioOf(cluster, single);
  const isAim = inFlight === CPU_AIM.inFlight;
  return [
    info(`${name}: one process`, `${alone.cpu}, ${alone.ofLoad}`),
    info(`${name}: a front and two nodes`, `${together.cpu} (${together.parts}), ${together.ofLoad}`),
    {
      measure: '  CPU to one process',
      aim: isAim ? `<= ${CPU_AIM.ratio}` : '',
      reached: spreadText(ratio),
      ok: isAim ? ratio.median <= CPU_AIM.ratio : null,
    },
  ];
}
