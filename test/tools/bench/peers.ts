import { baseFile } from '../../../src/index/format/schema.ts';
import { searchEnd } from '../../../src/tools/load/answer.ts';
import { verdictOf } from '../measure/load.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import {
  cpuOf,
  interleaved,
  ratioOf,
  short,
  spreadText,
  timed,
  timesFor,
  together,
  type Cost,
} from './cost.ts';
import { Engine } from './engine.ts';
import {
  loose,
  phrase,
  plain,
  prefix,
  tasksOf,
  type PeerAsk,
  type Statement,
  type Task,
} from './peer-tasks.ts';
import { Postgres, type PostgresSession } from './postgres.ts';
import { ONE, fts5Of, type Queries } from './queries.ts';
import { RawBase } from './raw-base.ts';
import { startWarm, type Bench, type Running } from './setting.ts';

/** Requests at once, on each side, in the rows that are not one at a time. */
const TOGETHER = 8;
/** Each side of a round takes about this part of a load's length. */
const WORK_PART = 10;
const COUNT_TRIES_MAX = 20;

interface Contenders {
  readonly running: Running;
  readonly client: HttpClient;
  readonly engine: Engine;
  readonly raw: RawBase;
  /** Empty if PostgreSQL is left out. */
  readonly sessions: readonly PostgresSession[];
}

/** The service, PostgreSQL's full text and raw FTS5 on one base, the same queries, alternately. */
export async function measurePeers(bench: Bench): Promise<Finding> {
  const set = await bench.six(true);
  using engine = new Engine(baseFile(set.dataDir, ONE), ONE);
  using raw = new RawBase(set.rawFile(ONE));
  const rows: Row[] = [];
  const details: Record<string, unknown> = { base: ONE, decisions: set.decisions, together: TOGETHER };
  await using postgres =
    bench.withPostgres && Postgres.isInstalled()
      ? await Postgres.start(ONE, set.decisions, TOGETHER, bench.say)
      : null;
  const sessions = postgres?.sessions ?? [];
  await using running = await startWarm(set, bench);
  using client = new HttpClient(running.service.url, TOGETHER);
  for (const task of tasksOf(bench.queries, set.decisions)) {
    bench.say(`peers: ${task.name}`);
    const found = await compare(bench, task, { engine, raw, client, running, sessions });
    rows.push(...rowsOf(task, found));
    details[task.name] = found;
  }
  const agreement = await agree(bench.queries, raw, sessions[0]);
  rows.push(...agreement.rows);
  details['agreement'] = agreement.details;
  const what =
    postgres === null
      ? 'PostgreSQL 15 is not installed, or not asked for'
      : `CPU of the service over HTTP to that of PostgreSQL, ${TOGETHER} at a time`;
  const measured = `${what}; ${ONE} of ${set.decisions.toLocaleString('en')}`;
  rows.push(info('  measured with', measured));
  return { rows, details };
}

/** One list of requests, as the service is asked and as PostgreSQL is; alternately, alone and together. */
interface Pages {
  readonly http: readonly Cost[];
  readonly httpTogether: readonly Cost[];
  /** Empty where PostgreSQL is left out, as is the next. */
  readonly postgres: readonly Cost[];
  readonly postgresTogether: readonly Cost[];
}
interface Compared extends Pages {
  readonly engine: readonly Cost[];
  readonly raw: readonly Cost[];
  readonly further?: Pages;
}

async function compare(bench: Bench, task: Task, contenders: Contenders): Promise<Compared> {
  const { engine, raw, client, running } = contenders;
  const places = Array.from({ length: task.count }, (_, at) => at);
  const asks = places.map((at) => task.ask(at, running.key));
  const sides = sidesOf(bench, contenders, asks, places.map(task.statements));
  const local = (run: (at: number) => unknown) => {
    const step = (at: number) => {
      run(at % task.count);
    };
    const passes = Math.ceil(timesFor(workMsOf(bench), step) / task.count);
    return () => timed(passes * task.count, step);
  };
  const own = { name: 'engine', run: local((at) => task.engine(engine, at)) };
  const fts5 = { name: 'raw', run: local((at) => task.raw(raw, at)) };
  const [ownCosts = [], fts5Costs = [], ...costs] = await turns(bench, [own, fts5, ...sides]);
  const found = { engine: ownCosts, raw: fts5Costs, ...pagesOf(costs) };
  const next = task.further === undefined ? [] : await nextPages(client, asks);
  if (next.length === 0) return found;
  const nextAsks = next.map(({ ask }) => ask);
  const nextSides = sidesOf(
    bench,
    contenders,
    nextAsks,
    next.map(({ at, last }) => task.further?.(at, last) ?? []),
  );
  return { ...found, further: pagesOf(await turns(bench, nextSides)) };
}

function workMsOf({ seconds }: Bench): number {
  return (seconds * 1000) / WORK_PART;
}

type NamedSide = { readonly name: string; readonly run: () => Cost | Promise<Cost> };

function sidesOf(
  bench: Bench,
  { running, client, sessions }: Contenders,
  asks: readonly PeerAsk[],
  statements: readonly (readonly Statement[])[],
): NamedSide[] {
  const ms = workMsOf(bench);
  const overHttp = (atOnce: number) => async () =>
    together({ probes: [running.service.probe], count: asks.length, atOnce, ms }, async (at) => {
      await askWhole(client, asks[at]!);
    });
  const byPostgres = (atOnce: number) => async () =>
    together(
      { probes: sessions.slice(0, atOnce).map(({ probe }) => probe), count: asks.length, atOnce, ms },
      async (at, worker) => {
        for (const { sql, values } of statements[at] ?? []) await sessions[worker]?.query(sql, values);
      },
    );
  return [
    { name: 'http', run: overHttp(1) },
    { name: 'httpTogether', run: overHttp(TOGETHER) },
    ...(sessions.length === 0
      ? []
      : [
          { name: 'postgres', run: byPostgres(1) },
          { name: 'postgresTogether', run: byPostgres(TOGETHER) },
        ]),
  ];
}

