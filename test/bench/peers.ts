import { baseFile, tipoCode } from '../../src/base/schema.ts';
import type { Ordem } from '../../src/contract/enums.ts';
import { recordAsk, searchAsk } from '../measure/asks.ts';
import type { Row } from '../measure/finding.ts';
import { HttpClient } from '../../src/load/http-client.ts';
import { cpuOf, interleaved, ratioOf, short, spreadText, timed, timesFor, type Cost } from './cost.ts';
import { Engine, pageRequest } from './engine.ts';
import { Postgres } from './postgres.ts';
import { NARROW, ONE, fts5Of, type Queries } from './queries.ts';
import { RawBase } from './raw-base.ts';
import { serially } from './serially.ts';
import { withService, type Bench, type BenchFinding, type Running } from './setting.ts';

const LIMIT = 20;
const COUNT_MAX = 1_001;
const RECORDS = 50;
/** Each side of a round takes about this part of a load's length. */
const WORK_PART = 10;
/** Real queries at once would take PostgreSQL minutes a round: every few of them. */
const USERS_MAX = 40;

/** One row of the comparison: what each contender does `times` over, by the place in a list. */
interface Task {
  readonly name: string;
  readonly count: number;
  /** Whether FTS5 ranks here, so that we are to be ahead of it. */
  readonly ranks: boolean;
  readonly path: (at: number, key: string) => { path: string; key?: string };
  readonly engine: (engine: Engine, at: number) => unknown;
  readonly raw: (raw: RawBase, at: number) => unknown;
  readonly sql: string;
  readonly values: (at: number) => (string | number)[];
}

/** A query as the service takes it, and as PostgreSQL does. */
interface Text {
  readonly q: string;
  readonly reader: 'plainto_tsquery' | 'phraseto_tsquery' | 'to_tsquery';
  readonly text: string;
}

const plain = (q: string): Text => ({ q, reader: 'plainto_tsquery', text: q });
const phrase = (q: string): Text => ({ q, reader: 'phraseto_tsquery', text: q.replaceAll('"', '') });
const prefix = (q: string): Text => ({ q, reader: 'to_tsquery', text: `${q.replace('*', '')}:*` });

const NARROW_SQL = ` AND tipo = $3 AND julgamento BETWEEN $4 AND $5`;
const RAW_NARROW = 'filtro.tipo = ? AND filtro.julgamento BETWEEN ? AND ?';

/** The service, PostgreSQL's full text and raw FTS5 on one base, the same queries, by turns. */
export async function measurePeers(bench: Bench): Promise<BenchFinding> {
  const set = await bench.six(true);
  const engine = new Engine(baseFile(set.dataDir, ONE), ONE);
  const raw = new RawBase(set.rawFile(ONE));
  const rows: Row[] = [];
  const details: Record<string, unknown> = { base: ONE, decisions: set.decisions };
  const postgres =
    bench.withPeers && Postgres.isInstalled() ? await Postgres.start(ONE, set.decisions, bench.say) : null;
  try {
    await withService(set, bench, async (running) => {
      const client = new HttpClient(running.service.url, 1);
      for (const task of tasksOf(bench.queries, set.decisions)) {
        bench.say(`peers: ${task.name}`);
        const found = await compare(bench, task, { engine, raw, client, running, postgres });
        rows.push(...rowsOf(task, found));
        details[task.name] = found;
      }
      client.close();
    });
    const agreement = await agree(bench.queries, raw, postgres);
    rows.push(...agreement.rows);
    details['agreement'] = agreement.details;
  } finally {
    engine.close();
    raw.close();
    await postgres?.stop();
  }
  const what =
    postgres === null
      ? 'PostgreSQL 15 is not installed, or not asked for'
      : 'CPU of the service over HTTP to that of PostgreSQL’s process';
  const measured = `${what}; ${ONE} of ${set.decisions.toLocaleString('en')}`;
  rows.push({ measure: '  measured with', aim: '', reached: measured, ok: null });
  return { rows, details };
}

