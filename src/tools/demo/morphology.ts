import { keep, type Piece } from './pieces.ts';

/**
 * The forms of a noun phrase in sentences, by their index in NounForms. Numbers and
 * flat lists are used instead of objects, because a look-up by a variable name would take most of the time.
 */
export const DIRECT = 0; // "o prazo", for a subject or an object
export const OF = 1; // "do prazo"
export const TO = 2; // "ao prazo"
export const IN = 3; // "no prazo"
export const BY = 4; // "pelo prazo"
export const BARE = 5; // "prazo"

/** A Portuguese noun phrase, with its article in every form. */
export interface NounForms {
  /** By form. */
  readonly pieces: readonly Piece[];
  readonly texts: readonly string[];
  readonly isPlural: boolean;
}

type Article = 'o' | 'a' | 'os' | 'as';

const CONTRACTIONS: Record<Article, readonly [of: string, to: string, inside: string, by: string]> = {
  o: ['do ', 'ao ', 'no ', 'pelo '],
  a: ['da ', 'à ', 'na ', 'pela '],
  os: ['dos ', 'aos ', 'nos ', 'pelos '],
  as: ['das ', 'às ', 'nas ', 'pelas '],
};

/** The forms of a phrase written with its article, such as "a indenização por dano moral". */
export function nounForms(phrase: string): NounForms {
  const space = phrase.indexOf(' ');
  const article = phrase.slice(0, space);
  if (article !== 'o' && article !== 'a' && article !== 'os' && article !== 'as') {
    throw new Error(`a noun phrase must start with its article: ${phrase}`);
  }
  const bare = phrase.slice(space + 1);
  const texts = [phrase, ...CONTRACTIONS[article].map((contraction) => contraction + bare), bare];
  return { pieces: texts.map(keep), texts, isPlural: article.length === 2 };
}

/** The plural of a noun or adjective: `-ão` gives `-ões`, as nearly all legal words do. */
export function plural(word: string): string {
  if (word.endsWith('ão')) return `${word.slice(0, -2)}ões`;
  if (word.endsWith('il')) return word.slice(0, -2) + (/[áéíóúâêô]/u.test(word) ? 'eis' : 'is');
  if (word.endsWith('el')) return `${word.slice(0, -2)}eis`;
  if (/[aou]l$/u.test(word)) return `${word.slice(0, -1)}is`;
  if (word.endsWith('m')) return `${word.slice(0, -1)}ns`;
  if (/[rz]$/u.test(word)) return `${word}es`;
  if (word.endsWith('s')) return word;
  return `${word}s`;
}

/** The feminine of an adjective or participle. */
export function feminine(word: string): string {
  if (word.endsWith('o')) return `${word.slice(0, -1)}a`;
  if (/[dt]or$/u.test(word)) return `${word}a`;
  return word;
}

/** The articles by agreement: masculine and feminine, then their plurals. */
export const ARTICLES = ['o', 'a', 'os', 'as'] as const;

/** An adjective's forms by agreement (ARTICLES), each with the space that goes before it. */
export type AdjectiveForms = readonly Piece[];

/** The four forms of an adjective given in the masculine singular. */
export function adjectiveForms(word: string): AdjectiveForms {
  const womanly = feminine(word);
  return [word, womanly, plural(word), plural(womanly)].map((form) => keep(` ${form}`));
}

/** The forms of a verb, by their index in VerbForms. Finite forms are in the third person. */
export const INFINITIVE = 0;
export const PRESENT = 1;
export const PRETERITE = 2;

/** A verb's forms, at `2 * form + (plural ? 1 : 0)`. */
export type VerbForms = readonly Piece[];

/** Inflects a regular verb in `-ar`, `-er` or `-ir`. */
export function verbForms(infinitive: string): VerbForms {
  const stem = infinitive.slice(0, -2);
  const vowel = infinitive.slice(-2, -1);
  const theme = vowel === 'a' ? 'a' : 'e';
  const pairs = [
    [infinitive, infinitive],
    [stem + theme, `${stem}${theme}m`],
    [stem + (vowel === 'a' ? 'ou' : `${vowel}u`), `${infinitive}am`],
  ];
  return pairs.flat().map(keep);
}
