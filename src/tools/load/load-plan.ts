import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { PlainError } from '../../process/fail.ts';
import { isLoopback } from '../../process/listen.ts';
import { DEFAULTS, KEY_VARIABLE, STEPS_DEFAULT, type LoadOptions } from './options.ts';
import type { Load } from './plan.ts';
import { builtInSearches, searchesOf } from './queries.ts';
import { readRecording } from './replay.ts';

/**
 * Batches of a rate. Shorter ones would more often share a slow period of the machine with their neighbours; fewer show
 * smaller differences less often.
 */
const BATCHES_MAX = 10;
const MS_PER_S = 1_000;

/** What is asked for and when; times in milliseconds. */
interface Wanted extends Pick<Load, 'searches' | 'replay'> {
  readonly rates: readonly number[];
  readonly passes: number;
  readonly warmup: number;
  readonly duration: number;
  readonly queries: string;
}

/** Plans a load from the arguments. @throws PlainError with a correction. */
export function loadOf(url: string | undefined, options: LoadOptions): Load {
  const { arrivals, follow, records, limite, ordem, seed, connections, timeout, replay: file } = options;
  const wanted = file === undefined ? mixOf(options) : replayOf(options, file);
  const { rates, passes, warmup, duration, queries, searches, replay } = wanted;
  return {
    url: addressOf(url, options.allowRemote ?? false),
    key: checkedKey(options.key),
    searches,
    replay,
    plan: {
      rates_per_s: [...rates],
      duration_s: duration / MS_PER_S,
      passes,
      batch_s: batchOf(duration * passes) / MS_PER_S,
      warmup_s: warmup / MS_PER_S,
      arrivals,
      follow,
      records,
      limite,
      ordem,
      queries,
      queries_count: (replay?.requests ?? searches).length,
      seed,
      connections,
      timeout_s: timeout / MS_PER_S,
    },
  };
}

function mixOf(options: LoadOptions): Wanted {
  const { queries } = options;
  if (options.speed !== undefined || options.loop === true)
    throw new PlainError('--speed and --loop change a replay; add --replay FILE');
  const rates = ratesOf(options);
  return {
    ...(rates.length > 1 ? DEFAULTS.sweep : DEFAULTS.one),
    ...options,
    rates,
    searches: queries === undefined ? builtInSearches() : searchesOf(queries),
    // A report must not show the folder.
    queries: queries === undefined ? 'the built-in list' : basename(queries),
    replay: null,
  };
}

function replayOf(options: LoadOptions, file: string): Wanted {
  const own = ['rate', 'rateFrom', 'rateTo', 'steps', 'passes', 'warmup', 'queries'] as const;
  if (own.some((name) => options[name] !== undefined))
    throw new PlainError('--replay has its own requests and times; give only --speed, --loop and --duration');
  if ((options.duration !== undefined) !== (options.loop ?? false))
    throw new PlainError('--loop and --duration go together: a recording is repeated for so long');
  const replay = readRecording(file, options.speed ?? 1);
  const { requests, periodMs } = replay;
  return {
    rates: [tidy((requests.length * MS_PER_S) / periodMs)],
    passes: 1,
    warmup: 0,
    duration: options.duration ?? periodMs,
    // The first one shows before the load whether the key is good.
    searches: builtInSearches(),
    queries: basename(file),
    replay,
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