function tasksOf(queries: Queries, decisions: number): Task[] {
  const { veryCommon, twoCommon, ordinary, phrases, prefixes } = queries;
  const users = loose(queries.users)
    .filter((_, at) => at % Math.ceil(loose(queries.users).length / USERS_MAX) === 0)
    .map((q) => plain(q));
  const words = ordinary.map(plain);
  const records = Array.from({ length: RECORDS }, (_, at) => 1 + ((at * 7_919) % decisions));
  const narrow = [plain(veryCommon), plain(twoCommon)];
  return [
    searchTask('recency, ordinary words', words, 'recentes'),
    ...(users.length === 0 ? [] : [searchTask('recency, users’ queries', users, 'recentes')]),
    searchTask('recency, very common word', [plain(veryCommon)], 'recentes'),
    searchTask('recency, one type and month', narrow, 'recentes', true),
    searchTask('relevance, ordinary words', words, 'relevancia'),
    ...(users.length === 0 ? [] : [searchTask('relevance, users’ queries', users, 'relevancia')]),
    searchTask('relevance, very common word', [plain(veryCommon)], 'relevancia'),
    searchTask('relevance, two common words', [plain(twoCommon)], 'relevancia'),
    searchTask('relevance, one type and month', narrow, 'relevancia', true),
    searchTask('phrase, relevance', phrases.map(phrase), 'relevancia'),
    searchTask('phrase, recency', phrases.map(phrase), 'recentes'),
    searchTask('prefix of 4, relevance', (prefixes[3] ?? []).map(prefix), 'relevancia'),
    searchTask('prefix of 4, recency', (prefixes[3] ?? []).map(prefix), 'recentes'),
    countTask([...words, plain(veryCommon), plain(twoCommon)]),
    {
      name: 'record read',
      count: records.length,
      ranks: false,
      path: (at, key) => recordAsk(key, ONE, records[at] ?? 1),
      engine: (engine, at) => engine.documento(records[at] ?? 1),
      raw: (raw, at) => raw.documento(records[at] ?? 1),
      sql: 'SELECT documento FROM decisao WHERE numero = $1',
      values: (at) => [records[at] ?? 1],
    },
  ];
}

