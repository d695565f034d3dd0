import { aimed, type Row } from '../measure/report.ts';
import { median } from '../measure/stats.ts';
import type { Ask, HttpClient } from '../../../src/tools/load/http-client.ts';
import type { ServiceChild } from '../measure/service.ts';
import { verdictOf } from '../measure/load.ts';

/** The cost of one request, milliseconds. CPU is user and system time of all the process's threads. */
export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** One side of a comparison; `run` measures one round. */
interface Side<Result extends Cost = Cost> {
  readonly name: string;
  readonly run: (round: number) => Result | Promise<Result>;
}

/** The median of some figures, with the lowest and the highest. */
interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/**
 * Runs all sides in each round, in reverse order every second round, so that other work on the machine
 * affects all sides alike. @returns each side's rounds, in the order of the sides.
 */
export async function interleaved<Result extends Cost>(
  rounds: number,
  sides: readonly Side<Result>[],
): Promise<Result[][]> {
  const found: Result[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = sides.map((side, at) => ({ side, at }));
    if (round % 2 === 1) order.reverse();
    for (const { side, at } of order) {
      // Lets signals be handled between two pieces of synchronous work.
      await Bun.sleep(0);
      found[at]?.push(await side.run(round));
    }
  }
  return found;
}

/** Runs it once to warm up, and then in each round. */
export async function repeated<Result>(rounds: number, run: () => Promise<Result>): Promise<Result[]> {
  await run();
  const found: Result[] = [];
  while (found.length < rounds) found.push(await run());
  return found;
}

/** The cost of one of `times` repetitions of some work in this process. */
export function timed(times: number, work: (at: number) => void): Cost {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  for (let at = 0; at < times; at += 1) work(at);
  const wallMs = (performance.now() - startedAt) / times;
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000 / times, wallMs };
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** The spread of the ratios of each round, so that a slow moment affects both sides. */
export function ratioOf(of: readonly Cost[], to: readonly Cost[], figure: keyof Cost = 'cpuMs'): Spread {
  return spreadOf(of.map((cost, at) => cost[figure] / (to[at]?.[figure] ?? Number.NaN)));
}

export function cpuOf(costs: readonly Cost[]): Spread {
  return spreadOf(costs.map(({ cpuMs }) => cpuMs));
}

/** `1.12 (1.05-1.31)`. */
export function spreadText({ median: middle, least, most }: Spread, unit = ''): string {
  return `${short(middle)}${unit} (${short(least)}-${short(most)})`;
}

export function atMost(measure: string, spread: Spread, aim: number, unit = ''): Row {
  return aimed(measure, spread.median, aim, unit, spreadText(spread, unit));
}

/** A number with three significant figures. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  if (Math.abs(value) >= 10) return value.toFixed(1);
  return value.toFixed(Math.abs(value) >= 1 ? 2 : 3);
}

/** Requests one after the other, and each one's time as its client saw it. */
export interface Serial extends Cost {
  readonly latencies: readonly number[];
}

/**
 * Whole passes over the requests for about `ms`. The CPU is the service's, all its threads.
 * @throws if an answer is not whole, which must not pass for quick.
 */
export async function serially(
  { probe }: Pick<ServiceChild, 'probe'>,
  client: HttpClient,
  asks: readonly Ask[],
  ms: number,
): Promise<Serial> {
  const latencies: number[] = [];
  const before = probe.fineCpuMs();
  const startedAt = performance.now();
  do {
    for (const ask of asks) {
      const reply = await client.send(ask);
      const verdict = verdictOf(reply);
      if (verdict !== 'complete') throw new Error(`${ask.path} was answered: ${verdict}`);
      latencies.push(reply.endedAt - reply.sentAt);
    }
  } while (performance.now() - startedAt < ms);
  const wallMs = (performance.now() - startedAt) / latencies.length;
  return { wallMs, cpuMs: (probe.fineCpuMs() - before) / latencies.length, latencies };
}
