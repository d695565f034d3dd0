import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { PlainError } from '../../process/fail.ts';
import { isLoopback } from '../../process/listen.ts';
import { DEFAULTS, KEY_VARIABLE, STEPS_DEFAULT, type LoadOptions } from './options.ts';
import type { GeneratorPlan, StepPlan } from './plan.ts';
import { builtInSearches, searchesOf } from './queries.ts';
import { readRecording } from './replay.ts';
import type { Run } from './result.ts';

const BUILT_IN_NAME = 'built-in';
const UNIQUE_NAME = 'unique';
/**
 * Batches of a rate. Shorter ones would more often share a slow period of the machine with their neighbours; fewer show
 * smaller differences less often.
 */
const BATCHES_MAX = 10;
const MS_PER_S = 1_000;

export interface LoadPlan {
  readonly generator: GeneratorPlan;
  readonly steps: readonly StepPlan[];
  readonly passes: number;
  readonly threads: number;
  readonly queries: string;
  /** True if the searches of the mix only supply words for the real ones. */
  readonly isUnique: boolean;
  readonly saveQueries: string | null;
  readonly recording: Run['recording'];
}

/** Makes the plan of a load from the arguments. @throws PlainError with a correction. */
export function planOf(url: string | undefined, options: LoadOptions): LoadPlan {
  const { key, queries, follow, records, limite, ordem, seed, connections, timeout, workers } = options;
  const isUnique = options.unique ?? false;
  if (isUnique && queries !== undefined)
    throw new PlainError('--unique makes its own queries; omit --queries or --unique');
  if (!isUnique && options.saveQueries !== undefined)
    throw new PlainError('--save-queries writes the queries of --unique; add --unique');
  const searches = queries === undefined ? builtInSearches() : searchesOf(queries);
  if (options.replay !== undefined) return replayPlan(url, options, options.replay);
  if (options.speed !== undefined || options.loop === true)
    throw new PlainError('--speed and --loop change a replay; add --replay FILE');
  const rates = ratesOf(options);
  const given = { ...(rates.length > 1 ? DEFAULTS.sweep : DEFAULTS.one), ...options };
  return {
    generator: {
      url: addressOf(url, options.allowRemote ?? false),
      key: checkedKey(key),
      connectionsMax: connections,
      timeoutMs: timeout,
      mix: { searches, follow, records, limite, ordem, isUnique },
      replay: null,
      seed,
    },
    steps: stepsOf(rates, given),
    passes: given.passes,
    threads: workers,
    // A report must not show the folder.
    queries: isUnique ? UNIQUE_NAME : queries === undefined ? BUILT_IN_NAME : basename(queries),
    isUnique,
    saveQueries: options.saveQueries ?? null,
    recording: null,
  };
}

/** One thread sends a recording, because a cursor comes from the answer before it. */
function replayPlan(url: string | undefined, options: LoadOptions, file: string): LoadPlan {
  const given: readonly (keyof LoadOptions)[] = ['rate', 'rateFrom', 'rateTo', 'steps', 'passes', 'warmup'];
  const own: readonly (keyof LoadOptions)[] = [...given, 'unique', 'queries'];
  const isOther = own.some((name) => options[name] !== undefined) || options.workers > 1;
  if (isOther)
    throw new PlainError('--replay has its own requests and times; give only --speed, --loop and --duration');
  if ((options.duration !== undefined) !== (options.loop ?? false))
    throw new PlainError('--loop and --duration go together: a recording is repeated for so long');
  const { requests, leftOut, data } = readRecording(file);
  const speed = options.speed ?? 1;
  const lastMs = requests.at(-1)?.dueMs ?? 0;
  // After the last request comes the mean gap, also before the recording is repeated.
  const periodMs = Math.max(1, (lastMs + lastMs / Math.max(1, requests.length - 1)) / speed);
  const { arrivals, seed, follow, records, limite, ordem } = options;
  const durationMs = options.duration ?? periodMs;
  const dueMs = requests.map((one) => one.dueMs / speed);
  const step = {
    ratePerS: tidy((requests.length * MS_PER_S) / periodMs),
    arrivals,
    seed,
    warmupMs: 0,
    durationMs,
  };
  const mix = { searches: builtInSearches(), follow, records, limite, ordem, isUnique: false };
  return {
    generator: {
      url: addressOf(url, options.allowRemote ?? false),
      key: checkedKey(options.key),
      connectionsMax: options.connections,
      timeoutMs: options.timeout,
      mix,
      replay: requests,
      seed,
    },
    steps: [
      { ...step, measuredMs: 0, batchMs: batchOf(durationMs), phase: 0, recorded: { dueMs, periodMs } },
    ],
    passes: 1,
    threads: 1,
    queries: basename(file),
    isUnique: false,
    saveQueries: null,
    recording: { speed, left_out: leftOut, data: [...data] },
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

function stepsOf(
  rates: readonly number[],
  {
    duration,
    warmup,
    passes,
    arrivals,
    seed,
  }: LoadOptions & Required<Pick<LoadOptions, 'duration' | 'warmup' | 'passes'>>,
): StepPlan[] {
  const batchMs = batchOf(duration * passes);
  return rates.map((ratePerS) => ({
    ratePerS,
    arrivals,
    warmupMs: warmup,
    durationMs: duration,
    measuredMs: 0,
    batchMs,
    phase: 0,
    seed,
  }));
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
