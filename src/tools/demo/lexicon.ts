import { at, lettered, readSections, type Section } from './lists.ts';
import { adjectiveForms, nounForms, plural, verbForms, type Words } from './morphology.ts';
import type { Rng } from './rng.ts';
import { ranked, type Source } from './words.ts';

interface Noun {
  readonly singular: Words;
  /** Whole phrases have none, and take no adjective. */
  readonly plural?: Words;
  /** 0 masculine, 1 feminine. */
  readonly gender: number;
}

/** A class of words that fit each other: nouns, mostly with an adjective that agrees with them, and verbs. */
function wordClass(section: Section) {
  const list = (letter: string) => lettered(section, letter, letter === 'x' ? '|' : /\s+/u);
  const [men = [], women = []] = ['m', 'f'].map((letter, gender) =>
    list(letter).map((word) => noun(word, gender)),
  );
  const phrases = list('x').map((phrase) => ({ singular: nounForms(phrase), gender: 0 }));
  const nouns = ranked<Noun>([...alternated(men, women), ...phrases]);
  const adjectives = ranked(list('a').map(adjectiveForms));
  const drawNoun = (rng: Rng, subject: number): Words => {
    const { singular, plural: many, gender } = nouns(rng, subject);
    if (many === undefined) return singular;
    const words = rng.chance(0.42) ? many : singular;
    if (rng.chance(0.22)) return words;
    return { ...words, tail: at(adjectives(rng, subject), words.isPlural ? gender + 2 : gender) };
  };
  const nounSource: Source<Words> = { draw: drawNoun, isKept: true };
  const verbSource: Source<Words> = { draw: ranked(list('v').map(verbForms)) };
  return { nouns: nounSource, verbs: verbSource };
}

export const WORD_CLASSES = new Map(
  readSections('lexicon').map((section) => [section.heading, wordClass(section)] as const),
);

function noun(word: string, gender: number): Noun {
  const article = gender === 0 ? 'o' : 'a';
  const singular = nounForms(`${article} ${word}`);
  return { singular, plural: nounForms(`${article}s ${plural(word)}`, singular.key), gender };
}

/** Members of both lists in turn, so that both genders are equally frequent. */
function alternated<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  const longer = first.length > second.length ? first : second;
  return longer.flatMap((_, index) => [first, second].flatMap((list) => list.slice(index, index + 1)));
}
