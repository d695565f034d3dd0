import { readFileSync } from 'node:fs';
import type { Ask } from '../../../src/tools/load/http-client.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { ProcessProbe } from '../measure/process.ts';
import { startReady, AS_SHIPPED } from '../measure/service.ts';
import { atMost, interleaved, ratioOf, short, spreadOf, spreadText, type Cost } from './cost.ts';
import { runLoad, type Load } from './generator.ts';
import { WARM_ROUNDS, searchesOf, type Bench, type Searches } from './setting.ts';
import { startCluster, withNatsServer } from './started-cluster.ts';

type Environment = Readonly<Record<string, string>>;

interface Watched extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  /** Processes whose CPU and memory are told apart. */
  readonly parts: Readonly<Record<string, readonly ProcessProbe[]>>;
}

/** What is compared: one process, and several that do the same. */
interface Comparison {
  readonly name: string;
  /** The first is what the others are compared with. They are started from the last to the first. */
  readonly starts: readonly ((searches: Searches, environment: Environment) => Promise<Watched>)[];
  /** What is asked of services with an environment, by name. */
  readonly modes: (searches: Searches) => readonly {
    readonly environment: Environment;
    readonly asks: Readonly<Record<string, readonly Ask[]>>;
  }[];
  /** Requests in flight by name; `at` is the place of the side. */
  readonly loads: Readonly<Record<string, (at: number) => number>>;
  /** What several may take more of the CPU than one. */
  readonly cpuAim: number;
  readonly hasAim: (mode: string, load: string) => boolean;
}

interface SeveralCost extends Cost {
  readonly load: Load;
  readonly parts: Readonly<Record<string, number>>;
}

const NODES = 2;

/** Searches of six bases by several numbers of processes, and what a charge takes that the parent must grant. */
export function measureProcesses(bench: Bench): Promise<Finding> {
  return compare(bench, {
    name: 'processes',
    starts: bench.processes.map(
      (count) => (searches, environment) => startProcesses(count, searches, environment),
    ),
    modes: ({ asks, key }) => [
      {
        environment: {},
        asks: { searches: asks, 'charges alone': [{ path: '/v1/jurisprudencia/nenhuma:0', key }] },
      },
      { environment: AS_SHIPPED, asks: { 'searches asked before': asks } },
    ],
    loads: {
      '8 in flight': () => 8,
      '64 in flight': () => 64,
      // As it grows where each process has a core.
      '8 in flight a process': (at) => 8 * (bench.processes[at] ?? 1),
    },
    cpuAim: 1.1,
    hasAim: (mode) => mode.startsWith('searches'),
  });
}

/** Searches of six bases by a front and two nodes, next to one process on the same files. */
export function measureCluster(bench: Bench): Promise<Finding> {
  return withNatsServer('cluster', (binary) =>
    compare(bench, {
      name: 'cluster',
      // The cluster is started first, while nobody has the files open that it copies.
      starts: [
        (searches, environment) => startProcesses(1, searches, environment),
        (searches, environment) => startWatchedCluster(binary, searches, environment),
      ],
      modes: ({ asks }) => [
        { environment: {}, asks: { searches: asks } },
        { environment: AS_SHIPPED, asks: { 'searches asked before': asks } },
      ],
      loads: { '1 in flight': () => 1, '8 in flight': () => 8, '64 in flight': () => 64 },
      cpuAim: 2,
      hasAim: (_, load) => load.startsWith('8 '),
    }),
  );
}

/** One process has as many threads as two of one each, or two nodes. */
async function startProcesses(
  count: number,
  { dataDir, key }: Searches,
  environment: Environment,
): Promise<Watched> {
  const service = await startReady(dataDir, key, 'de', {
    BASES_THREADS: count === 1 ? '2' : '1',
    ...environment,
    PROCESSES: String(count),
  });
  const { pid, probe } = service;
  if (count === 1) return { ...service, name: '1 process', parts: { process: [probe] } };
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const parts = { parent: [probe], children: children.map((child) => new ProcessProbe(Number(child))) };
  return { ...service, name: `${count} processes`, parts };
}

