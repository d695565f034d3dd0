import { BASES } from '../../../src/contract/vocabulary.ts';
import { HttpClient, type Ask } from '../../../src/tools/load/http-client.ts';
import { pick, randomNumbers } from '../../../src/tools/load/random.ts';
import { recordAsk, searchAsk, verdictOf, closedLoop, latencies, type Sample } from '../measure/load.ts';
import { aimed, info, type Finding, type Row } from '../measure/report.ts';
import { temporaryKey } from '../measure/service.ts';
import { percentile } from '../measure/stats.ts';
import { isFallback } from './generator.ts';
import { startWarm, type Bench } from './setting.ts';

/** Whose requests are measured, and with whose. */
interface Keys {
  readonly url: string;
  readonly own: string;
  readonly other: string;
  readonly ordinary: readonly string[];
  readonly decisions: number;
  readonly seconds: number;
}

interface Got {
  readonly answered: number;
  readonly p50: number;
  readonly p99: number;
  /** Every base answered, by the order that was asked. */
  readonly whole: number;
  /** Every base answered, one at least by recency instead. */
  readonly fellBack: number;
}
type Streams = Readonly<Record<string, Got>>;
type Sides = Readonly<Record<'alone' | 'hostile' | 'cheap' | 'expensive' | 'bothExpensive', Streams>>;

const HOSTILE_IN_FLIGHT = 16;
const CHEAP_IN_FLIGHT = 64;
const LETTERS = [...'abcdefilmnoprstuv'];
/** Times as long as alone. */
const AIMS = { search: 2, searchP99: 6, record: 1.5, expensive: 4, cheap: 3 };

/** What a key waits for alone, and beside many expensive or cheap searches of another, as a ratio. */
export async function measureFairness(bench: Bench): Promise<Finding> {
  const set = await bench.six(false);
  const { queries, seconds } = bench;
  using own = temporaryKey('own', set.dataDir);
  using other = temporaryKey('other', set.dataDir);
  const { decisions } = set;
  const keys = { own: own.key, other: other.key, ordinary: queries.ordinary, decisions, seconds };
  await using running = await startWarm(set, bench);
  const sides = await sidesOf({ ...keys, url: running.service.url });
  return { rows: rowsOf(sides), details: { decisions } };
}

async function sidesOf(keys: Keys): Promise<Sides> {
  const random = randomNumbers(11);
  const ordinary = (key: string) => () => searchAsk(key, pick(keys.ordinary, random), 'relevancia', null);
  const hostile = (key: string) => () => searchAsk(key, hostileQuery(random), 'relevancia', null);
  const record = () => recordAsk(keys.own, pick(BASES, random), 1 + Math.floor(random() * keys.decisions));
  const calm = { search: ordinary(keys.own), record };
  const expensive = { expensive: hostile(keys.own) };
  const sixteen = { next: hostile(keys.other), inFlight: HOSTILE_IN_FLIGHT };
  const run = (own: Own, others: Others | null) => streams(keys, own, others);
  return {
    alone: await run(calm, null),
    hostile: await run(calm, sixteen),
    cheap: await run(calm, { next: ordinary(keys.other), inFlight: CHEAP_IN_FLIGHT }),
    expensive: await run(expensive, null),
    bothExpensive: await run(expensive, sixteen),
  };
}

type Own = Readonly<Record<string, () => Ask>>;
interface Others {
  readonly next: () => Ask;
  readonly inFlight: number;
}

/** Prefixes of one letter: each stands for thousands of words. No two are the same for long. */
function hostileQuery(random: () => number): string {
  const letter = () => pick(LETTERS, random);
  if (random() < 0.5) return `NEAR(${letter()}* ${letter()}*, ${10 + Math.floor(random() * 50)})`;
  return `${letter()}* OR ${letter()}* OR ${letter()}* OR ${letter()}*`;
}

/** Sends each kind of the own requests one after the other, and so many of the others at once. */
async function streams({ url, seconds }: Keys, own: Own, others: Others | null): Promise<Streams> {
  const until = performance.now() + seconds * 1_000;
  const start = async (next: () => Ask, inFlight: number, name: string): Promise<[string, Got]> => {
    const client = new HttpClient(url, inFlight);
    const samples = await closedLoop(client, inFlight, next, () => performance.now() > until);
    client.close();
    return [name, gotOf(samples)];
  };
  const running = Object.entries(own).map(([name, next]) => start(next, 1, name));
  if (others !== null) running.push(start(others.next, others.inFlight, 'others'));
  return Object.fromEntries(await Promise.all(running));
}

function gotOf(samples: readonly Sample[]): Got {
  const times = latencies(samples);
  const whole = samples.filter((sample) => verdictOf(sample) === 'complete');
  const fellBack = whole.filter(isFallback).length;
  return {
    answered: samples.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    whole: whole.length - fellBack,
    fellBack,
  };
}

function rowsOf({ alone, hostile, cheap, expensive, bothExpensive }: Sides): Row[] {
  type Pair = readonly [before: Got | undefined, beside: Got | undefined];
  const row = (measure: string, [before = NONE, beside = NONE]: Pair, p: 'p50' | 'p99', aim: number): Row => {
    const text = `${msText(before[p])} alone, ${msText(beside[p])}`;
    return aimed(measure, beside[p] / before[p], aim, ' times', text);
  };
  const search: Pair = [alone['search'], hostile['search']];
  const dear: Pair = [expensive['expensive'], bothExpensive['expensive']];
  return [
    row('search beside 16 expensive ones, p50', search, 'p50', AIMS.search),
    row('  p99', search, 'p99', AIMS.searchP99),
    row('record beside the same, p50', [alone['record'], hostile['record']], 'p50', AIMS.record),
    answers('  answers', { ...alone, ...hostile }),
    row('expensive search beside the same, p50', dear, 'p50', AIMS.expensive),
    answers('  answers alone', expensive),
    answers('  answers beside', bothExpensive),
    row('search beside 64 cheap ones, p50', [alone['search'], cheap['search']], 'p50', AIMS.cheap),
    answers('  answers', cheap),
  ];
}

const NONE: Got = { answered: 0, p50: Number.NaN, p99: Number.NaN, whole: 0, fellBack: 0 };

function answers(measure: string, streamsOf: Streams): Row {
  const texts = Object.entries(streamsOf).map(
    ([name, { answered, whole, fellBack }]) =>
      `${name}: ${whole} whole and ${fellBack} fallen back of ${answered}`,
  );
  return info(measure, texts.join(', '));
}

function msText(ms: number): string {
  return Number.isFinite(ms) ? `${ms.toFixed(1)} ms` : '0 in time';
}
