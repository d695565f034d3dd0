import type { DocFilter, SearchRequest } from '../../../src/engine/messages.ts';
import { baseFile, dateCode, tipoCode, tribunalCode } from '../../../src/index/format/schema.ts';
import { searchAsk } from '../measure/asks.ts';
import { info, type Row } from '../measure/finding.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { cpuOf, interleaved, ratioOf, short, spreadText, timed, timesFor, type Cost } from './cost.ts';
import { Engine, deepRequest, pageRequest } from './engine.ts';
import { NARROW, ONE, fts5Of, type Queries } from './queries.ts';
import { RawBase, type RawFilter } from './raw-base.ts';
import { withService, type Bench, type BenchFinding, type Running } from './setting.ts';
import { serially } from './serially.ts';

const LIMIT = 20;
const DEEP_PAGE = 50;
const DEEP_AIM = 2;
/** Shorter work than this part of a load's length is repeated until it takes as long. */
const WORK_PART = 10;

interface Case {
  readonly name: string;
  readonly queries: readonly string[];
  readonly filter?: keyof typeof FILTERS;
  /** Most CPU, milliseconds; null where FTS5's own is the measure. */
  readonly aimMs: number | null;
}

const none: DocFilter = { tribunais: null, tipo: null, judged_from: null, judged_to: null };
const month = [dateCode(NARROW.data_de), dateCode(NARROW.data_ate)] as const;
/** The same filter for the engine, for raw SQL and for HTTP. */
const FILTERS = {
  type: {
    engine: { ...none, tipo: NARROW.tipo },
    raw: { where: 'filtro.tipo = ?', values: [tipoCode(NARROW.tipo)] },
    http: { tipo: NARROW.tipo },
  },
  court: {
    engine: { ...none, tribunais: ['trf6'] },
    raw: { where: 'filtro.tribunal = ?', values: [tribunalCode('trf6')] },
    http: { tribunal: 'trf6' },
  },
  month: {
    engine: { ...none, judged_from: month[0], judged_to: month[1] },
    raw: { where: 'filtro.julgamento BETWEEN ? AND ?', values: month },
    http: { data_de: NARROW.data_de, data_ate: NARROW.data_ate },
  },
} satisfies Record<string, { engine: DocFilter; raw: RawFilter; http: Record<string, string> }>;

function casesOf({ commonest, veryCommon, twoCommon, rare, ordinary }: Queries): Case[] {
  const filters = ['type', 'court', 'month'] as const;
  return [
    { name: `one word (${veryCommon})`, queries: [veryCommon], aimMs: 10 },
    { name: `commonest word (${commonest})`, queries: [commonest], aimMs: 10 },
    { name: `two words (${twoCommon})`, queries: [twoCommon], aimMs: 20 },
    ...filters.map((filter) => ({ name: `one word, ${filter}`, queries: [veryCommon], filter, aimMs: 10 })),
    ...filters.map((filter) => ({ name: `two words, ${filter}`, queries: [twoCommon], filter, aimMs: 20 })),
    { name: 'ordinary words', queries: ordinary, aimMs: null },
    { name: 'rare words', queries: rare, aimMs: null },
  ];
}

/** The first 20 by relevance of one large base: the engine alone, FTS5's two ways, and the service over HTTP. */
export async function measureRelevance(bench: Bench): Promise<BenchFinding> {
  const set = await bench.relevance();
  const engine = new Engine(baseFile(set.dataDir, ONE), ONE);
  const raw = new RawBase(set.rawFile(ONE));
  const rows: Row[] = [];
  const details: Record<string, unknown> = { decisions: set.decisions, base: ONE };
  try {
    await withService(set, bench, async (running) => {
      const client = new HttpClient(running.service.url, 1);
      for (const one of casesOf(bench.queries)) {
        bench.say(`relevance: ${one.name}`);
        const found = await compare(bench, one, { engine, raw, client, running });
        rows.push(...rowsOf(one, found));
        details[one.name] = found;
      }
      client.close();
    });
    rows.push(...(await deep(bench, engine, details)));
  } finally {
    engine.close();
    raw.close();
  }
  const measured = `${ONE} of ${set.decisions.toLocaleString('en')}, first ${LIMIT}, rows read`;
  rows.push(info('  measured with', measured));
  return { rows, details };
}