async function startWatchedCluster(
  binary: string,
  searches: Searches,
  environment: Environment,
): Promise<Watched> {
  const cluster = await startCluster(binary, { ...searches, environment }, { nodes: NODES, threads: '1' });
  const { front, nodes, broker } = cluster;
  const parts = {
    front: [front.probe],
    nodes: nodes.map(({ child }) => child.probe),
    broker: [new ProcessProbe(broker.pid)],
  };
  return { ...cluster, name: 'a front and two nodes', url: front.url, parts };
}

async function compare(bench: Bench, comparison: Comparison): Promise<Finding> {
  const { name, starts, modes, loads } = comparison;
  const { seconds, generator, rounds } = bench;
  using searches = await searchesOf(bench);
  const rows: Row[] = [];
  const details: Record<string, unknown> = { decisions: searches.decisions, generator };
  for (const { environment, asks: byMode } of modes(searches)) {
    await using ends = new AsyncDisposableStack();
    const sides: Watched[] = [];
    for (const start of starts.toReversed()) sides.unshift(ends.use(await start(searches, environment)));
    for (const [mode, asks] of Object.entries(byMode)) {
      // Each process compiles the same code for itself, by its part of the load.
      for (const [at, { url }] of sides.entries())
        await runLoad({
          url,
          asks,
          connections: 32,
          generator,
          seconds: WARM_ROUNDS * seconds * (at + 1),
        });
      for (const [load, inFlight] of Object.entries(loads)) {
        bench.say(`${name}: ${mode}, ${load}`);
        const run = (side: Watched, at: number) => () =>
          cost(side, { asks, connections: inFlight(at), seconds, generator });
        const costs = await interleaved(
          rounds,
          sides.map((side, at) => ({ name: side.name, run: run(side, at) })),
        );
        details[`${mode}, ${load}`] = costs;
        const aim = comparison.hasAim(mode, load) ? comparison.cpuAim : null;
        rows.push(...rowsOf(`${mode}, ${load}`, sides, costs, aim));
      }
    }
    const mode = Object.keys(byMode)[0] ?? '';
    rows.push(...sides.map((side) => info(`${mode}: memory of ${side.name}, MiB`, memoryText(side))));
  }
  return { rows, details };
}

type LoadOf = Omit<Parameters<typeof runLoad>[0], 'url'>;

async function cost({ url, parts }: Watched, load: LoadOf): Promise<SeveralCost> {
  const cpu = () =>
    Object.values(parts).map((probes) => probes.reduce((sum, probe) => sum + probe.fineCpuMs(), 0));
  const before = cpu();
  const brought = await runLoad({ ...load, url });
  const took = cpu().map((ms, at) => (ms - (before[at] ?? 0)) / brought.requests);
  return {
    load: brought,
    cpuMs: took.reduce((sum, ms) => sum + ms, 0),
    parts: Object.fromEntries(Object.keys(parts).map((part, at) => [part, took[at] ?? 0])),
    wallMs: (brought.seconds * 1_000) / brought.requests,
  };
}

function rowsOf(
  name: string,
  sides: readonly Watched[],
  costs: readonly (readonly SeveralCost[])[],
  aim: number | null,
): Row[] {
  const [alone = []] = costs;
  return sides.flatMap((side, at) => {
    const of = costs[at] ?? [];
    const median = (figure: (one: SeveralCost) => number) => short(spreadOf(of.map(figure)).median);
    const parts = Object.keys(side.parts).map((part) => `${part} ${median((one) => one.parts[part] ?? 0)}`);
    const figures = [
      `CPU ${median(({ cpuMs }) => cpuMs)} ms (${parts.join(', ')})`,
      `${median(({ load }) => load.requests / load.seconds)}/s`,
      `p50 ${median(({ load }) => load.p50Ms)} ms`,
      `p99 ${median(({ load }) => load.p99Ms)} ms`,
    ];
    const first = info(`${name}: ${side.name}`, figures.join(', '));
    if (at === 0) return [first];
    const [measure, ratio] = ['  CPU to one process', ratioOf(of, alone)];
    return [first, aim === null ? info(measure, spreadText(ratio)) : atMost(measure, ratio, aim)];
  });
}

function memoryText({ parts }: Watched): string {
  const texts = Object.entries(parts).map(
    ([part, probes]) => `${part} ${probes.map((probe) => short(probe.holdings().anonMiB)).join(' ')}`,
  );
  return texts.join(', ');
}
