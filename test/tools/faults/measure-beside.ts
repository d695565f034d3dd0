import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import { HttpClient, type Ask } from '../../../src/tools/load/http-client.ts';
import {
  closedLoop,
  latencies,
  openLoop,
  verdictOf,
  recordAsk,
  searchAsk,
  type Sample,
} from '../measure/load.ts';
import { BIG } from '../measure/build.ts';
import { hostileAsks, type Setting } from './measure-setting.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { countBy, countsText, percentile } from '../measure/stats.ts';
import { pick, randomNumbers } from '../../../src/tools/load/random.ts';

/** Cheap requests of each kind a second: few enough that they do not wait for one another. */
const PER_SECOND = 50;
const HOSTILE_CLIENTS = 16;
/** More than can run at once if no answer comes before all windows end. */
const CONNECTIONS = 256;
/** Before each side is measured, so that files and code are warm and the saturation has set in. */
const WARM_UP_S = 1;
const BIG_AIM = { times: 5, plusMs: 20 };
const OTHERS_AIM = { times: 1.5, plusMs: 0 };

interface Stream {
  readonly name: string;
  /** Its own connections: no kind of request waits here for another. */
  readonly client: HttpClient;
  readonly aim: { readonly times: number; readonly plusMs: number };
  readonly next: () => Ask;
}

interface Side {
  readonly p50: number;
  readonly p99: number;
  readonly verdicts: Readonly<Record<string, number>>;
  /** How late the generator itself sent, p99 milliseconds: what part of the latency is its own. */
  readonly lateness: number;
}

/** Record reads and recency searches of one key on a base that another key’s hostile queries saturate, and on the others. */
export async function measureBeside(setting: Setting): Promise<Finding> {
  await using service = await setting.start();
  const streams = streamsOf(setting, service.url);
  using hostile = new HttpClient(service.url, HOSTILE_CLIENTS);
  using clients = new DisposableStack();
  for (const { client } of streams) clients.use(client);
  setting.say('beside: unloaded');
  await side(streams, WARM_UP_S);
  const unloaded = await side(streams, setting.seconds);
  setting.say(`beside: with ${BIG} saturated`);
  let isOver = false;
  const saturation = closedLoop(hostile, HOSTILE_CLIENTS, hostileFor(setting), () => isOver);
  await side(streams, WARM_UP_S);
  const loaded = await side(streams, setting.seconds);
  isOver = true;
  const load = countsText(countBy(await saturation, verdictOf));
  service.needRunning();
  const rows = streams.flatMap((stream, at) => rowsOf(stream, unloaded[at], loaded[at]));
  const late = Math.max(
    ...unloaded.map(({ lateness }) => lateness),
    ...loaded.map(({ lateness }) => lateness),
  );
  rows.push(
    info('hostile queries of another key', load),
    info("generator's own delay, p99", `${late.toFixed(1)} ms`),
  );
  return { rows, details: { unloaded, loaded } };
}

function streamsOf({ key, words, newest }: Setting, url: string): Stream[] {
  const random = randomNumbers(7);
  const others = BASES.filter((base) => base !== BIG && newest.has(base));
  const record = (base: Base) => recordAsk(key, base, 1 + Math.floor(random() * (newest.get(base) ?? 1)));
  const recency = (base: Base) => searchAsk(key, pick(words.ordinary, random), 'recentes', base);
  const stream = (name: string, aim: Stream['aim'], next: () => Ask) => {
    return { name, aim, next, client: new HttpClient(url, CONNECTIONS) };
  };
  return [
    stream(`records of ${BIG}`, BIG_AIM, () => record(BIG)),
    stream(`recency on ${BIG}`, BIG_AIM, () => recency(BIG)),
    stream('records of the others', OTHERS_AIM, () => record(pick(others, random))),
    stream('recency on the others', OTHERS_AIM, () => recency(pick(others, random))),
  ];
}

function hostileFor({ hostileKey, words }: Setting): () => Ask {
  const asks = hostileAsks(hostileKey, words, BIG);
  const random = randomNumbers(3);
  return () => pick(asks, random);
}

async function side(streams: readonly Stream[], seconds: number): Promise<Side[]> {
  const loads = streams.map(({ client, next }) => openLoop(client, { perSecond: PER_SECOND, seconds, next }));
  return (await Promise.all(loads)).map(sideOf);
}

function sideOf(samples: readonly Sample[]): Side {
  const times = latencies(samples);
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    verdicts: countBy(samples, verdictOf),
    lateness: percentile(
      samples.map(({ sentAt, dueAt }) => sentAt - dueAt),
      0.99,
    ),
  };
}

function rowsOf({ name, aim }: Stream, unloaded?: Side, loaded?: Side): Row[] {
  if (unloaded === undefined || loaded === undefined) return [];
  const most = unloaded.p99 * aim.times + aim.plusMs;
  const rows: Row[] = [
    {
      measure: `${name}, p99`,
      aim: `<= ${most.toFixed(1)} ms`,
      reached: `${msText(loaded.p99)} (unloaded ${msText(unloaded.p99)})`,
      ok: loaded.p99 <= most,
    },
    info('  p50', `${msText(loaded.p50)} (unloaded ${msText(unloaded.p50)})`),
  ];
  const failed = Object.keys(loaded.verdicts).some((verdict) => verdict !== 'complete');
  if (failed) rows.push(info('  answers', countsText(loaded.verdicts)));
  return rows;
}

function msText(ms: number): string {
  return Number.isFinite(ms) ? `${ms.toFixed(1)} ms` : 'unanswered';
}
