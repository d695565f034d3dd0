/** Marks and operators that make a search FTS5 syntax. */
const SYNTAX = /["()*]|(?:^|\s)(?:AND|OR|NOT|NEAR)(?=\s|$)/u;
const Q_LENGTH_MAX = 300;
const WORD_LENGTH_MIN = 4;
/** Words without another number, or whose other number is another word. */
const FIXED = new Set(
  'para pela pelas pelo pelos como entre sobre após desde mais menos quando onde cujo cuja depois antes além contra apenas jamais através este esta isto esse essa isso aquele aquela seja deve pode foram houve'.split(
    ' ',
  ),
);

/** The first matching rule gives the other number. The service folds accents, so either spelling works. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // From the plural.
  [/(?:õe|ãe|ão)s$/u, 'ão'],
  [/oes$/u, 'ao'],
  [/ns$/u, 'm'],
  [/ais$/u, 'al'],
  [/veis$/u, 'vel'],
  [/éis$/u, 'el'],
  [/eis$/u, 'il'],
  [/óis$/u, 'ol'],
  [/is$/u, 'il'],
  [/([^r]r|z)es$/u, '$1'],
  [/([aeioáéíóúâêôã])s$/u, '$1'],
  // From the singular.
  [/((?:[óo]rg|cidad|irm)ão)$/u, '$1s'],
  [/ão$/u, 'ões'],
  [/ao$/u, 'oes'],
  [/m$/u, 'ns'],
  [/([áéíóú][^aeiou]*)il$/u, '$1eis'],
  [/il$/u, 'is'],
  [/([aeou])l$/u, '$1is'],
  [/([rz])$/u, '$1es'],
  [/ês$/u, 'eses'],
  [/([aeiouáéíóúâêôã])$/u, '$1s'],
];

/**
 * The same search with singular and plural of each word: `danos morais` becomes `(danos OR dano) AND (morais OR moral)`.
 * It is a wider search, so callers show it and never send it without consent.
 * @returns null for FTS5 syntax, if no word has another number, or if the result is too long.
 */
export function withNumberForms(q: string): string | null {
  if (SYNTAX.test(q)) return null;
  const words = q.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const parts = words.map((word) => {
    const other = otherNumber(word);
    return other === null ? bare(word) : `(${word} OR ${other})`;
  });
  const joined = parts.join(' AND ');
  const isNew = parts.some((part) => part.startsWith('('));
  return isNew && [...joined].length <= Q_LENGTH_MAX ? joined : null;
}

function otherNumber(word: string): string | null {
  const lower = word.toLowerCase();
  if (!/^\p{L}+$/u.test(lower) || lower.length < WORD_LENGTH_MIN || FIXED.has(lower)) return null;
  const rule = RULES.find(([ending]) => ending.test(lower));
  return rule === undefined ? null : lower.replace(rule[0], rule[1]);
}

/** Quotes a word with marks, as FTS5 syntax requires. */
function bare(word: string): string {
  return /^[\p{L}\p{N}_]+$/u.test(word) ? word : `"${word}"`;
}
