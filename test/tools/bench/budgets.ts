import type { Base } from '../../../src/contract/vocabulary.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { closedLoop, inTurn, latency, serverMs, verdictOf } from '../measure/load.ts';
import type { Sample, SearchAsk } from '../measure/load.ts';
import { searchEnd } from '../../../src/tools/load/answer.ts';
import { BIG } from '../measure/build.ts';
import { hostileAsks, windowsOf } from './hostile.ts';
import { startCold, type Bench } from './setting.ts';
import { wordsOf } from '../measure/words.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { countBy, countsText, percentile } from '../measure/stats.ts';

/** Allowance beyond the windows for the system's scheduling. */
const GRACE_MS = 50;
const CLIENTS = [1, 16] as const;

interface Went {
  readonly q: string;
  readonly ordem: string;
  readonly verdict: string;
  readonly aplicada: string;
  readonly ms: number;
  readonly serverMs: number;
  /** Time beyond the windows; below zero within them. */
  readonly overMs: number;
  readonly serverOverMs: number;
}

/** No search takes longer than its windows, whatever the query, alone and in a crowd, on one base and on six. */
export async function measureBudgets(bench: Bench): Promise<Finding> {
  const set = await bench.six(false);
  await using running = await startCold(set);
  const { service } = running;
  using client = new HttpClient(service.url, Math.max(...CLIENTS));
  const windowsMs = windowsOf(set.dataDir);
  const rows: Row[] = [];
  const details: Record<string, readonly Went[]> = {};
  for (const base of [BIG, null]) {
    for (const clients of CLIENTS) {
      const name = nameOf(base, clients);
      bench.say(`budgets: ${name}`);
      const asks = hostileAsks(running.key, wordsOf(), base);
      const samples = await run(asks, client, clients, bench.seconds);
      const went = samples.map((sample) => wentOf(sample, windowsMs[sample.ask.ordem]));
      service.needRunning();
      rows.push(...rowsOf(name, went));
      details[name] = went;
    }
  }
  rows.push(...byQuery(details[nameOf(BIG, 1)] ?? []));
  return { rows, details };
}

function nameOf(base: Base | null, clients: number): string {
  return `${base ?? 'six bases'}, ${clients} at once`;
}

/** Every query once in both orders; with many in flight, repeated for a load's duration. */
async function run(
  asks: readonly SearchAsk[],
  client: HttpClient,
  clients: number,
  seconds: number,
): Promise<Sample<SearchAsk>[]> {
  const until = performance.now() + seconds * 1000;
  const nextAsk = inTurn(asks);
  let sent = 0;
  const next = () => {
    // Each once; with many in flight, as often as the time allows.
    if (sent >= asks.length && (clients === 1 || performance.now() > until)) return null;
    sent += 1;
    return nextAsk();
  };
  return closedLoop(client, clients, next);
}

function wentOf(sample: Sample<SearchAsk>, windowsMs: number): Went {
  const { ask, result } = sample;
  const isAnswer = typeof result !== 'string' && result.status === 200;
  const end = isAnswer ? searchEnd(result) : null;
  const own = isAnswer && end !== null ? serverMs(result, end) : 0;
  const aplicadas = new Set(end?.por_base.map(({ ordem_aplicada }) => ordem_aplicada));
  const ms = latency(sample);
  return {
    q: ask.q,
    ordem: ask.ordem,
    verdict: verdictOf(sample),
    aplicada: [...aplicadas].join('+'),
    ms: rounded(ms),
    serverMs: own,
    overMs: rounded(ms - windowsMs),
    serverOverMs: own - windowsMs,
  };
}

function rowsOf(name: string, went: readonly Went[]): Row[] {
  const row = (measure: string, over: number[]) => {
    const most = Math.max(...over);
    const text = `worst ${signed(most)}, p99 ${signed(percentile(over, 0.99))} ms`;
    return { measure, aim: `<= +${GRACE_MS} ms`, reached: text, ok: most <= GRACE_MS };
  };
  const client = went.map(({ overMs }) => overMs);
  const service = went.map(({ serverOverMs }) => serverOverMs);
  return [
    row(`${name}: over windows`, client),
    row("  by the service's own clock", service),
    {
      measure: '  answers',
      aim: 'only 200',
      reached: countsText(countBy(went, ({ verdict }) => verdict)),
      ok: went.every(({ verdict }) => verdict === 'complete' || verdict === 'incomplete'),
    },
  ];
}

const QUERY_WIDTH = 24;

/** What each query got when it was alone: the time by relevance, and how that was answered, and by recency. */
function byQuery(went: readonly Went[]): Row[] {
  const asked = went.filter(({ ordem }) => ordem === 'relevancia');
  const rows = asked.map((one) => {
    const recency = went.find(({ q, ordem }) => q === one.q && ordem === 'recentes');
    const short = one.q.length > QUERY_WIDTH ? `${one.q.slice(0, QUERY_WIDTH - 1)}…` : one.q;
    return info(`  ${short}`, `${timeOf(one)} ms; ${recency === undefined ? '' : timeOf(recency)} ms`);
  });
  return [info(`alone on ${BIG}`, `${rows.length} queries, by relevance; by recency`), ...rows];
}

function timeOf({ ms, verdict, ordem, aplicada }: Went): string {
  const time = ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
  if (verdict !== 'complete') return `${verdict} ${time}`;
  return ordem === aplicada ? time : `${aplicada} ${time}`;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function signed(ms: number): string {
  return `${ms > 0 ? '+' : ''}${Math.round(ms)}`;
}
