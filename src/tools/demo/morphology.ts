/** A noun with an adjective, or a verb. */
export interface Words {
  /** The same for singular and plural. */
  readonly key: string;
  /** In the order of NOUN_FORMS or VERB_FORMS. */
  readonly forms: readonly string[];
  readonly isPlural: boolean;
  /** An adjective to follow, with a space before it. */
  readonly tail: string;
}

/**
 * The forms of a noun phrase, by the letter of a slot: `{prova}` "o laudo", for a subject or an object; `{d prova}` "do
 * laudo", `{a prova}` "ao laudo", `{n prova}` "no laudo", `{p prova}` "pelo laudo", `{x prova}` "laudo".
 */
export const NOUN_FORMS: readonly string[] = ['', 'd', 'a', 'n', 'p', 'x'];
const CONTRACTIONS: Readonly<Record<string, readonly string[]>> = {
  o: ['do', 'ao', 'no', 'pelo'],
  a: ['da', 'à', 'na', 'pela'],
  os: ['dos', 'aos', 'nos', 'pelos'],
  as: ['das', 'às', 'nas', 'pelas'],
};

/** The forms of a phrase written with an article, such as "a indenização por dano moral". */
export function nounForms(phrase: string, key = phrase): Words {
  const [article = '', ...words] = phrase.split(' ');
  const contractions = CONTRACTIONS[article];
  if (contractions === undefined) throw new Error(`a noun phrase must start with its article: ${phrase}`);
  const name = words.join(' ');
  const forms = [phrase, ...contractions.map((contraction) => `${contraction} ${name}`), name];
  return { key, forms, isPlural: article.endsWith('s'), tail: '' };
}

/** The plural of a noun or adjective: `-ão` gives `-ões`, as nearly all legal words do. */
export function plural(word: string): string {
  if (word.endsWith('ão')) return `${word.slice(0, -2)}ões`;
  if (word.endsWith('il')) return word.slice(0, -2) + (/[áéíóúâêô]/u.test(word) ? 'eis' : 'is');
  if (word.endsWith('el')) return `${word.slice(0, -2)}eis`;
  if (/[aou]l$/u.test(word)) return `${word.slice(0, -1)}is`;
  if (word.endsWith('m')) return `${word.slice(0, -1)}ns`;
  if (/[rz]$/u.test(word)) return `${word}es`;
  return word.endsWith('s') ? word : `${word}s`;
}

export function feminine(word: string): string {
  if (word.endsWith('o')) return `${word.slice(0, -1)}a`;
  return /[dt]or$/u.test(word) ? `${word}a` : word;
}

/** An adjective, given in the masculine singular: masculine and feminine, then their plurals, after a space. */
export function adjectiveForms(word: string): readonly string[] {
  const other = feminine(word);
  return [word, other, plural(word), plural(other)].map((form) => ` ${form}`);
}

/** The forms of a verb, by the letter of a slot: infinitive, present, preterite; the last two in the third person. */
export const VERB_FORMS: readonly string[] = ['I', 'V', 'P'];

/** A regular verb in `-ar`, `-er` or `-ir`: VERB_FORMS in the singular, then in the plural. */
export function verbForms(infinitive: string): Words {
  const stem = infinitive.slice(0, -2);
  const vowel = infinitive.slice(-2, -1);
  const present = stem + (vowel === 'a' ? 'a' : 'e');
  const past = stem + (vowel === 'a' ? 'ou' : `${vowel}u`);
  const forms = [infinitive, present, past, infinitive, `${present}m`, `${infinitive}am`];
  return { key: infinitive, forms, isPlural: false, tail: '' };
}
