import { readConfig } from '../../../src/config/config.ts';
import { PlainError } from '../../../src/process/fail.ts';
import { BASES, type Base, type Ordem } from '../../../src/contract/vocabulary.ts';
import { searchAsk } from '../measure/asks.ts';
import { BIG } from '../measure/build.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { firstNumber } from '../measure/load.ts';
import { verdictOf } from '../measure/verdict.ts';
import { startReady, temporaryKey } from '../measure/ready.ts';
import { basesEnvironment, type ServiceChild } from '../measure/service.ts';
import { wordsOf, type Words } from '../measure/words.ts';

/** What every measurement needs; each starts a new service, so that none inherits another's state. */
export interface Setting {
  readonly dataDir: string;
  readonly key: string;
  /** Of whoever sends hostile queries while others ask. */
  readonly hostileKey: string;
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

const QUOTA = 1_000_000_000;
/** Others than the big base hold a fiftieth of its decisions, but no fewer than this. */
const OTHERS_MIN = 200;

/** Decisions of each base. */
export function countsOf(decisions: number): Readonly<Record<string, number>> {
  const others = Math.max(OTHERS_MIN, Math.round(decisions / 50));
  return Object.fromEntries(BASES.map((base) => [base, base === BIG ? decisions : others]));
}

/** Runs work with two keys, which are revoked after it, and with what the bases hold looked up. */
export async function withSetting<T>(
  given: Pick<Setting, 'dataDir' | 'seconds' | 'connections' | 'say'>,
  work: (setting: Setting) => Promise<T>,
): Promise<T> {
  const { dataDir } = given;
  const [own, hostile] = [
    temporaryKey('faults', dataDir, QUOTA),
    temporaryKey('faults-hostile', dataDir, QUOTA),
  ] as const;
  const { key } = own;
  try {
    const words = wordsOf();
    const word = words.common[0] ?? 'de';
    const start = (environment = {}) => startReady(dataDir, key, word, environment);
    const newest = await newestOf(await start(), key, word);
    const keys = { key, hostileKey: hostile.key };
    return await work({ ...given, ...keys, words, windowsMs: windowsOf(dataDir), newest, start });
  } finally {
    own.revoke();
    hostile.revoke();
  }
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
