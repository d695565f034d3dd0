import { BASES, type Ordem } from '../../../src/contract/vocabulary.ts';
import { searchAsk } from '../measure/load.ts';
import { AS_SHIPPED } from '../measure/service.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { atMost, cpuOf, interleaved, ratioOf, repeated } from './cost.ts';
import { short, spreadOf, spreadText, timed, type Cost } from './cost.ts';
import { fts5Of } from './queries.ts';
import { RawBase } from './raw-base.ts';
import { failedRow, loadCost, startWarm, type Bench, type LoadCost, type Running } from './setting.ts';

const CONNECTIONS = 32;
const CPU_AIM = 1.2;
const RATE_AIM = 4_000;
const LIMIT = 20;

interface Query {
  readonly q: string;
  readonly ordem: Ordem;
}
type Mix = 'recency' | 'relevance' | 'mixed';

/**
 * A search of six bases over HTTP next to one thread that asks six FTS5 tables for 20 rows each and writes them
 * out, with no server at all. Every search is a work of the bases there; then, with the service as it is shipped, it is
 * measured how many a second are answered where others have asked the same before.
 */
export async function measureFanOut(bench: Bench): Promise<Finding> {
  const set = await bench.six(true);
  using ends = new DisposableStack();
  const raw = BASES.map((base) => ends.use(new RawBase(set.rawFile(base))));
  const rows: Row[] = [];
  const details: Record<string, unknown> = { decisions: set.decisions, generator: bench.generator };
  {
    await using running = await startWarm(set, bench);
    for (const { name, queries, mix } of mixesOf(bench)) {
      bench.say(`fan-out: ${name}`);
      const found = await one(bench, running, raw, queries, mix);
      rows.push(...rowsOf(name, found));
      details[name] = found;
    }
  }
  await using running = await startWarm(set, bench, AS_SHIPPED);
  for (const { name, queries, mix } of mixesOf(bench)) {
    bench.say(`fan-out, asked before: ${name}`);
    const loads = await askedBefore(bench, running, queries, mix);
    rows.push(...rateRows(`${name}, asked before: requests/s`, loads));
    details[`${name}, asked before`] = loads;
  }
  const size = set.decisions.toLocaleString('en');
  rows.push(info('  measured with', `6 bases of ${size}, ${bench.generator}, ${CONNECTIONS} connections`));
  return { rows, details };
}

function mixesOf({ queries }: Bench) {
  const kinds = [
    [queries.areReal ? 'real queries' : 'own queries', queries.users],
    ['ordinary words', queries.ordinary],
  ] as const;
  const mixes = ['recency', 'relevance', 'mixed'] as const;
  return kinds.flatMap(([kind, texts]) =>
    mixes.map((mix) => ({ name: `${kind}, ${mix}`, queries: mixed(texts, mix), mix })),
  );
}

function mixed(texts: readonly string[], mix: Mix): Query[] {
  const ordens: readonly Ordem[] =
    mix === 'mixed' ? ['recentes', 'relevancia'] : [mix === 'recency' ? 'recentes' : 'relevancia'];
  return texts.flatMap((q) => ordens.map((ordem) => ({ q, ordem })));
}

interface Found {
  readonly http: readonly LoadCost[];
  readonly alone: readonly LoadCost[];
  readonly raw: readonly Cost[];
}

async function one(
  { rounds, seconds, generator }: Bench,
  running: Running,
  raw: readonly RawBase[],
  queries: readonly Query[],
  mix: Mix,
): Promise<Found> {
  const asks = asksOf(running, queries);
  const fts5 = queries.map(({ q, ordem }) => ({ match: fts5Of(q), ordem }));
  const load = (connections: number) =>
    loadCost(running.service, { asks, connections, seconds, generator, byRelevance: mix === 'relevance' });
  // Statements are prepared, pages and code are warm, before the first round.
  await load(CONNECTIONS);
  await load(CONNECTIONS);
  const search = searcher(raw, fts5);
  const perPass = timed(fts5.length, search).wallMs * fts5.length;
  // Whole passes, so that each side meets every query equally often.
  const times = fts5.length * Math.max(1, Math.round((seconds * 1000) / perPass));
  const costs = await interleaved<Cost | LoadCost>(rounds, [
    { name: 'http', run: () => load(CONNECTIONS) },
    { name: 'raw', run: () => timed(times, search) },
    { name: 'alone', run: () => load(1) },
  ]);
  const [http = [], stored = [], alone = []] = costs;
  const isLoad = (cost: Cost): cost is LoadCost => 'load' in cost;
  return { http: http.filter(isLoad), alone: alone.filter(isLoad), raw: stored };
}

/** Loads of searches that the service has answered before, and whose answers it keeps. */
async function askedBefore(
  { rounds, seconds, generator }: Bench,
  running: Running,
  queries: readonly Query[],
  mix: Mix,
): Promise<readonly LoadCost[]> {
  const wish = { connections: CONNECTIONS, seconds, generator, byRelevance: mix === 'relevance' };
  return repeated(rounds, () => loadCost(running.service, { ...wish, asks: asksOf(running, queries) }));
}

function asksOf({ key }: Running, queries: readonly Query[]) {
  return queries.map(({ q, ordem }) => searchAsk(key, q, ordem, null, LIMIT));
}

/** Six searches and their page of 120 rows as one text. */
function searcher(raw: readonly RawBase[], queries: readonly { match: string; ordem: Ordem }[]) {
  return (at: number): number => {
    const query = queries[at % queries.length];
    if (query === undefined) return 0;
    const rows = raw.flatMap((base) => base.resumos(base.numbers(query.match, query.ordem, LIMIT)));
    return `{"itens":[${rows.join(',')}]}`.length;
  };
}

function rowsOf(name: string, { http, alone, raw }: Found): Row[] {
  return [
    atMost(`${name}: CPU ratio`, ratioOf(http, raw), CPU_AIM),
    info('  with one connection', spreadText(ratioOf(alone, raw))),
    info('  CPU a search, HTTP and raw', `${cpu(http)} and ${cpu(raw)} ms`),
    ...rateRows('  requests/s', http),
  ];
}

function rateRows(measure: string, loads: readonly LoadCost[]): Row[] {
  const rate = spreadOf(loads.map(({ load }) => load.requests / load.seconds));
  const failed = loads.reduce((sum, { load }) => sum + load.failed, 0);
  const share = spreadOf(loads.map(({ load }) => load.generatorCpuMs / (load.seconds * 1000)));
  return [
    {
      measure,
      aim: `>= ${RATE_AIM.toLocaleString('en')}`,
      reached: spreadText(rate),
      ok: rate.median >= RATE_AIM && failed === 0,
    },
    info('  CPU a search', `${cpu(loads)} ms`),
    info('  generator', `${spreadText(share)} cores`),
    failedRow('  answers not whole', loads),
  ];
}

function cpu(costs: readonly Cost[]): string {
  return short(cpuOf(costs).median);
}