/** Those that mean the same to both: what is FTS5 syntax means something else to PostgreSQL. */
function loose(texts: readonly string[]): string[] {
  return texts.filter((q) => !/["()*]|\b(?:AND|OR|NOT|NEAR)\b/u.test(q));
}

function searchTask(name: string, texts: readonly Text[], ordem: Ordem, isNarrow = false): Task {
  const reader = texts[0]?.reader ?? 'plainto_tsquery';
  const order = ordem === 'recentes' ? 'numero DESC' : 'ts_rank_cd(palavras, consulta) DESC, numero';
  const filtro = {
    tribunais: null,
    tipo: NARROW.tipo,
    julgamento_de: codeOf(NARROW.data_de),
    julgamento_ate: codeOf(NARROW.data_ate),
  };
  const rawFilter = {
    where: RAW_NARROW,
    values: [tipoCode(NARROW.tipo), codeOf(NARROW.data_de), codeOf(NARROW.data_ate)],
  };
  const requests = texts.map(({ q }) => pageRequest(q, ordem, isNarrow ? { filtro } : {}));
  const matches = texts.map(({ q }) => fts5Of(q));
  return {
    name,
    count: texts.length,
    ranks: ordem === 'relevancia',
    path: (at, key) => searchAsk(key, texts[at]?.q ?? '', ordem, ONE, LIMIT, isNarrow ? { ...NARROW } : {}),
    engine: (engine, at) => engine.search(requests[at]!),
    raw: (raw, at) =>
      raw.resumos(
        raw.numbers(
          matches[at] ?? '',
          ordem === 'recentes' ? 'recentes' : 'rank',
          LIMIT,
          0,
          isNarrow ? rawFilter : undefined,
        ),
      ),
    sql: `SELECT resumo FROM decisao, ${reader}('juri', $1) AS consulta
          WHERE palavras @@ consulta${isNarrow ? NARROW_SQL : ''} ORDER BY ${order} LIMIT $2`,
    values: (at) => [
      texts[at]?.text ?? '',
      LIMIT,
      ...(isNarrow ? [NARROW.tipo, NARROW.data_de, NARROW.data_ate] : []),
    ],
  };
}

/** The service counts on the first page of a search, and by itself never: one row comes with it. */
function countTask(texts: readonly Text[]): Task {
  const requests = texts.map(({ q }) =>
    pageRequest(q, 'recentes', { numeros_max: 2, rows_max: 1, count_ms: 60_000 }),
  );
  const matches = texts.map(({ q }) => fts5Of(q));
  return {
    name: 'count to 1,000, and one row',
    count: texts.length,
    ranks: false,
    path: (at, key) => searchAsk(key, texts[at]?.q ?? '', 'recentes', ONE, 1),
    engine: (engine, at) => engine.search(requests[at]!),
    raw: (raw, at) => {
      raw.resumos(raw.numbers(matches[at] ?? '', 'recentes', 1));
      return raw.count(matches[at] ?? '', COUNT_MAX);
    },
    sql: `SELECT count(*) FROM (SELECT 1 FROM decisao WHERE palavras @@ plainto_tsquery('juri', $1) LIMIT $2) AS m`,
    values: (at) => [texts[at]?.text ?? '', COUNT_MAX],
  };
}

function codeOf(date: string): number {
  return Number(date.replaceAll('-', ''));
}

interface Contenders {
  readonly engine: Engine;
  readonly raw: RawBase;
  readonly client: HttpClient;
  readonly running: Running;
  readonly postgres: Postgres | null;
}
interface Compared {
  readonly http: readonly Cost[];
  readonly engine: readonly Cost[];
  readonly raw: readonly Cost[];
  /** Empty where it is left out. */
  readonly postgres: readonly Cost[];
}

async function compare({ rounds, seconds }: Bench, task: Task, contenders: Contenders): Promise<Compared> {
  const { engine, raw, client, running, postgres } = contenders;
  const workMs = (seconds * 1000) / WORK_PART;
  const asks = Array.from({ length: task.count }, (_, at) => task.path(at, running.key));
  const local = (run: (at: number) => unknown) => {
    const step = (at: number) => {
      run(at % task.count);
    };
    const passes = Math.ceil(timesFor(workMs, step) / task.count);
    return () => timed(passes * task.count, step);
  };
  const sides = [
    { name: 'http', run: () => serially(running.service, client, asks, workMs) },
    { name: 'engine', run: local((at) => task.engine(engine, at)) },
    { name: 'raw', run: local((at) => task.raw(raw, at)) },
    ...(postgres === null ? [] : [{ name: 'postgres', run: () => byPostgres(postgres, task, workMs) }]),
  ];
  // Plans, pages and code are warm before the first round.
  for (const side of sides) await side.run();
  const [http = [], own = [], fts5 = [], other = []] = await interleaved<Cost>(rounds, sides);
  return { http, engine: own, raw: fts5, postgres: other };
}

/** Whole passes; the CPU is that of the one process that answers this connection. */
async function byPostgres(postgres: Postgres, task: Task, workMs: number): Promise<Cost> {
  const before = postgres.probe.fineCpuMs();
  const startedAt = performance.now();
  let done = 0;
  do {
    for (let at = 0; at < task.count; at += 1) {
      await postgres.query(task.sql, task.values(at));
      done += 1;
    }
  } while (performance.now() - startedAt < workMs);
  const wallMs = (performance.now() - startedAt) / done;
  return { wallMs, cpuMs: (postgres.probe.fineCpuMs() - before) / done };
}

function rowsOf({ name, ranks }: Task, { http, engine, raw, postgres }: Compared): Row[] {
  const hasPeer = postgres.length > 0;
  const toPeer = ratioOf(http, postgres);
  const toFts5 = ratioOf(engine, raw);
  const each = [http, postgres, engine, raw].map((costs) =>
    costs.length === 0 ? '-' : short(cpuOf(costs).median),
  );
  const info = (measure: string, reached: string): Row => ({ measure, aim: '', reached, ok: null });
  return [
    {
      measure: name,
      aim: hasPeer ? '< 1' : '',
      reached: hasPeer ? spreadText(toPeer) : 'PostgreSQL left out',
      ok: hasPeer ? toPeer.median < 1 : null,
    },
    ...(hasPeer ? [info('  by wall time', spreadText(ratioOf(http, postgres, 'wallMs')))] : []),
    {
      measure: '  engine to raw FTS5',
      aim: ranks ? '< 1' : '',
      reached: spreadText(toFts5),
      ok: ranks ? toFts5.median < 1 : null,
    },
    info('  HTTP, PostgreSQL, engine, FTS5', `${each.join(', ')} ms`),
  ];
}

/** Whether PostgreSQL finds as many decisions as FTS5, which is the service's own judge of what matches. */
async function agree(queries: Queries, raw: RawBase, postgres: Postgres | null) {
  if (postgres === null) return { rows: [], details: {} };
  const { ordinary, veryCommon, twoCommon, users, phrases, prefixes, rare } = queries;
  const kinds = {
    'words of the data': [...ordinary, ...rare, veryCommon, twoCommon].map(plain),
    'users’ queries': loose(users).map(plain),
    phrases: phrases.map(phrase),
    prefixes: prefixes.slice(2).flat().map(prefix),
  };
  const rows: Row[] = [];
  const details: Record<string, unknown> = {};
  for (const [name, texts] of Object.entries(kinds)) {
    const counts = await Promise.all(
      texts.map(async ({ q, reader, text }) => {
        const sql = `SELECT count(*)::int AS n FROM decisao WHERE palavras @@ ${reader}('juri', $1)`;
        const [row] = await postgres.query<{ n: number }>(sql, [text]);
        return { q, fts5: raw.count(fts5Of(q), Number.MAX_SAFE_INTEGER), postgres: row?.n ?? 0 };
      }),
    );
    const same = counts.filter((count) => count.fts5 === count.postgres).length;
    rows.push({
      measure: `  as many matches: ${name}`,
      aim: '',
      reached: `${same} of ${texts.length} queries`,
      ok: null,
    });
    details[name] = counts.filter((count) => count.fts5 !== count.postgres);
  }
  return { rows, details };
}
