import { at } from './bounds.ts';
import { readList } from './lists.ts';
import { adjectiveForms, ARTICLES, nounForms, plural, verbForms, type NounForms } from './morphology.ts';
import { NOTHING, type Piece } from './pieces.ts';
import { rankTable, type RankTable, type Rng } from './rng.ts';

/**
 * A noun of a class, in one number of its own among all classes: its class's place times CLASS_SPAN,
 * and twice its place in the class, and one more for the plural.
 */
export type Noun = number;
/** A verb of a class, numbered likewise, apart from all nouns. */
export type Verb = number;

const CLASS_SPAN = 1024;
const VERBS_FROM = 2 ** 16;
const NOUN_FORMS = 6;
const ADJECTIVE_FORMS = 4;
const VERB_FORMS = 6;
/** Share of nouns in the plural. */
const PLURAL_SHARE = 0.42;
/** Share of words that the subject prefers. */
const FAVOURED = 0.25;
/** Number of preferred words of a class, and the distance between the first ones of two subjects. */
const FAVOURITES = 7;
const FAVOURITES_STEP = 11;
/** Number of words of a class with about the same frequency (the shift of Zipf-Mandelbrot). */
const COMMON_SHIFT = 200;
const favouriteRanks = rankTable(FAVOURITES, 2);

type GenderedWord = readonly [word: string, gender: 0 | 1];

/** The forms of a noun in the singular and in the plural. */
function bothNumbers([word, gender]: GenderedWord): readonly NounForms[] {
  return [
    nounForms(`${ARTICLES[gender]} ${word}`),
    nounForms(`${ARTICLES[gender === 0 ? 2 : 3]} ${plural(word)}`),
  ];
}

/** A class of words that fit each other (data/demo/lexicon.txt), with every form of every word in flat lists. */
class WordClass {
  readonly name: string;
  /** Nouns that are listed alone come first; whole phrases, which have no plural, after them. */
  readonly nouns: Int32Array;
  readonly nounCount: number;
  readonly count: number;
  /** By noun: 0 masculine, 1 feminine. */
  readonly genders: Uint8Array;
  readonly pluralPhrases: Uint8Array;
  readonly adjectives: Int32Array;
  readonly verbs: Int32Array;
  readonly nounRanks: RankTable;
  readonly adjectiveRanks: RankTable;
  readonly verbRanks: RankTable;

  constructor(entry: string) {
    const [name = '', ...lines] = entry.trim().split('\n');
    const list = (mark: string, separator: RegExp): readonly string[] =>
      lines.filter((line) => line.startsWith(`${mark} `)).flatMap((line) => line.slice(2).split(separator));
    const alone = mix<GenderedWord>(
      list('m', /\s+/u).map((word) => [word, 0]),
      list('f', /\s+/u).map((word) => [word, 1]),
    );
    const phrases = list('x', /\|/u).map(nounForms);
    const adjectives = list('a', /\s+/u);
    const verbs = list('v', /\s+/u);
    this.name = name;
    this.nounCount = alone.length;
    this.count = alone.length + phrases.length;
    this.genders = Uint8Array.from(alone, ([, gender]) => gender);
    this.pluralPhrases = Uint8Array.from(phrases, ({ isPlural: many }) => (many ? 1 : 0));
    this.nouns = Int32Array.from(
      [...alone.flatMap(bothNumbers), ...phrases.flatMap((phrase) => [phrase, phrase])].flatMap(
        ({ pieces }) => pieces,
      ),
    );
    this.adjectives = Int32Array.from(adjectives.flatMap(adjectiveForms));
    this.verbs = Int32Array.from(verbs.flatMap(verbForms));
    this.nounRanks = rankTable(Math.max(1, this.count), COMMON_SHIFT);
    this.adjectiveRanks = rankTable(Math.max(1, adjectives.length), COMMON_SHIFT);
    this.verbRanks = rankTable(Math.max(1, verbs.length), COMMON_SHIFT);
  }
}

const classes = readList('lexicon')
  .split(/^@ /mu)
  .slice(1)
  .map((entry) => new WordClass(entry));

/** The classes, in the order of their slots (template.ts). */
export const CLASS_NAMES: readonly string[] = classes.map(({ name }) => name);

/** A noun of a class that is not in `said`. Subjects prefer some nouns, so that words cluster. */
export function drawNoun(rng: Rng, place: number, subject: number, said: readonly number[]): Noun {
  const { nounRanks, count, nounCount } = at(classes, place);
  let member = draw(rng, nounRanks, count, subject);
  const from = place * CLASS_SPAN;
  // Singular and plural count as the same noun.
  while (said.includes(from + 2 * member)) member = (member + 1) % count;
  return from + 2 * member + (member < nounCount && rng.chance(PLURAL_SHARE) ? 1 : 0);
}

/** The entry of a noun in the list of used words, the same for singular and plural. */
export function lemma(noun: Noun): number {
  return noun - (noun % 2);
}

/** A noun's form (morphology.ts), with its article. */
export function nounPiece(noun: Noun, form: number): Piece {
  const { nouns } = at(classes, Math.floor(noun / CLASS_SPAN));
  return nouns[(noun % CLASS_SPAN) * NOUN_FORMS + form] ?? NOTHING;
}

export function isPlural(noun: Noun): boolean {
  if (noun % 2 === 1) return true;
  const { pluralPhrases, nounCount } = at(classes, Math.floor(noun / CLASS_SPAN));
  return pluralPhrases[(noun % CLASS_SPAN) / 2 - nounCount] === 1;
}

/** An adjective of the noun's class that agrees with it, with its space before; whole phrases take none. */
export function adjectivePiece(rng: Rng, noun: Noun, subject: number): Piece {
  const { genders, adjectives, adjectiveRanks } = at(classes, Math.floor(noun / CLASS_SPAN));
  const gender = genders[(noun % CLASS_SPAN) >>> 1];
  if (gender === undefined) return NOTHING;
  const adjective = draw(rng, adjectiveRanks, adjectives.length / ADJECTIVE_FORMS, subject);
  return adjectives[adjective * ADJECTIVE_FORMS + gender + 2 * (noun % 2)] ?? NOTHING;
}

/** A verb that fits the members of a class and is not in `said`. */
export function drawVerb(rng: Rng, place: number, subject: number, said: readonly number[]): Verb {
  const { verbs, verbRanks } = at(classes, place);
  const count = verbs.length / VERB_FORMS;
  let member = draw(rng, verbRanks, count, subject);
  const from = VERBS_FROM + place * CLASS_SPAN;
  while (said.includes(from + member)) member = (member + 1) % count;
  return from + member;
}

/** A verb in a form (morphology.ts). */
export function verbPiece(verb: Verb, form: number, isPluralForm: boolean): Piece {
  const { verbs } = at(classes, Math.floor((verb - VERBS_FROM) / CLASS_SPAN));
  return verbs[(verb % CLASS_SPAN) * VERB_FORMS + 2 * form + (isPluralForm ? 1 : 0)] ?? NOTHING;
}

function draw(rng: Rng, ranks: RankTable, count: number, subject: number): number {
  if (!rng.chance(FAVOURED)) return rng.rank(ranks);
  return (subject * FAVOURITES_STEP + rng.rank(favouriteRanks)) % count;
}

/** Alternates between the lists, so that both genders are equally frequent. */
function mix<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [
    ...first.slice(index, index + 1),
    ...second.slice(index, index + 1),
  ]).flat();
}
