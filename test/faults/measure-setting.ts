import { readConfig } from '../../src/config.ts';
import { PlainError } from '../../src/cli/fail.ts';
import { BASES, type Base, type Ordem } from '../../src/contract/enums.ts';
import { issueKey, revokeKey } from '../../src/keys/store.ts';
import { HttpClient } from './measure-http.ts';
import { firstNumber, verdictOf } from './measure-load.ts';
import { searchAsk } from './measure-queries.ts';
import { basesEnvironment, startChild, type ServiceChild } from './measure-service.ts';
import { wordsOf, type Words } from './measure-words.ts';

/** What every measurement needs; each starts a service of its own, so that none inherits another's state. */
export interface Setting {
  readonly dataDir: string;
  readonly key: string;
  readonly words: Words;
  /** Length of each load. */
  readonly seconds: number;
  /** Most connections of the generator in the overload. */
  readonly connections: number;
  /** All windows of a first page together, milliseconds, of the base that has the longest. */
  readonly windowsMs: Readonly<Record<Ordem, number>>;
  /** The highest number of each base that has a decision. */
  readonly newest: ReadonlyMap<Base, number>;
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<ServiceChild>;
  readonly say: (line: string) => void;
}

/** One line of the table; `ok` null where there is no aim. */
export interface Row {
  readonly measure: string;
  readonly aim: string;
  readonly reached: string;
  readonly ok: boolean | null;
}

/** What a measurement found: lines of the table, and all else for the JSON. */
export interface Finding {
  readonly rows: readonly Row[];
  readonly details: unknown;
}

const QUOTA = 1_000_000_000;
const READY_MS_MAX = 120_000;
const READY_POLL_MS = 50;

/** Starts the service and waits until all six bases answer. @throws PlainError when they do not. */
export async function startReady(
  dataDir: string,
  key: string,
  word: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceChild> {
  const service = await startChild(dataDir, environment);
  const client = new HttpClient(service.url, 1);
  const until = performance.now() + READY_MS_MAX;
  let verdict = '';
  let polls = 0;
  try {
    while (verdict !== 'complete') {
      service.needRunning();
      if (performance.now() > until) {
        throw new PlainError(`the bases do not answer (${verdict}): ${service.log().at(-1) ?? ''}`);
      }
      polls += 1;
      // Behind a per-IP limit each poll is another client.
      const from = `10.0.${polls >> 8}.${polls & 255}`;
      verdict = verdictOf(await client.send({ ...searchAsk(key, word, 'recentes', null, 1), from }));
      if (verdict !== 'complete') await Bun.sleep(READY_POLL_MS);
    }
  } catch (error) {
    await service.stop();
    throw error;
  } finally {
    client.close();
  }
  return service;
}

/** Runs work with a key of its own, which is revoked after it, and with what the bases hold looked up. */
export async function withSetting<T>(
  given: Pick<Setting, 'dataDir' | 'seconds' | 'connections' | 'say'>,
  work: (setting: Setting) => Promise<T>,
): Promise<T> {
  const { dataDir } = given;
  const { key, revoke } = temporaryKey(dataDir, QUOTA);
  try {
    const words = wordsOf();
    const word = words.common[0] ?? 'de';
    const start = (environment = {}) => startReady(dataDir, key, word, environment);
    const newest = await newestOf(await start(), key, word);
    return await work({ ...given, key, words, windowsMs: windowsOf(dataDir), newest, start });
  } finally {
    revoke();
  }
}

/** A key that is revoked by `revoke`, and also when this process ends before. */
export function temporaryKey(dataDir: string, quota: number): { key: string; revoke: () => void } {
  const name = `faults-${process.pid}-${Date.now()}`;
  const key = issueKey(dataDir, name, quota, new Date());
  const end = () => revokeKey(dataDir, name, new Date());
  process.once('exit', end);
  return {
    key,
    revoke: () => {
      process.off('exit', end);
      end();
    },
  };
}

/** By a search for a word that all but every decision has, newest first: nothing else tells over HTTP. */
async function newestOf(service: ServiceChild, key: string, word: string): Promise<Map<Base, number>> {
  const client = new HttpClient(service.url, 1);
  const newest = new Map<Base, number>();
  for (const base of BASES) {
    const reply = await client.send(searchAsk(key, word, 'recentes', base, 1));
    if (verdictOf(reply) !== 'complete') throw new PlainError(`base ${base} does not answer any more`);
    const numero = typeof reply.result === 'string' ? null : firstNumber(reply.result);
    if (numero !== null) newest.set(base, numero);
  }
  client.close();
  await service.stop();
  return newest;
}

function windowsOf(dataDir: string): Record<Ordem, number> {
  const { bases } = readConfig({ ...basesEnvironment(), DATA_DIR: dataDir });
  const longest = (sum: (base: Base) => number) => Math.max(...BASES.map(sum));
  const recentes = longest((base) => bases[base].recency_ms + bases[base].count_ms);
  return { recentes, relevancia: longest((base) => bases[base].relevance_ms) + recentes };
}
