import { searchAsk } from '../measure/load.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { AS_SHIPPED } from '../measure/service.ts';
import { cpuOf, interleaved, ratioOf, short, spreadOf, spreadText } from './cost.ts';
import { loadCost, startWarm, type Bench, type LoadCost } from './setting.ts';
import { readFileSync } from 'node:fs';
import { PlainError } from '../../../src/process/fail.ts';

const CONNECTIONS = 32;
const KINDS = { 'not asked before': {}, 'asked before': AS_SHIPPED };

/** Searches of six bases a second by a service that may run on one core, on two, on four and so on; the load on all. */
export async function measureOnCores(bench: Bench): Promise<Finding> {
  const set = await bench.six(false);
  const { queries, generator, seconds, rounds } = bench;
  const cores = allowedCores();
  const counts = [1, 2, 4, 8, 16, 32].filter((count) => count < cores.length).concat(cores.length);
  const rows: Row[] = [];
  const rates: Record<string, number[]> = {};
  for (const [kind, environment] of Object.entries(KINDS)) {
    bench.say(`cores: ${kind}`);
    await using running = await startWarm(set, bench, environment);
    const { service, key } = running;
    const asks = queries.users.map((q) => searchAsk(key, q, 'relevancia', null));
    const side = (count: number) => ({
      name: String(count),
      run: () => {
        if (!pin(service.pid, cores.slice(0, count))) throw new Error('cores need taskset, of util-linux');
        return loadCost(service, { asks, connections: CONNECTIONS, seconds, generator });
      },
    });
    const loads = await interleaved<LoadCost>(rounds, counts.map(side));
    const rate = ({ load }: LoadCost) => load.requests / load.seconds;
    rates[kind] = loads.map((of) => spreadOf(of.map(rate)).median);
    for (const [at, of] of loads.entries()) {
      const name = `${kind}, ${counts[at]} of ${cores.length} cores: requests/s`;
      rows.push(
        info(name, spreadText(spreadOf(of.map(rate)))),
        info('  to one core', spreadText(ratioOf(loads[0] ?? [], of, 'wallMs'))),
        info('  CPU a search', `${short(cpuOf(of).median)} ms`),
      );
    }
  }
  const size = set.decisions.toLocaleString('en');
  rows.push(info('  measured with', `6 bases of ${size}, ${CONNECTIONS} connections`));
  return { rows, details: { counts, rates } };
}

/** The cores that this process may run on, by their numbers. */
export function allowedCores(): number[] {
  return coresOf(/^Cpus_allowed_list:\s+(\S+)/mu.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '');
}

/** The numbers in a list of Linux, such as `0-3,8`. */
export function coresOf(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}

/**
 * Keeps this process, and all that it starts from now on, to some of the cores, so that figures of machines with
 * more of them can be compared. @throws PlainError if that is not possible.
 */
export function keepToCores(count: number): void {
  const cores = allowedCores();
  if (cores.length <= count || pin(process.pid, cores.slice(0, count))) return;
  throw new PlainError(
    `cannot keep to ${count} of ${cores.length} cores: install util-linux, or ask for --cores ${cores.length}`,
  );
}

/** Lets all threads of a process run on these cores only. @returns whether that was possible. */
function pin(pid: number, cores: readonly number[]): boolean {
  if (Bun.which('taskset') === null) return false;
  return Bun.spawnSync(['taskset', '-apc', cores.join(','), String(pid)]).exitCode === 0;
}
