import { readConfig } from '../../../src/config/config.ts';
import { PlainError } from '../../../src/process/fail.ts';
import { BASES, Q_MAX, ORDENS, type Base, type Ordem } from '../../../src/contract/vocabulary.ts';
import { searchAsk, firstNumber, verdictOf, type SearchAsk } from '../measure/load.ts';
import { BIG } from '../measure/build.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { startReady, temporaryKey, basesEnvironment, type ServiceChild } from '../measure/service.ts';
import { wordsOf, type Words } from '../measure/words.ts';

/** What every measurement needs; each starts a new service, so that none inherits another's state. */
export interface Setting {
  readonly dataDir: string;
  readonly key: string;
  /** Of whoever sends hostile queries while others ask. */
  readonly hostileKey: string;
  readonly words: Words;
  readonly seconds: number;
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
  using own = temporaryKey('faults', dataDir, QUOTA);
  using hostile = temporaryKey('faults-hostile', dataDir, QUOTA);
  const { key } = own;
  const words = wordsOf();
  const word = words.common[0] ?? 'de';
  const start = (environment = {}) => startReady(dataDir, key, word, environment);
  const newest = await newestOf(start, key, word);
  const keys = { key, hostileKey: hostile.key };
  return await work({ ...given, ...keys, words, windowsMs: windowsOf(dataDir), newest, start });
}

/** By a search for a word that all but every decision has, newest first: nothing else tells over HTTP. */
async function newestOf(start: Setting['start'], key: string, word: string): Promise<Map<Base, number>> {
  await using service = await start();
  using client = new HttpClient(service.url, 1);
  const newest = new Map<Base, number>();
  for (const base of BASES) {
    const reply = await client.send(searchAsk(key, word, 'recentes', base, 1));
    if (verdictOf(reply) !== 'complete') throw new PlainError(`base ${base} does not answer any more`);
    const numero = typeof reply.result === 'string' ? null : firstNumber(reply.result);
    if (numero !== null) newest.set(base, numero);
  }
  return newest;
}

function windowsOf(dataDir: string): Record<Ordem, number> {
  const { bases } = readConfig({ ...basesEnvironment(), DATA_DIR: dataDir });
  const longest = (sum: (base: Base) => number) => Math.max(...BASES.map(sum));
  const recentes = longest((base) => bases[base].recency_ms + bases[base].count_ms);
  return { recentes, relevancia: longest((base) => bases[base].relevance_ms) + recentes };
}

/** Queries that take the most work for the least text, each within the contract. */
export function hostileQueries({ common, neverAdjacent }: Words): string[] {
  const [a = 'de', b = 'a', c = 'o', d = 'e', e = 'da'] = common;
  return [
    a,
    [a, b, c, d, e].join(' '),
    `${a} OR ${b} OR ${c} OR ${d} OR ${e}`,
    `${a} NOT ${b}`,
    ...neverAdjacent.map((phrase) => `"${phrase}"`),
    `"${a} ${a}" OR "${b} ${b}" OR "${c} ${c}"`,
    'a*',
    'c*',
    orOfPrefixes(),
    'x* NOT y*',
    'a* NOT b*',
    'a* AND b* AND c* AND d*',
    `${'('.repeat(90)}${a}${')'.repeat(90)}`,
    deepTree([a, b, c, d, e]),
    `NEAR(${a} ${b})`,
    `NEAR(${a} ${b} ${c} ${d}, 100)`,
    'NEAR(a* b*)',
    'NEAR(a* b* c*, 60)',
    `"${a} a*"`,
    `"${a} a" *`,
    `ementa:${a}*`,
    `{ementa tese} : (${a} ${b})`,
    `^${a} AND ${b}`,
    `^${a}*`,
  ];
}

/** `a* OR b* OR …`, one letter and then two, to the longest query that is taken. */
function orOfPrefixes(): string {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  let query = 'a*';
  for (const prefix of [...letters.slice(1), ...letters.map((letter) => `${letter}a`)]) {
    if (query.length + prefix.length + 5 > Q_MAX) break;
    query += ` OR ${prefix}*`;
  }
  return query;
}

/** `((((a OR b) AND c) OR d) AND e) …` as deep as fits. */
function deepTree(words: readonly string[]): string {
  let query = words[0] ?? 'de';
  for (let depth = 1; query.length < Q_MAX - 30; depth += 1) {
    query = `(${query} ${depth % 2 === 1 ? 'OR' : 'AND'} ${words[depth % words.length] ?? 'a'})`;
  }
  return query;
}

export function hostileAsks(key: string, words: Words, base: Base | null): SearchAsk[] {
  return hostileQueries(words).flatMap((q) => ORDENS.map((ordem) => searchAsk(key, q, ordem, base)));
}
