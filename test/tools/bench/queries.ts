import { Q_MAX, type Base } from '../../../src/contract/vocabulary.ts';
import { openSyntaxCheck } from '../../../src/query/syntax-check.ts';
import { readQuery } from '../../../src/query/query.ts';
import { holdersOf, ordinaryPairs, sampleTexts, wordsTogether, usersQueries } from '../measure/words.ts';

/** The base of the measurements on one base: the only one with two courts, and it has three types. */
export const ONE: Base = 'eproc';

/** Queries of the measurements, by what they put to the test. Words are folded, as the index has them. */
export interface Queries {
  /** As users type them; those that the service takes. */
  readonly users: readonly string[];
  readonly areReal: boolean;
  /** Two words of one decision, neither of them common nor rare. */
  readonly ordinary: readonly string[];
  readonly three: readonly string[];
  readonly commonest: string;
  /** A word that about three of four decisions hold. */
  readonly veryCommon: string;
  /** Two words in a third of the decisions each, and together in about one of eight. */
  readonly twoCommon: string;
  readonly rare: readonly string[];
  /** By the number of letters, from 1. */
  readonly prefixes: readonly (readonly string[])[];
  /** Two common words that often stand side by side. */
  readonly phrases: readonly string[];
  /** Two words of more than three letters that stand side by side: the commonest such pairs, and rarer ones. */
  readonly phrasesOfAll: readonly string[];
  readonly nears: readonly string[];
}

/** One type and one month out of twenty years, as the parameters of a search have them. */
export const NARROW = { tipo: 'decisao_monocratica', data_de: '2023-03-01', data_ate: '2023-03-31' } as const;
const VERY_COMMON_SHARE = 0.76;
const PAIR = { least: 0.2, most: 0.5, together: 0.136 };
const PAIR_WORDS = 40;
const THREE = { least: 0.01, most: 0.3 };
const RARE = 30;
const PREFIX_LETTERS = 6;
const PREFIX_WORDS = 5;
const PASSAGES = 10;
const RANKS = [0, 50, 200];
const ORDINARY = 60;
const EVER_NEW = 150_000;
/** Searches a second, more than a service answers. */
const ANSWERED_MAX = 10_000;

const check = openSyntaxCheck();

export function queriesOf(): Queries {
  const texts = sampleTexts(ONE);
  const holders = holdersOf(texts);
  const share = (word: string) => (holders.get(word) ?? 0) / texts.length;
  const words = [...holders.keys()].filter((word) => /^[a-z]{2,}$/u.test(word));
  const byShare = words.toSorted((a, b) => share(b) - share(a));
  const nearest = byShare.toSorted(
    (a, b) => Math.abs(share(a) - VERY_COMMON_SHARE) - Math.abs(share(b) - VERY_COMMON_SHARE),
  );
  const { queries, areReal } = usersQueries();
  const pairs = adjacentPairs(texts);
  return {
    users: queries.filter((q) => [...q].length <= Q_MAX && !('codigo' in readQuery(q, check))),
    areReal,
    ordinary: ordinaryPairs(texts, holders).slice(0, ORDINARY),
    three: wordsTogether(texts, holders, { words: 3, count: ORDINARY, ...THREE }),
    commonest: byShare[0] ?? 'de',
    veryCommon: nearest[0] ?? 'a',
    twoCommon: commonPair(texts, byShare, share),
    rare: words.filter((word) => holders.get(word) === 1 && word.length >= 5).slice(0, RARE),
    prefixes: prefixesOf(byShare),
    phrases: pairs.map(([a, b]) => `"${a} ${b}"`),
    phrasesOfAll: phrasesOfAll(texts),
    nears: pairs.map(([a, b]) => `NEAR(${a} ${b}, 5)`),
  };
}

/** As the ordinary ones, and so many of them that hardly any comes up twice in such a load. */
export function everNewQueries(seconds: number): string[] {
  const texts = sampleTexts(ONE);
  return ordinaryPairs(texts, holdersOf(texts), Math.min(EVER_NEW, Math.ceil(seconds * ANSWERED_MAX)));
}

/** At most so many of each list, from all over it: a look at the whole that takes less time. */
export function fewer(queries: Queries, most: number): Queries {
  const some = (list: readonly string[]) => {
    const step = Math.ceil(list.length / most);
    return list.filter((_, at) => at % step === 0);
  };
  const { users, ordinary, three, rare, prefixes, phrases, phrasesOfAll: all, nears } = queries;
  return {
    ...queries,
    users: some(users),
    ordinary: some(ordinary),
    three: some(three),
    rare: some(rare),
    prefixes: prefixes.map(some),
    phrases: some(phrases),
    phrasesOfAll: some(all),
    nears: some(nears),
  };
}

/** A query that the service takes, as FTS5 reads it: loose words are quoted one by one. */
export function fts5Of(q: string): string {
  const text = q.replaceAll(/\s+/gu, ' ').trim();
  if (/["()*]|(?:^|\s)(?:AND|OR|NOT|NEAR)(?:\s|$)/u.test(text)) return text;
  return [...new Set(text.split(' '))]
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word}"`)
    .join(' ');
}

function commonPair(
  texts: readonly (readonly string[])[],
  byShare: readonly string[],
  share: (word: string) => number,
): string {
  const common = byShare
    .filter((word) => word.length > 2 && share(word) <= PAIR.most && share(word) >= PAIR.least)
    .slice(0, PAIR_WORDS);
  const holders = new Map(common.map((word) => [word, new Set<number>()]));
  for (const [at, text] of texts.entries()) for (const word of text) holders.get(word)?.add(at);
  let best = { pair: common.slice(0, 2).join(' '), distance: Number.POSITIVE_INFINITY };
  for (const [at, a] of common.entries()) {
    for (const b of common.slice(at + 1)) {
      const both = holders.get(a)?.intersection(holders.get(b) ?? new Set()).size ?? 0;
      const distance = Math.abs(both / texts.length - PAIR.together);
      if (distance < best.distance) best = { pair: `${a} ${b}`, distance };
    }
  }
  return best.pair;
}

function prefixesOf(byShare: readonly string[]): string[][] {
  const long = byShare.filter((word) => word.length > PREFIX_LETTERS);
  const words: string[] = [];
  for (const word of long) {
    if (words.length < PREFIX_WORDS && !words.some((other) => other[0] === word[0])) words.push(word);
  }
  return Array.from({ length: PREFIX_LETTERS }, (_, at) => words.map((word) => `${word.slice(0, at + 1)}*`));
}

function adjacentPairs(texts: readonly (readonly string[])[]): [string, string][] {
  return pairsBy(texts, /^[a-z]{2,} [a-z]{2,}$/u).slice(0, PASSAGES);
}

function phrasesOfAll(texts: readonly (readonly string[])[]): string[] {
  const pairs = pairsBy(texts, /^[a-z]{4,} [a-z]{4,}$/u);
  return RANKS.flatMap((rank) => pairs.slice(rank, rank + PASSAGES)).map(([a, b]) => `"${a} ${b}"`);
}

/** Two words side by side that look so, the commonest first. */
function pairsBy(texts: readonly (readonly string[])[], pattern: RegExp): [string, string][] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [at, word] of text.entries()) {
      const next = text[at + 1];
      if (next === undefined || !pattern.test(`${word} ${next}`)) continue;
      counts.set(`${word} ${next}`, (counts.get(`${word} ${next}`) ?? 0) + 1);
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([pair]) => {
      const [a = '', b = ''] = pair.split(' ');
      return [a, b];
    });
}
