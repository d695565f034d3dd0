import type { Base } from '../../../src/contract/vocabulary.ts';
import { demoLines } from '../../../src/tools/demo/generate.ts';
import { foldedWords } from '../../support/folded.ts';
import { BIG, SEED } from './build.ts';
import { pick, randomNumbers } from '../../../src/tools/load/random.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInSearches } from '../../../src/tools/load/queries.ts';
import { ROOT } from '../../support/run.ts';

/** Words of the made-up decisions, by their use in a load's queries. */
export interface Words {
  /** The most frequent, in descending order. */
  readonly common: readonly string[];
  /** Pairs of common words that never occur next to each other. */
  readonly neverAdjacent: readonly string[];
  /** Two words of one decision, neither among the most frequent nor rare, as in a user's search. */
  readonly ordinary: readonly string[];
}

/** This many decisions show which words are common: the first ones of the data. */
const SAMPLE = 1_500;
const COMMON = 8;
const PHRASES = 4;
const ORDINARY = 300;
/** The fraction of decisions with an ordinary word. */
const ORDINARY_SHARE = { least: 0.005, most: 0.2 };
const ORDINARY_LENGTH = 4;

export function wordsOf(count = SAMPLE): Words {
  const texts = sampleTexts(BIG, count);
  const holders = holdersOf(texts);
  const adjacent = new Set<string>();
  for (const text of texts) {
    for (const [at, word] of text.entries()) adjacent.add(`${word} ${text[at + 1] ?? ''}`);
  }
  const common = [...holders]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, COMMON)
    .map(([word]) => word);
  // For each first word a pair with itself, or with another word, alternately.
  const neverAdjacent = common
    .flatMap((first, at) => {
      const from = at + (at % 2);
      const seconds = [...common.slice(from), ...common.slice(0, from)];
      const second = seconds.find((word) => !adjacent.has(`${first} ${word}`));
      return second === undefined ? [] : [`${first} ${second}`];
    })
    .slice(0, PHRASES);
  return { common, neverAdjacent, ordinary: ordinaryPairs(texts, holders) };
}

export function sampleTexts(base: Base, count = SAMPLE): (readonly string[])[] {
  return [...demoLines(base, count, SEED)].map((line) => foldedWords(ementaOf(line)));
}

export function holdersOf(texts: readonly (readonly string[])[]): Map<string, number> {
  const holders = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(text)) holders.set(word, (holders.get(word) ?? 0) + 1);
  }
  return holders;
}

/** Pairs of words as in a user's search: from one decision, neither among the most frequent nor rare. */
export function ordinaryPairs(
  texts: readonly (readonly string[])[],
  holders: ReadonlyMap<string, number>,
  count = ORDINARY,
): string[] {
  return wordsTogether(texts, holders, { words: 2, count, ...ORDINARY_SHARE });
}

/** Searches of several words of one decision, each in `least` to `most` (fractions) of all decisions. */
export interface Together {
  readonly words: number;
  readonly count: number;
  readonly least: number;
  readonly most: number;
}

/** No search twice; fewer than requested if the texts have no more. */
export function wordsTogether(
  texts: readonly (readonly string[])[],
  holders: ReadonlyMap<string, number>,
  { words: wanted, count, least, most }: Together,
): string[] {
  const random = randomNumbers(1);
  const isOrdinary = (word: string) => {
    const share = (holders.get(word) ?? 0) / texts.length;
    return word.length >= ORDINARY_LENGTH && /^[a-z]+$/u.test(word) && share >= least && share <= most;
  };
  const candidates = texts.map((text) => [...new Set(text.filter(isOrdinary))]);
  const found = new Set<string>();
  // Bounded, because a tiny sample may not have enough.
  for (let tries = 0; tries < count * 10 && found.size < count; tries += 1) {
    let left = pick(candidates, random);
    if (left.length < wanted) continue;
    const words: string[] = [];
    while (words.length < wanted) {
      const word = pick(left, random);
      words.push(word);
      left = left.filter((other) => other !== word);
    }
    found.add(words.join(' '));
  }
  return [...found];
}

function ementaOf(line: string): string {
  // Written by this project, one object a line.
  const { ementa } = JSON.parse(line) as { readonly ementa: string | null };
  return ementa ?? '';
}

/** Queries as users type them: the real ones where they exist, else the load tester's. */
export function usersQueries(): { readonly queries: readonly string[]; readonly areReal: boolean } {
  const file = join(ROOT, '../shared/corpora/consultas.txt');
  if (!existsSync(file)) return { queries: ownQueries(), areReal: false };
  const lines = readFileSync(file, 'utf8').split('\n');
  return { queries: lines.filter((line) => line !== ''), areReal: true };
}

function ownQueries(): string[] {
  return [...new Set(builtInSearches().map((search) => new URLSearchParams(search).get('q') ?? ''))];
}
