import { hasCnjCheck, withPoints } from './case-numbers.ts';
import { ordinalForms } from './ordinals.ts';

/** Digits of the parts of a case number: sequence, check digits, year, branch, court, origin (Resolução CNJ 65/2008). */
const CASE_PARTS = [7, 2, 4, 1, 2, 4] as const;
const CASE_DIGITS = 20;

/** An alternative spelling of a word: as typed, and as tokens. */
export interface Form {
  readonly text: string;
  readonly tokens: string[];
}

/**
 * Alternative spellings of a word of one or more tokens, likeliest first: numbers with and without points, year or state, case
 * numbers, ordinals, singular and plural. Only a base knows which exist.
 */
export function otherForms(tokens: readonly string[]): Form[] {
  const [only = '', ...others] = tokens;
  if (others.length === 0 && /^\p{L}+$/u.test(only) && !/^nº?$/u.test(only)) {
    return otherNumbers(only).map((text) => ({ text, tokens: [text] }));
  }
  const own = tokens.join(' ');
  const numbers = [...caseForms(tokens), ...numberForms(tokens)].filter(
    (form) => form.tokens.join(' ') !== own,
  );
  return [...numbers, ...ordinalForms(tokens)];
}

/** True for the tokens of a number written with points, a year or a state: `1.500.003/SP`. */
export function isWrittenNumber(tokens: readonly string[]): boolean {
  return tokens.length > 1 && caseForms(tokens).length + numberForms(tokens).length > 0;
}

/**
 * Twenty digits and `NNNNNNN-DD.AAAA.J.TR.OOOO`, if the check digits are valid; other numbers are no case numbers. Without the court
 * and the class of `TST-RR-850-43.2017.5.13.0011`, and with its zeros.
 */
function caseForms(tokens: readonly string[]): Form[] {
  const own = tokens.slice(tokens.findIndex((token) => !/^\p{L}+$/u.test(token)));
  const isWhole = own.length === 1;
  const [first = '', ...others] = own;
  const digits = (isWhole ? first : first.padStart(CASE_PARTS[0], '0')) + others.join('');
  const isCase = isWhole || others.map(({ length }) => length).join() === CASE_PARTS.slice(1).join();
  if (!isCase || digits.length !== CASE_DIGITS || !/^\d+$/.test(digits) || !hasCnjCheck(digits)) return [];
  let from = 0;
  const parts = CASE_PARTS.map((length) => digits.slice(from, (from += length)));
  const marked = parts.join('.').replace('.', '-');
  return [
    { text: marked, tokens: parts },
    { text: digits, tokens: [digits] },
  ];
}

/** For 8.078/90: 8078/90, 8.078/1990, 8078/1990, 8.078 and 8078. */
function numberForms(tokens: readonly string[]): Form[] {
  const { digits, rest } = numberIn(tokens);
  if (digits === null || rest.length > 1 || !rest.every((one) => /^(?:[a-z]{2}|\d{2}|\d{4})$/.test(one)))
    return [];
  const grouped = withPoints(digits);
  const tails = [...rest, ...rest.flatMap(otherYear), null];
  return tails.flatMap((tail) =>
    [grouped, digits].map((number) => ({
      text: tail === null ? number : `${number}/${tail.toUpperCase()}`,
      tokens: number.split('.').concat(tail ?? []),
    })),
  );
}

/** Four or more digits, in a single token or in groups of three, and the tokens after them. */
function numberIn(tokens: readonly string[]): { digits: string | null; rest: readonly string[] } {
  const [first = '', ...others] = tokens;
  if (/^[1-9]\d{3,14}$/.test(first)) return { digits: first, rest: others };
  const end = others.findIndex((token) => !/^\d{3}$/.test(token));
  const groups = end < 0 ? others : others.slice(0, end);
  const isGrouped = /^[1-9]\d{0,2}$/.test(first) && groups.length > 0 && groups.length < 5;
  return { digits: isGrouped ? first + groups.join('') : null, rest: others.slice(groups.length) };
}

/** Converts between two and four digits: 90 and 1990, 21 and 2021. */
function otherYear(year: string): string[] {
  if (/^(?:19|20)\d{2}$/.test(year)) return [year.slice(2)];
  return /^\d{2}$/.test(year) ? [(Number(year) < 40 ? '20' : '19') + year] : [];
}

/**
 * Endings without accents, of plurals and possible singulars, likeliest first. Wrong forms are harmless: a base keeps only the
 * existing ones.
 */
const ENDINGS: readonly (readonly [plural: string, singulars: readonly string[]])[] = [
  ['s', ['']],
  ['oes', ['ao']],
  ['aes', ['ao']],
  ['ns', ['m']],
  ['ais', ['al']],
  ['eis', ['el', 'il']],
  ['ois', ['ol']],
  ['uis', ['ul']],
  ['is', ['il']],
  ['res', ['r']],
  ['zes', ['z']],
  ['ses', ['s']],
  ['nes', ['n']],
];

/** Possible singulars or plurals of a word without accents. */
function otherNumbers(word: string): string[] {
  const forms = ENDINGS.flatMap(([plural, singulars]) =>
    singulars
      .map((one) => withEnding(word, plural, one))
      .concat(
        singulars.map((one) => (one === '' && !/[aeiou]$/.test(word) ? '' : withEnding(word, one, plural))),
      ),
  );
  return [...new Set(forms)].filter((form) => form.length > 2 && form !== word);
}

/** The word with another ending; empty if it does not end so. */
function withEnding(word: string, ending: string, other: string): string {
  return word.endsWith(ending) ? word.slice(0, word.length - ending.length) + other : '';
}
