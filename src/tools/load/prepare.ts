import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { PlainError } from '../../process/fail.ts';
import {
  DURATION_DEFAULT_MS,
  KEY_VARIABLE,
  RATE_DEFAULT,
  STEPS_DEFAULT,
  SWEEP_DURATION_DEFAULT_MS,
  type LoadOptions,
} from './options.ts';
import { needNoKnee, type Condition } from './fail-if.ts';
import type { GeneratorPlan, StepPlan } from './plan.ts';
import { builtInSearches, searchesOf } from './queries.ts';

export const BUILT_IN_NAME = 'built-in';
export const UNIQUE_NAME = 'unique';
/** Points of a time line: more would be narrower than a screen can show. */
const POINTS_MAX = 300;
const SLOT_MS = 1_000;
const SHORT_MS = 10_000;
const SHORT_SLOT_MS = 250;

export interface LoadPlan {
  readonly generator: GeneratorPlan;
  readonly steps: readonly StepPlan[];
  readonly threads: number;
  readonly queries: string;
  /** The searches of the mix are only where the words of others come from. */
  readonly isUnique: boolean;
  /** A file for the queries that were made. */
  readonly saveQueries: string | null;
  readonly failIf: readonly Condition[];
}

/** Makes the plan of a load from what was typed. @throws PlainError that says the mend. */
export function planOf(url: string | undefined, options: LoadOptions): LoadPlan {
  const { key, queries, follow, records, limite, ordem, seed, connections, timeout, workers } = options;
  const isUnique = options.unique ?? false;
  if (isUnique && queries !== undefined)
    throw new PlainError('--unique makes its own queries; leave --queries out, or --unique');
  if (!isUnique && options.saveQueries !== undefined)
    throw new PlainError('--save-queries writes the queries of --unique; give that too');
  const searches = queries === undefined ? builtInSearches() : searchesOf(queries);
  const steps = stepsOf(options);
  const failIf = options.failIf ?? [];
  if (steps.length === 1) needNoKnee(failIf);
  return {
    generator: {
      url: addressOf(url, options.allowRemote ?? false),
      key: checkedKey(key),
      connectionsMax: connections,
      timeoutMs: timeout,
      mix: { searches, follow, records, limite, ordem, isUnique },
      seed,
    },
    steps,
    threads: workers,
    // The folder it lies in is no part of a report.
    queries: isUnique ? UNIQUE_NAME : queries === undefined ? BUILT_IN_NAME : basename(queries),
    isUnique,
    saveQueries: options.saveQueries ?? null,
    failIf,
  };
}

/** Looks before the load whether what it ends in can be written. @throws PlainError, and the system's errors. */
export function needWritable(file: string): void {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw new PlainError(`no such folder: ${folder}; make it, or name another file`);
  if (existsSync(file) && statSync(file).isDirectory())
    throw new PlainError(`${file} is a folder; name a file`);
  accessSync(existsSync(file) ? file : folder, constants.W_OK);
}

function addressOf(text: string | undefined, allowRemote: boolean): string {
  if (text === undefined)
    throw new PlainError('which service? give its address, such as http://127.0.0.1:3000');
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new PlainError(`${text} is no address; write it as http://127.0.0.1:3000`);
  if (url.username !== '' || url.password !== '')
    throw new PlainError('the address holds a user or a password; leave them out');
  if (url.search !== '' || url.hash !== '')
    throw new PlainError(`give the address without ${url.search}${url.hash}; --queries says what is asked`);
  if (!allowRemote && !isLoopback(url.hostname))
    throw new PlainError(
      `${url.hostname} is not this machine; to load a host you answer for, add --allow-remote`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  const address = hostname.replace(/^\[(.*)\]$/u, '$1');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

function checkedKey(key: string | undefined): string {
  if (key === undefined || key === '')
    throw new PlainError(`which key? set ${KEY_VARIABLE} or give --key; bun run keys issue NAME makes one`);
  // Anything else would end the header it stands in.
  if (!/^[\w.~+/=-]+$/u.test(key))
    throw new PlainError('the key holds characters that no key has; copy it again');
  return key;
}

function stepsOf(options: LoadOptions): StepPlan[] {
  const rates = ratesOf(options);
  const isSweep = rates.length > 1;
  const durationMs = options.duration ?? (isSweep ? SWEEP_DURATION_DEFAULT_MS : DURATION_DEFAULT_MS);
  const least = durationMs < SHORT_MS ? SHORT_SLOT_MS : SLOT_MS;
  const slotMs = Math.max(least, Math.ceil((durationMs * rates.length) / POINTS_MAX / least) * least);
  return rates.map((ratePerS, at) => ({
    ratePerS,
    arrivals: options.arrivals,
    warmupMs: options.warmup,
    durationMs,
    slotMs,
    phase: 0,
    seed: options.seed + at,
  }));
}

/** Each rate of a sweep is the same times the one before: a knee is as well found at 100 as at 10,000. */
function ratesOf({ rate, rateFrom, rateTo, steps }: LoadOptions): number[] {
  if (rateFrom === undefined && rateTo === undefined) {
    if (steps !== undefined)
      throw new PlainError('--steps is of a sweep; give --rate-from and --rate-to too');
    return [rate ?? RATE_DEFAULT];
  }
  if (rate !== undefined) throw new PlainError('give --rate, or --rate-from and --rate-to, not both');
  if (rateFrom === undefined || rateTo === undefined)
    throw new PlainError('a sweep needs both --rate-from and --rate-to');
  if (rateTo <= rateFrom) throw new PlainError('--rate-to must be greater than --rate-from');
  const count = steps ?? STEPS_DEFAULT;
  const ratio = (rateTo / rateFrom) ** (1 / (count - 1));
  return Array.from({ length: count }, (_, at) => tidy(rateFrom * ratio ** at));
}

/** Three digits are enough for a rate. */
function tidy(rate: number): number {
  return Number(rate.toPrecision(rate < 1_000 ? 3 : Math.ceil(Math.log10(rate))));
}
