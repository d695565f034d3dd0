import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { PlainError } from '../../process/fail.ts';
import { isLoopback } from '../../process/listen.ts';
import { DEFAULTS, KEY_VARIABLE, STEPS_DEFAULT, type LoadOptions } from './options.ts';
import type { GeneratorPlan, Recorded, StepPlan } from './plan.ts';
import { builtInSearches, searchesOf } from './queries.ts';
import { readRecording } from './replay.ts';
import type { Run } from './result.ts';

const BUILT_IN_NAME = 'the built-in list';
/**
 * Batches of a rate. Shorter ones would more often share a slow period of the machine with their neighbours; fewer show
 * smaller differences less often.
 */
const BATCHES_MAX = 10;
const MS_PER_S = 1_000;

export interface LoadPlan {
  readonly generator: GeneratorPlan;
  readonly steps: readonly StepPlan[];
  /** The same as the run's figures have it. */
  readonly plan: Run['plan'];
  readonly recording: Run['recording'];
}

/** What a load asks for and when, each rate of it. */
interface Wanted {
  readonly rates: readonly number[];
  readonly passes: number;
  readonly warmupMs: number;
  readonly durationMs: number;
  readonly searches: readonly string[];
  readonly queries: string;
  readonly recorded?: {
    readonly requests: readonly Recorded[];
    readonly periodMs: number;
    readonly recording: NonNullable<Run['recording']>;
  };
}

/** Makes the plan of a load from the arguments. @throws PlainError with a correction. */
export function planOf(url: string | undefined, options: LoadOptions): LoadPlan {
  const { arrivals, follow, records, limite, ordem, seed, connections, timeout } = options;
  const wanted = options.replay === undefined ? wantedMix(options) : wantedReplay(options, options.replay);
  const { rates, passes, warmupMs, durationMs, searches, queries, recorded } = wanted;
  const batchMs = batchOf(durationMs * passes);
  const times = recorded && { dueMs: recorded.requests.map((one) => one.dueMs), periodMs: recorded.periodMs };
  const pace = { arrivals, seed, warmupMs, durationMs, batchMs, ...(times && { recorded: times }) };
  return {
    generator: {
      url: addressOf(url, options.allowRemote ?? false),
      key: checkedKey(options.key),
      connectionsMax: connections,
      timeoutMs: timeout,
      mix: { searches, follow, records, limite, ordem },
      replay: recorded?.requests ?? null,
      seed,
    },
    steps: rates.map((ratePerS) => ({ ...pace, ratePerS, measuredMs: 0 })),
    plan: {
      rates_per_s: [...rates],
      duration_s: Math.round(durationMs) / MS_PER_S,
      passes,
      batch_s: batchMs / MS_PER_S,
      warmup_s: warmupMs / MS_PER_S,
      arrivals,
      follow,
      records,
      limite,
      ordem,
      queries,
      queries_count: recorded?.requests.length ?? searches.length,
      seed,
      connections,
      timeout_s: timeout / MS_PER_S,
    },
    recording: recorded?.recording ?? null,
  };
}

function wantedMix(options: LoadOptions): Wanted {
  const { queries } = options;
  if (options.speed !== undefined || options.loop === true)
    throw new PlainError('--speed and --loop change a replay; add --replay FILE');
  const rates = ratesOf(options);
  const { passes, warmup, duration } = { ...(rates.length > 1 ? DEFAULTS.sweep : DEFAULTS.one), ...options };
  return {
    rates,
    passes,
    warmupMs: warmup,
    durationMs: duration,
    searches: queries === undefined ? builtInSearches() : searchesOf(queries),
    // A report must not show the folder.
    queries: queries === undefined ? BUILT_IN_NAME : basename(queries),
  };
}

