import { withPlainQuotes } from '../contract/avisos.ts';
import { quoted } from '../contract/fts5-parts.ts';
import { withPlainOrdinals } from '../contract/ordinals.ts';
import { Q_MAX } from '../contract/vocabulary.ts';
import { otherForms } from '../contract/word-forms.ts';
import { foldedText } from './reading.ts';
import { STOP_WORDS } from './stop-words.ts';
import { allOf } from './suggestion.ts';

/** A question as a search. */
export interface Pergunta {
  /** The search, in FTS5 syntax; null if the text has nothing to search for. */
  readonly q: string | null;
  /** Words and numbers without room, in the order of the text. */
  readonly nao_couberam: readonly string[];
  /** What the user should know, in Portuguese, one line each. */
  readonly avisos: readonly string[];
}

/** What a search has for a word, a number or a phrase of the text. */
interface Clause {
  readonly text: string;
  /** The place among clauses when not all have room, from 0. */
  readonly rank: number;
  /** FTS5; the first is what the clause needs, the others make it weigh more, or find more. */
  readonly forms: readonly string[];
}
const RANK = { phrase: 0, number: 1, name: 2, word: 3 } as const;

const JOINER = ' OR ';
/** Longer quotations are sentences, which no decision has. */
const PHRASE_WORDS_MAX = 6;
/** Words of more letters are searched by their beginning. Measured with judged searches: 4 and 6 find worse. */
const STEM_LETTERS = 5;
const STEM_LETTERS_MIN = 4;
const OTHER_NUMBERS_MAX = 2;
/** The service merges the lists of all words with a beginning: each takes it some 10 ms in a base of 1,000,000. */
const STEMS_MAX = 12;
const SHOWN_MAX = 10;
const SHOWN_LETTERS_MAX = 40;

/** A phrase, or a word with what is joined to it: `boa-fé`, `8.666/93`, `15.000,00`. */
const PIECE = /"([^"]*)"|[\p{L}\p{N}]+(?:[./-][\p{L}\p{N}]+|(?<=\d),\d+)*/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** Latin letters. FTS5 knows no word of some later scripts. */
const OTHER_SCRIPTS = /[^\0-\u024f]/gu;

/**
 * Any text as a search for decisions with most of its words: without stop words, each longer word also by its beginning, shorter
 * ones also in singular or plural, numbers also as they are written otherwise, joined by OR, in at most 300 characters.
 */
export function asQuestion(text: string): Pergunta {
  const plain = withPlainOrdinals(withPlainQuotes(text.replaceAll(/\p{Cf}/gu, '')).replaceAll(/\s+/gu, ' '));
  const bare = plain.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(OTHER_SCRIPTS, ' ');
  const all = clausesOf(bare);
  const telling = all.filter((clause) => !STOP_WORDS.has(clause.text));
  const isCommon = telling.length === 0;
  const clauses = isCommon ? all.map(literal) : telling;
  const chosen = formsWithRoom(clauses);
  const q = clauses.flatMap(({ forms }) => forms.filter((form) => chosen.delete(form)));
  const isLeftOut = ({ forms }: Clause) => forms.every((form) => !q.includes(form));
  const nao_couberam = clauses.filter(isLeftOut).map((clause) => clause.text);
  return {
    q: q.length === 0 ? null : allOf([q.join(JOINER)]),
    nao_couberam,
    avisos: [
      ...(nao_couberam.length === 0 ? [] : [leftOutLine(nao_couberam)]),
      ...(isCommon && q.length > 0
        ? ['a pergunta só tem palavras comuns, e a busca é por elas; diga também o assunto']
        : []),
      ...(clauses.length === 0 ? ['a pergunta não tem palavra nem número a buscar; escreva o assunto'] : []),
    ],
  };
}