/**
 * Asks until the answer has what its row says it has: the base, the order, and on a first page the count. A service that is
 * busy leaves counts out; so no row looks cheaper than it is. @throws if it lacks something else, or the count again and again.
 */
async function askWhole(client: HttpClient, ask: PeerAsk): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const reply = await client.send(ask);
    const verdict = verdictOf(reply);
    if (verdict !== 'complete' || typeof reply.result === 'string')
      throw new Error(`${ask.path} was answered: ${verdict}`);
    if (ask.ordem === undefined) return;
    const [of] = searchEnd(reply.result).por_base;
    const hasCount = of?.encontrados_ate_1000 !== undefined;
    const isFirst = !ask.path.includes('&cursor=');
    if (of?.ordem_aplicada !== ask.ordem || (hasCount && !isFirst) || tries > COUNT_TRIES_MAX)
      throw new Error(`${ask.path} was answered by ${of?.ordem_aplicada}, with a count: ${String(hasCount)}`);
    if (hasCount === isFirst) return;
  }
}

/** Plans, pages and code are warm before the first round. */
async function turns({ rounds }: Bench, sides: readonly NamedSide[]): Promise<Cost[][]> {
  for (const side of sides) await side.run();
  return interleaved<Cost>(rounds, sides);
}

function pagesOf([http = [], httpTogether = [], postgres = [], postgresTogether = []]: Cost[][]): Pages {
  return { http, httpTogether, postgres, postgresTogether };
}

/** The pages after these first pages, of those that have one, and the number that each first page ended with. */
async function nextPages(client: HttpClient, asks: readonly PeerAsk[]) {
  const found: { at: number; ask: PeerAsk; last: number }[] = [];
  for (const [at, ask] of asks.entries()) {
    const { result } = await client.send(ask);
    if (typeof result === 'string') throw new Error(`${ask.path} was not answered: ${result}`);
    const cursor = searchEnd(result).proximo_cursor;
    const ids = [...result.body.toString().matchAll(/\{"id":"[a-z0-9]+:(\d+)"/gu)];
    const last = Number(ids.at(-1)?.[1]);
    if (cursor === null) continue;
    found.push({ at, last, ask: { ...ask, path: `${ask.path}&cursor=${encodeURIComponent(cursor)}` } });
  }
  return found;
}

function rowsOf({ name, ranks }: Task, compared: Compared): Row[] {
  const { engine, raw, further } = compared;
  const toFts5 = ratioOf(engine, raw);
  return [
    ...pageRows(name, compared),
    ...(further === undefined ? [] : pageRows(`${name}, next page`, further)),
    {
      measure: '  engine to raw FTS5',
      aim: ranks ? '< 1' : '',
      reached: spreadText(toFts5),
      ok: ranks ? toFts5.median < 1 : null,
    },
    info('  engine, FTS5', `${texts([engine, raw])} ms`),
  ];
}

function pageRows(name: string, { http, httpTogether, postgres, postgresTogether }: Pages): Row[] {
  const isLeftOut = postgres.length === 0;
  const row = (measure: string, own: readonly Cost[], peer: readonly Cost[]): Row => {
    if (isLeftOut) return info(measure, 'PostgreSQL left out');
    const ratio = ratioOf(own, peer);
    return { measure, aim: '< 1', reached: spreadText(ratio), ok: ratio.median < 1 };
  };
  const costs = isLeftOut ? [httpTogether, http] : [httpTogether, postgresTogether, http, postgres];
  return [
    row(name, httpTogether, postgresTogether),
    row('  one at a time', http, postgres),
    ...(isLeftOut
      ? []
      : [info('  by wall time', spreadText(ratioOf(httpTogether, postgresTogether, 'wallMs')))]),
    info(isLeftOut ? '  HTTP; one at a time' : '  HTTP, PostgreSQL; one at a time', `${texts(costs)} ms`),
  ];
}

function texts(sides: readonly (readonly Cost[])[]): string {
  return sides.map((costs) => short(cpuOf(costs).median)).join(', ');
}

/** Whether PostgreSQL finds as many decisions as FTS5, which is the service's own judge of what matches. */
async function agree(queries: Queries, raw: RawBase, session: PostgresSession | undefined) {
  if (session === undefined) return { rows: [], details: {} };
  const { ordinary, veryCommon, twoCommon, users, phrases, prefixes, rare } = queries;
  const kinds = {
    'words of the data': [...ordinary, ...rare, veryCommon, twoCommon].map(plain),
    'users’ queries': loose(users).map(plain),
    phrases: phrases.map(phrase),
    prefixes: prefixes.slice(2).flat().map(prefix),
  };
  const rows: Row[] = [];
  const details: Record<string, unknown> = {};
  for (const [name, asked] of Object.entries(kinds)) {
    const counts = await Promise.all(
      asked.map(async ({ q, reader, text }) => {
        const sql = `SELECT count(*)::int AS n FROM decisao WHERE palavras @@ ${reader}('juri', $1)`;
        const [row] = await session.query<{ n: number }>(sql, [text]);
        return { q, fts5: raw.count(fts5Of(q), Number.MAX_SAFE_INTEGER), postgres: row?.n ?? 0 };
      }),
    );
    const same = counts.filter((count) => count.fts5 === count.postgres).length;
    rows.push(info(`  as many matches: ${name}`, `${same} of ${asked.length} queries`));
    details[name] = counts.filter((count) => count.fts5 !== count.postgres);
  }
  return { rows, details };
}
