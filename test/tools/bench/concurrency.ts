import { searchAsk } from '../measure/load.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { atMost, cpuOf, interleaved, ratioOf, short, spreadOf } from './cost.ts';
import { failedRow, loadCost, startWarm, type Bench, type LoadCost } from './setting.ts';

const IN_FLIGHT = [1, 8, 32, 64, 128] as const;
/** The largest number of requests in flight, and the one compared with it. */
const MANY = 128;
const USUAL = 32;
const MANY_CPU_AIM = 1.15;
const MAIN_AIM_MS = 0.15;
const ALONE_AIM_MS = 0.8;

/** How the work of a search of six bases grows with the requests in flight: two ordinary words, by relevance. */
export async function measureConcurrency(bench: Bench): Promise<Finding> {
  const set = await bench.six(false);
  const { queries, generator, seconds, rounds } = bench;
  await using running = await startWarm(set, bench);
  const { service, key } = running;
  const asks = queries.ordinary.map((q) => searchAsk(key, q, 'relevancia', null));
  const load = (connections: number) =>
    loadCost(service, { asks, connections, seconds, generator, byRelevance: true });
  bench.say('concurrency');
  const sides = IN_FLIGHT.map((count) => ({ name: String(count), run: () => load(count) }));
  for (const side of sides) await side.run();
  const loads = new Map((await interleaved<LoadCost>(rounds, sides)).map((of, at) => [IN_FLIGHT[at], of]));
  const of = (count: (typeof IN_FLIGHT)[number]) => loads.get(count) ?? [];
  const cpu = ratioOf(of(MANY), of(USUAL));
  const main = spreadOf(of(USUAL).map(({ mainMs }) => mainMs));
  const alone = cpuOf(of(1));
  const rows: Row[] = [
    ...IN_FLIGHT.flatMap((count) => linesOf(count, of(count))),
    atMost(`CPU of ${MANY} in flight to ${USUAL}`, cpu, MANY_CPU_AIM),
    // As many answers may take no longer with many in flight than with few.
    atMost('  time to answer as many', ratioOf(of(MANY), of(USUAL), 'wallMs'), 1),
    atMost(`main thread, ${USUAL} in flight`, main, MAIN_AIM_MS, ' ms'),
    atMost('CPU of one request alone', alone, ALONE_AIM_MS, ' ms'),
    failedRow('answers not whole', [...loads.values()].flat()),
  ];
  return { rows, details: { decisions: set.decisions, generator, loads: Object.fromEntries(loads) } };
}

function linesOf(count: number, loads: readonly LoadCost[]): Row[] {
  const median = (figure: (of: LoadCost) => number) => short(spreadOf(loads.map(figure)).median);
  const figures = [
    `${median(({ load }) => load.requests / load.seconds)}/s`,
    `CPU ${median(({ cpuMs }) => cpuMs)} ms`,
    `main thread ${median(({ mainMs }) => mainMs)}`,
  ];
  const waits = `${median(({ load }) => load.p50Ms)} / ${median(({ load }) => load.p99Ms)} ms`;
  return [info(`${count} in flight`, figures.join(', ')), info('  median / 99th percentile', waits)];
}
