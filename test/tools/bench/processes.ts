import { readFileSync } from 'node:fs';
import { info, type Row } from '../measure/finding.ts';
import { ProcessProbe } from '../measure/process.ts';
import { startReady } from '../measure/ready.ts';
import { AS_SHIPPED, type ServiceChild } from '../measure/service.ts';
import { measureByMode, type ModeWish } from './by-mode.ts';
import { interleaved, ratioOf, short, spreadOf, spreadText, type Cost } from './cost.ts';
import { runLoad, type Load } from './generator.ts';
import { WARM_ROUNDS, type Bench, type BenchFinding } from './setting.ts';

const COUNTS = [1, 2, 4];
/** One process is given as many threads as two of one each. */
const THREADS = { 1: '2', 2: '1', 4: '1' } as Record<number, string>;
/** The same load for all, and one that grows with the processes, as it does where each has a core. */
const LOADS: readonly { readonly name: string; readonly of: (count: number) => number }[] = [
  { name: '8 in flight', of: () => 8 },
  { name: '64 in flight', of: () => 64 },
  { name: '8 in flight a process', of: (count) => 8 * count },
];
/** What several processes may take more of the CPU than one, at the same load. */
const CPU_AIM = 1.1;

interface ProcessesCost extends Cost {
  readonly load: Load;
  /** Of all that, the parent's. */
  readonly parentMs: number;
}

/** A service, its processes watched one by one; the first is the parent, or all there is. */
interface Watched {
  readonly count: number;
  readonly service: ServiceChild;
  readonly probes: readonly ProcessProbe[];
}

/** Searches of six bases by one, two and four processes, and what a charge takes that the parent must grant. */
export function measureProcesses(bench: Bench): Promise<BenchFinding> {
  return measureByMode(
    bench,
    (asks, key) => [
      { mode: 'searches', environment: {}, asks },
      { mode: 'searches asked before', environment: AS_SHIPPED, asks },
      { mode: 'charges alone', environment: {}, asks: [{ path: '/v1/jurisprudencia/nenhuma:0', key }] },
    ],
    (wish) => measureMode(bench, wish),
  );
}

async function measureMode(bench: Bench, wish: ModeWish): Promise<BenchFinding> {
  const { seconds, generator, rounds } = bench;
  const rows: Row[] = [];
  const details: Record<string, unknown> = {};
  const all: Watched[] = [];
  try {
    for (const count of COUNTS) all.push(await start(count, wish));
    for (const { service, count } of all) {
      const warm = { url: service.url, asks: wish.asks, connections: 32, generator };
      // Each process compiles the same code for itself, by its part of the load.
      await runLoad({ ...warm, seconds: WARM_ROUNDS * seconds * count });
    }
    for (const { name, of } of LOADS) {
      bench.say(`processes: ${wish.mode}, ${name}`);
      const sides = all.map((watched) => ({
        name: String(watched.count),
        run: () => cost(watched, { asks: wish.asks, connections: of(watched.count), seconds, generator }),
      }));
      const costs = await interleaved(rounds, sides);
      details[name] = costs;
      rows.push(...rowsOf(`${wish.mode}, ${name}`, costs));
    }
    const memory = all.map(memoryOf);
    details['memory'] = memory;
    rows.push(info(`${wish.mode}: memory of its own, MiB`, memory.map(({ text }) => text).join('; ')));
  } finally {
    for (const { service } of all) await service.stop();
  }
  return { rows, details };
}

async function start(count: number, { dataDir, key, environment }: ModeWish): Promise<Watched> {
  const service = await startReady(dataDir, key, 'de', {
    BASES_THREADS: THREADS[count] ?? '1',
    ...environment,
    PROCESSES: String(count),
  });
  return { count, service, probes: [service.probe, ...childrenOf(service.pid).map(probeOf)] };
}

function probeOf(pid: number): ProcessProbe {
  return new ProcessProbe(pid);
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

type LoadOf = Omit<Parameters<typeof runLoad>[0], 'url'>;

async function cost({ service, probes }: Watched, load: LoadOf): Promise<ProcessesCost> {
  const before = probes.map((probe) => probe.fineCpuMs());
  const brought = await runLoad({ ...load, url: service.url });
  const took = probes.map((probe, at) => (probe.fineCpuMs() - (before[at] ?? 0)) / brought.requests);
  return {
    load: brought,
    cpuMs: took.reduce((sum, ms) => sum + ms, 0),
    parentMs: took[0] ?? 0,
    wallMs: (brought.seconds * 1_000) / brought.requests,
  };
}

function rowsOf(name: string, costs: readonly (readonly ProcessesCost[])[]): Row[] {
  const [alone = []] = costs;
  return COUNTS.flatMap((count, at) => {
    const of = costs[at] ?? [];
    const median = (figure: (one: ProcessesCost) => number) => short(spreadOf(of.map(figure)).median);
    const figures = [
      `CPU ${median(({ cpuMs }) => cpuMs)} ms`,
      ...(count === 1 ? [] : [`parent ${median(({ parentMs }) => parentMs)}`]),
      `${median(({ load }) => load.requests / load.seconds)}/s`,
      `p50 ${median(({ load }) => load.p50Ms)} ms`,
      `p99 ${median(({ load }) => load.p99Ms)} ms`,
    ].join(', ');
    if (count === 1) return [info(`${name}: 1 process`, figures)];
    const ratio = ratioOf(of, alone);
    const isAim = name.startsWith('searches');
    return [
      info(`${name}: ${count} processes`, figures),
      {
        measure: '  CPU to one process',
        aim: isAim ? `<= ${CPU_AIM}` : '',
        reached: spreadText(ratio),
        ok: isAim ? ratio.median <= CPU_AIM : null,
      },
    ];
  });
}

function memoryOf({ count, probes }: Watched) {
  const each = probes.map((probe) => probe.holdings());
  const total = each.reduce((sum, { anonMiB }) => sum + anonMiB, 0);
  const [first, ...children] = each.map(({ anonMiB }) => short(anonMiB));
  const parts = children.length === 0 ? '' : ` (parent ${first}, children ${children.join(' ')})`;
  return { count, each, text: `${count}: ${short(total)}${parts}` };
}
