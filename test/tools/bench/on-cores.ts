import { searchAsk } from '../measure/asks.ts';
import { info, type Finding, type Row } from '../measure/finding.ts';
import { AS_SHIPPED } from '../measure/service.ts';
import { allowedCores, pin } from './cores.ts';
import { cpuOf, interleaved, ratioOf, short, spreadOf, spreadText } from './cost.ts';
import { loadCost, withService, type Bench, type LoadCost } from './setting.ts';

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
    const loads = await withService(
      set,
      bench,
      async ({ service, key }) => {
        const asks = queries.users.map((q) => searchAsk(key, q, 'relevancia', null));
        const side = (count: number) => ({
          name: String(count),
          run: () => {
            if (!pin(service.pid, cores.slice(0, count)))
              throw new Error('cores need taskset, of util-linux');
            return loadCost(service, { asks, connections: CONNECTIONS, seconds, generator });
          },
        });
        return interleaved<LoadCost>(rounds, counts.map(side));
      },
      environment,
    );
    const rate = ({ load }: LoadCost) => load.requests / load.seconds;
    rates[kind] = loads.map((of) => spreadOf(of.map(rate)).median);
    for (const [at, of] of loads.entries()) {
      rows.push(
        info(
          `${kind}, ${counts[at]} of ${cores.length} cores: requests/s`,
          spreadText(spreadOf(of.map(rate))),
        ),
        info('  to one core', spreadText(ratioOf(loads[0] ?? [], of, 'wallMs'))),
        info('  CPU a search', `${short(cpuOf(of).median)} ms`),
      );
    }
  }
  rows.push(
    info('  measured with', `6 bases of ${set.decisions.toLocaleString('en')}, ${CONNECTIONS} connections`),
  );
  return { rows, details: { counts, rates } };
}
