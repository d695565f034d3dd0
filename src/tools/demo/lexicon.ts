import { lettered, readSections, type Section } from './lists.ts';
import { adjectiveForms, nounForms, plural, verbForms, type NounForms, type Words } from './morphology.ts';
import type { Rng } from './rng.ts';
import { ranked, type Source } from './words.ts';

/** Fraction of nouns in the plural. */
const PLURAL_SHARE = 0.42;
/** Fraction of nouns without an adjective, among nouns that may have one. */
const PLAIN_NOUN = 0.22;

interface Noun {
  readonly singular: NounForms;
  /** Whole phrases have none, and take no adjective. */
  readonly plural?: NounForms;
  /** 0 masculine, 1 feminine. */
  readonly gender: number;
}

/** A class of words that fit each other (data/demo/lexicon.txt). */
interface WordClass {
  /** Nouns, mostly with an adjective that agrees with them. */
  readonly nouns: Source<Words>;
  readonly verbs: Source<Words>;
}

function wordClass(section: Section): WordClass {
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
    const words = rng.chance(PLURAL_SHARE) ? many : singular;
    if (rng.chance(PLAIN_NOUN)) return words;
    const { key, forms, isPlural } = words;
    const adjective = adjectives(rng, subject);
    return { key, forms, isPlural, tail: adjective[isPlural ? gender + 2 : gender] ?? '' };
  };
  return {
    nouns: { draw: drawNoun, isKept: true },
    verbs: { draw: ranked(list('v').map(verbForms)) },
  };
}

/** The classes by name. */
export const WORD_CLASSES: ReadonlyMap<string, WordClass> = new Map(
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