interface Contenders {
  readonly engine: Engine;
  readonly raw: RawBase;
  readonly client: HttpClient;
  readonly running: Running;
}
type Compared = Record<'engine' | 'rank' | 'bm25' | 'http', readonly Cost[]>;

async function compare(bench: Bench, one: Case, contenders: Contenders): Promise<Compared> {
  const { engine, raw, client, running } = contenders;
  const workMs = (bench.seconds * 1000) / WORK_PART;
  const filter = one.filter === undefined ? undefined : FILTERS[one.filter];
  const overrides = filter === undefined ? {} : { filter: filter.engine };
  const requests = one.queries.map((q) => pageRequest(q, 'relevancia', overrides));
  const matches = one.queries.map(fts5Of);
  const asks = one.queries.map((q) => searchAsk(running.key, q, 'relevancia', ONE, LIMIT, filter?.http));
  const byEngine = (at: number) => engine.search(requests[at % requests.length] ?? requests[0]!);
  const byRaw = (order: 'rank' | 'bm25') => (at: number) =>
    raw.resumos(raw.numbers(matches[at % matches.length] ?? '', order, LIMIT, 0, filter?.raw));
  const work = (run: (at: number) => void) => {
    // Whole passes over the queries.
    const passes = Math.ceil(timesFor(workMs, run) / requests.length);
    return () => timed(passes * requests.length, run);
  };
  const [byOwn = [], rank = [], bm25 = [], http = []] = await interleaved(bench.rounds, [
    { name: 'engine', run: work(byEngine) },
    { name: 'rank', run: work(byRaw('rank')) },
    { name: 'bm25', run: work(byRaw('bm25')) },
    { name: 'http', run: () => serially(running.service, client, asks, workMs) },
  ]);
  return { engine: byOwn, rank, bm25, http };
}

function rowsOf({ name, aimMs }: Case, { engine, rank, bm25, http }: Compared): Row[] {
  const own = cpuOf(engine);
  // The better of FTS5's two ways in each round.
  const best = rank.map((cost, at) => (cost.cpuMs < (bm25[at]?.cpuMs ?? 0) ? cost : (bm25[at] ?? cost)));
  const ratio = ratioOf(engine, best);
  return [
    {
      measure: `${name}: CPU`,
      aim: aimMs === null ? '' : `<= ${aimMs} ms`,
      reached: spreadText(own, ' ms'),
      ok: aimMs === null ? null : own.median <= aimMs,
    },
    {
      measure: '  to FTS5, its better way',
      aim: '<= 1',
      reached: spreadText(ratio),
      ok: ratio.median <= 1,
    },
    {
      measure: '  FTS5 rank, bm25; ours over HTTP',
      aim: '',
      reached: `${short(cpuOf(rank).median)}, ${short(cpuOf(bm25).median)}, ${short(cpuOf(http).median)} ms`,
      ok: null,
    },
  ];
}

/** A later page beside the first. */
async function deep(
  { queries, rounds, seconds, say }: Bench,
  engine: Engine,
  details: Record<string, unknown>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const q of [queries.veryCommon, queries.twoCommon]) {
    say(`relevance: page ${DEEP_PAGE} of ${q}`);
    const first: SearchRequest = pageRequest(q, 'relevancia');
    const later = deepRequest(engine, first, DEEP_PAGE);
    const side = (name: string, request: SearchRequest) => {
      const run = () => engine.search(request);
      const times = timesFor((seconds * 1000) / WORK_PART, run);
      return { name, run: () => timed(times, run) };
    };
    const [one = [], fifty = []] = await interleaved(rounds, [side('first', first), side('later', later)]);
    const ratio = ratioOf(fifty, one);
    details[`page ${DEEP_PAGE}: ${q}`] = { first: one, later: fifty };
    rows.push({
      measure: `page ${DEEP_PAGE} to page 1 (${q})`,
      aim: `<= ${DEEP_AIM}`,
      reached: spreadText(ratio),
      ok: ratio.median <= DEEP_AIM,
    });
  }
  return rows;
}