/** A text without syntax that is a question, or too long for words which all have to appear. */
export function isSentence(text: string): boolean {
  const words = text.trim().split(/\s+/u);
  const isLong = words.length >= SENTENCE_WORDS_MIN || (words.length > 1 && text.trimEnd().endsWith('?'));
  return isLong && !/["()*]|\b(?:AND|OR|NOT)\b/u.test(text);
}
const SENTENCE_WORDS_MIN = 5;

/** Best clauses first: what each needs, and then the other forms. */
function formsWithRoom(clauses: readonly Clause[]): Set<string> {
  const sorted = clauses.toSorted((a, b) => a.rank - b.rank || b.text.length - a.text.length);
  const found = [...new Set(sorted.flatMap(({ forms }) => forms.filter(isStem)))];
  const stems = new Set(found.slice(0, STEMS_MAX));
  const best = sorted.map(({ forms }) => forms.filter((form) => !isStem(form) || stems.has(form)));
  const chosen = new Set<string>();
  let length = -JOINER.length;
  const wanted = [...best.flatMap((forms) => forms.slice(0, 1)), ...best.flat()];
  for (const form of wanted) {
    const longer = length + JOINER.length + form.length;
    if (longer > Q_MAX || chosen.has(form)) continue;
    chosen.add(form);
    length = longer;
  }
  return chosen;
}

/** The distinct clauses of a text without accents. A quotation is a phrase, if the text has more than that. */
function clausesOf(bare: string): Clause[] {
  const isShouted = !/\p{Ll}/u.test(bare);
  const clauses = new Map<string, Clause>();
  const add = (clause: Clause) => clauses.get(clause.text) ?? clauses.set(clause.text, clause);
  const pieces = [...bare.matchAll(PIECE)];
  const isQuotation = pieces.every(([, phrase]) => phrase !== undefined);
  for (const [piece, phrase] of pieces) {
    const words = piece.match(WORD) ?? [];
    const isPhrase = phrase !== undefined && words.length > 1 && words.length <= PHRASE_WORDS_MAX;
    if (isPhrase && !isQuotation) {
      const joined = foldedText(words.join(' '));
      add({ text: joined, rank: RANK.phrase, forms: [`"${joined}"`] });
    } else if (phrase !== undefined) for (const clause of clausesOf(piece.replaceAll('"', ' '))) add(clause);
    else if (/\d/u.test(piece)) add(numberClause(piece));
    else for (const word of words) add(wordClause(word, isShouted));
  }
  return [...clauses.values()];
}

/** A number is a phrase of its parts, whatever is between them. One of one or two digits may be an ordinal. */
function numberClause(piece: string): Clause {
  const text = foldedText(piece);
  const others = /^\d{1,2}$/u.test(text)
    ? [`${text}º`, `${text}ª`]
    : otherForms(text.match(WORD) ?? []).flatMap((form) => (/\d[ºªoa]$/u.test(form.text) ? [] : [form.text]));
  return { text, rank: RANK.number, forms: [text, ...others].map(quoted) };
}

function wordClause(word: string, isShouted: boolean): Clause {
  const text = foldedText(word);
  const isAcronym = !isShouted && /^\p{Lu}{2,}$/u.test(word);
  if (isAcronym) return { text, rank: RANK.name, forms: [quoted(text)] };
  const rank = !isShouted && /^\p{Lu}/u.test(word) ? RANK.name : RANK.word;
  // Either is a singular, and the other its plural.
  const others = otherForms([text]).filter((form) => form.text.endsWith('s') !== text.endsWith('s'));
  const numbers = others.slice(0, OTHER_NUMBERS_MAX).map((form) => form.text);
  const stem = commonStart([text, ...numbers]).slice(0, STEM_LETTERS);
  const isLong = text.length > STEM_LETTERS && stem.length >= STEM_LETTERS_MIN;
  return { text, rank, forms: (isLong ? [`${stem}*`, text] : [text, ...numbers]).map(formOf) };
}

const literal = ({ text, rank }: Clause): Clause => ({ text, rank, forms: [quoted(text)] });
const isStem = (form: string) => form.endsWith('*');
const formOf = (form: string) => (isStem(form) ? form : quoted(form));

function commonStart([first = '', ...others]: readonly string[]): string {
  const end = [...first].findIndex((letter, at) => others.some((other) => other[at] !== letter));
  return end < 0 ? first : first.slice(0, end);
}

function leftOutLine(words: readonly string[]): string {
  const shown = words.slice(0, SHOWN_MAX).map((word) => word.slice(0, SHOWN_LETTERS_MAX));
  const more = words.length > SHOWN_MAX ? ` e mais ${words.length - SHOWN_MAX}` : '';
  return `não couberam na busca, de até ${Q_MAX} caracteres: ${shown.join(', ')}${more}`;
}
