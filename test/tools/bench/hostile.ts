import { readConfig } from '../../../src/config/config.ts';
import { BASES, Q_MAX, ORDENS, type Base, type Ordem } from '../../../src/contract/vocabulary.ts';
import { searchAsk, type SearchAsk } from '../measure/load.ts';
import { basesEnvironment } from '../measure/service.ts';
import type { Words } from '../measure/words.ts';

/** All windows of a first page together, milliseconds, of the base that has the longest. */
export type Windows = Readonly<Record<Ordem, number>>;

export function windowsOf(dataDir: string): Windows {
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
