import { cpSync } from 'node:fs';
import { expect } from 'vitest';
import { readConfig, type Environment } from '../../../src/config/config.ts';
import { keysOf } from '../../../src/contract/records.ts';
import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import { createBases } from '../../../src/index/write/base-file.ts';
import { issueKey } from '../../../src/keys/store.ts';
import { startSystem, type System } from '../../../src/system.ts';
import { capturedLog, type LogLine } from '../../support/captured-log.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';
import { decisions, Loaded } from './support-corpus.ts';
import { Ranking } from './support-content.ts';

export interface Folder {
  readonly dataDir: string;
  readonly key: string;
  readonly loaded: Loaded;
  readonly ranking: Ranking;
}

export interface FaultService extends Folder, AsyncDisposable {
  readonly url: string;
  readonly system: System;
  readonly log: readonly LogLine[];
  stop(): Promise<void>;
}

export interface Options {
  readonly environment?: Environment;
  /** The thread entry of some bases, instead of the service's own. */
  readonly workerEntry?: Partial<Record<Base, string>>;
}

/** Decisions in each base unless a test sets another number. */
export const EACH = 90;
/** A machine that is busy with other things must not look like a base that does not answer. */
export const PATIENT = {
  PORT: '0',
  ADMIN_PORT: '0',
  // One thread a base, unless a test is about more: most of a start is the start of its threads.
  BASES_THREADS: '1',
  BASES_RELEVANCE_MS: '60000',
  BASES_RECENCY_MS: '60000',
  BASES_RECORD_MS: '60000',
  IP_REQUESTS: '1000000',
  // Nor must it fill the log with requests that were slow.
  SLOW_MS: '0',
};

/** A data folder with six loaded bases and one key; nothing has it open. */
export function faultFolder(
  larger: Partial<Record<Base, number>> = {},
  dataDir: string = temporaryFolder(),
): Folder {
  const counts = Object.assign(
    { tst: EACH, stf: EACH, stj: EACH, tjmg: EACH, trt3: EACH, eproc: EACH },
    larger,
  );
  const template = templateOf(counts);
  cpSync(template.dataDir, dataDir, { recursive: true });
  return { ...template, dataDir, loaded: new Loaded(counts) };
}

const templates = new Map<string, Folder>();

/** Folders are loaded once for each size in a test file, and copied. */
function templateOf(counts: Readonly<Record<Base, number>>): Folder {
  const size = Object.values(counts).join();
  const known = templates.get(size);
  if (known !== undefined) return known;
  const dataDir = temporaryFolder();
  createBases(dataDir);
  for (const base of BASES) loadLines(dataDir, base, decisions(base, counts[base]));
  const made = {
    dataDir,
    key: issueKey(dataDir, 'teste', null, new Date()),
    loaded: new Loaded(counts),
    ranking: new Ranking(dataDir, counts),
  };
  templates.set(size, made);
  return made;
}

const WINDOWS = {
  /** Of a base that fails, so that the traffic is not held up by it. */
  short: { relevance_ms: 400, recency_ms: 300, record_ms: 500 },
  /** Of one that is to answer, however busy the machine is. */
  ample: { relevance_ms: 60_000, recency_ms: 60_000, record_ms: 60_000 },
} as const;

/** Short windows of a base from the start of a service on. */
export function impatient(base: Base): Environment {
  const windows = Object.entries(WINDOWS.short);
  return Object.fromEntries(windows.map(([key, ms]) => [`BASES_${base}_${key}`.toUpperCase(), String(ms)]));
}

export async function setWindows(
  { system }: FaultService,
  base: Base,
  which: keyof typeof WINDOWS,
): Promise<void> {
  for (const key of keysOf(WINDOWS[which])) await system.tuning.change(base, key, WINDOWS[which][key]);
  expect(system.tuning.current[base]).toMatchObject(WINDOWS[which]);
}

/** A whole service in this process, with its log kept for reading. */
export function startFaultService(folder: Folder, options: Options = {}): FaultService {
  const { lines, log } = capturedLog('debug');
  const config = readConfig({ ...PATIENT, ...options.environment, DATA_DIR: folder.dataDir });
  const { workerEntry } = options;
  const system = startSystem(config, log, workerEntry === undefined ? {} : { workerEntry });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= system.stop());
  return { ...folder, url: system.url, system, log: lines, stop, [Symbol.asyncDispose]: stop };
}

export function downsOf(log: readonly LogLine[], base: Base): LogLine[] {
  return log.filter((line) => line.msg === 'base down' && line['base'] === base);
}
