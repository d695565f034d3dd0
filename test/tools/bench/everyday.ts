import { coverageAsk, recordAsk, searchAsk } from '../measure/load.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { HttpClient, type Ask } from '../../../src/tools/load/http-client.ts';
import { percentile } from '../measure/stats.ts';
import { randomNumbers } from '../../../src/tools/load/random.ts';
import { cpuOf, interleaved, ratioOf, short, spreadText, serially, type Serial } from './cost.ts';
import type { DataSet } from './data.ts';
import { NARROW, ONE, type Queries } from './queries.ts';
import { startWarm, type Bench, type Running } from './setting.ts';

const RECORDS = 100;
const SEED = 5;
/** Each side of a round takes about this part of a load's length. */
const WORK_PART = 10;

type Kind = { readonly name: string; readonly asks: (set: DataSet, key: string) => Ask[] };

/** What a user waits for, each kind as the service is asked for it. */
function kindsOf(queries: Queries): Kind[] {
  const { commonest, veryCommon, twoCommon, ordinary, phrases, nears, prefixes } = queries;
  const searches = (name: string, texts: readonly string[], ordem: 'recentes' | 'relevancia', more = {}) => ({
    name,
    asks: (_: DataSet, key: string) => texts.map((q) => searchAsk(key, q, ordem, ONE, 20, more)),
  });
  return [
    {
      name: 'count to 1,000, and one row',
      asks: (_, key) =>
        [commonest, veryCommon, twoCommon, ...ordinary].map((q) => searchAsk(key, q, 'recentes', ONE, 1)),
    },
    searches('recency', ordinary, 'recentes'),
    searches('recency, one type and month', [commonest, veryCommon, twoCommon], 'recentes', NARROW),
    searches('relevance, ordinary words', ordinary, 'relevancia'),
    searches('relevance, very common word', [veryCommon], 'relevancia'),
    searches('relevance, one type and month', [veryCommon, twoCommon], 'relevancia', NARROW),
    ...prefixes.map((texts, at) => searches(`prefix of ${at + 1}, recency`, texts, 'recentes')),
    ...prefixes.map((texts, at) => searches(`prefix of ${at + 1}, relevance`, texts, 'relevancia')),
    searches('phrases, recency', phrases, 'recentes'),
    searches('phrases, relevance', phrases, 'relevancia'),
    searches('NEAR, recency', nears, 'recentes'),
    searches('NEAR, relevance', nears, 'relevancia'),
    {
      name: 'record read',
      asks: ({ decisions }, key) => {
        const random = randomNumbers(SEED);
        const one = () => recordAsk(key, ONE, 1 + Math.floor(random() * decisions));
        return Array.from({ length: RECORDS }, one);
      },
    },
    { name: 'cobertura', asks: () => Array.from({ length: RECORDS }, coverageAsk) },
  ];
}

interface Grown {
  readonly decisions: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  readonly requests: number;
}
export type Growth = Readonly<Record<string, readonly Grown[]>>;

/** How what a user waits for grows with the base: the services of all sizes run side by side. */
export async function measureEveryday(bench: Bench): Promise<Finding> {
  const sets = await bench.ones();
  const growth: Record<string, Grown[]> = {};
  const rows: Row[] = [];
  await using ends = new AsyncDisposableStack();
  // All services at once: those that are not asked just now take next to nothing.
  const running: (Running & { set: DataSet; client: HttpClient })[] = [];
  for (const set of sets) {
    const one = ends.use(await startWarm(set, bench));
    running.push({ ...one, set, client: ends.use(new HttpClient(one.service.url, 1)) });
  }
  for (const kind of kindsOf(bench.queries)) {
    bench.say(`everyday: ${kind.name}`);
    const sides = running.map(({ service, key, set, client }) => {
      const asks = kind.asks(set, key);
      const run = () => serially(service, client, asks, (bench.seconds * 1000) / WORK_PART);
      return { name: String(set.decisions), run };
    });
    // The first time of all is not anybody's: files and code are warm after it.
    for (const side of sides) await side.run();
    const found = await interleaved(bench.rounds, sides);
    growth[kind.name] = found.map((serials, at) => grown(sets[at]?.decisions ?? 0, serials));
    rows.push(...rowsOf(kind.name, found, growth[kind.name] ?? []));
  }
  const sizes = sets.map(({ decisions }) => decisions.toLocaleString('en')).join(', ');
  const measured = `CPU a request at the largest, times that at the smallest: ${ONE} of ${sizes}`;
  rows.push(info('  measured with', measured));
  return { rows, details: { growth } };
}

function grown(decisions: number, serials: readonly Serial[]): Grown {
  const latencies = serials.flatMap((serial) => serial.latencies);
  return {
    decisions,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMs: cpuOf(serials).median,
    requests: latencies.length,
  };
}

/** The CPU at the largest base, and how many times that at the smallest; then what the client waits for at each size. */
function rowsOf(name: string, found: readonly Serial[][], cells: readonly Grown[]): Row[] {
  const [smallest = [], ...others] = found;
  const largest = others.at(-1) ?? smallest;
  const waits = cells.map(({ p50Ms, p99Ms }) => `${short(p50Ms)}/${short(p99Ms)}`);
  return [
    info(name, `${short(cpuOf(largest).median)} ms, ${spreadText(ratioOf(largest, smallest), 'x')}`),
    info('  median/99th percentile', `${waits.join(', ')} ms`),
  ];
}