function wantedReplay(options: LoadOptions, file: string): Wanted {
  const own = ['rate', 'rateFrom', 'rateTo', 'steps', 'passes', 'warmup', 'queries'] as const;
  if (own.some((name) => options[name] !== undefined))
    throw new PlainError('--replay has its own requests and times; give only --speed, --loop and --duration');
  if ((options.duration !== undefined) !== (options.loop ?? false))
    throw new PlainError('--loop and --duration go together: a recording is repeated for so long');
  const speed = options.speed ?? 1;
  const { requests: asRecorded, leftOut, data } = readRecording(file);
  const requests = asRecorded.map(({ dueMs, ask }) => ({ dueMs: dueMs / speed, ask }));
  const lastMs = requests.at(-1)?.dueMs ?? 0;
  // After the last request comes the mean gap, also before the recording is repeated.
  const periodMs = Math.max(1, lastMs + lastMs / Math.max(1, requests.length - 1));
  return {
    rates: [tidy((requests.length * MS_PER_S) / periodMs)],
    passes: 1,
    warmupMs: 0,
    durationMs: options.duration ?? periodMs,
    // The first one shows before the load whether the key is good.
    searches: builtInSearches(),
    queries: basename(file),
    recorded: { requests, periodMs, recording: { speed, left_out: leftOut, data: [...data] } },
  };
}

/** The duration of a batch, in whole seconds of a run that has as many. @param totalMs of a rate's passes. */
function batchOf(totalMs: number): number {
  const least = totalMs / BATCHES_MAX;
  return least < MS_PER_S ? least : Math.ceil(least / MS_PER_S) * MS_PER_S;
}

/** Checks before the load that an output file can be written. @throws PlainError, and system errors. */
export function checkWritable(file: string): void {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw new PlainError(`no such folder: ${folder}; create it, or name another file`);
  if (existsSync(file) && statSync(file).isDirectory())
    throw new PlainError(`${file} is a folder; name a file`);
  accessSync(existsSync(file) ? file : folder, constants.W_OK);
}

function addressOf(text: string | undefined, allowRemote: boolean): string {
  if (text === undefined)
    throw new PlainError('which service? give its address, such as http://127.0.0.1:3000');
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new PlainError(`${text} is not an address; write it as http://127.0.0.1:3000`);
  if (url.username !== '' || url.password !== '')
    throw new PlainError('the address has a user or a password; omit them');
  if (url.search !== '' || url.hash !== '')
    throw new PlainError(`give the address without ${url.search}${url.hash}; --queries sets the searches`);
  if (!allowRemote && !isLoopback(url.hostname) && !url.hostname.endsWith('.localhost'))
    throw new PlainError(
      `${url.hostname} is not this machine; to load a host that you are responsible for, add --allow-remote`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}

function checkedKey(key: string | undefined): string {
  if (key === undefined || key === '')
    throw new PlainError(`which key? set ${KEY_VARIABLE} or give --key; bun run keys issue NAME makes one`);
  // Other characters would break the header.
  if (!/^[\w.~+/=-]+$/u.test(key))
    throw new PlainError('the key has characters that no key has; copy it again');
  return key;
}

/** The rates of a sweep form a geometric series, so that a knee is found equally well at any rate. */
function ratesOf({ rate, rateFrom, rateTo, steps }: LoadOptions): number[] {
  if (rateFrom === undefined && rateTo === undefined) {
    if (steps !== undefined)
      throw new PlainError('--steps needs a sweep; give --rate-from and --rate-to too');
    return [rate ?? DEFAULTS.one.rate];
  }
  if (rate !== undefined) throw new PlainError('give --rate, or --rate-from and --rate-to, not both');
  if (rateFrom === undefined || rateTo === undefined)
    throw new PlainError('a sweep needs both --rate-from and --rate-to');
  if (rateTo <= rateFrom) throw new PlainError('--rate-to must be greater than --rate-from');
  const count = steps ?? STEPS_DEFAULT;
  const ratio = (rateTo / rateFrom) ** (1 / (count - 1));
  return Array.from({ length: count }, (_, at) => tidy(rateFrom * ratio ** at));
}

/** Rounds to three digits, enough for a rate. */
function tidy(rate: number): number {
  return Number(rate.toPrecision(rate < 1_000 ? 3 : Math.ceil(Math.log10(rate))));
}
