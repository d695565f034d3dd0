import { bug } from '../bug.ts';

/**
 * A text whose lines were wrapped at a column, with these breaks undone. A break stays where a paragraph ends: at a blank
 * line, before an item of a list, and after a sentence that ends well before the column. Applied again it changes nothing.
 */
export function joinedLines(text: string): string {
  const lines = text.split('\n');
  const column = lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  if (column > WRAP_COLUMN_MAX) return text;
  const marks = new Set<string>();
  let joined = '';
  let tail = '';
  let last: string | null = null;
  for (const line of lines) {
    const separator = last === null ? '' : joint({ last, tail, line, column, marks });
    joined += separator + line;
    tail = (tail + separator + line).slice(-TAIL);
    last = line;
    for (const [, mark = ''] of line.matchAll(ANY_MARK)) marks.add(mark);
  }
  return joined;
}

/** A longer line was not wrapped. */
const WRAP_COLUMN_MAX = 120;
/** A sentence that ends within this fraction of the column ends a paragraph. */
const SHORT_LINE = 0.75;
/** Characters before a line that show whether its number belongs to a sentence. */
const TAIL = 40;

interface Break {
  readonly last: string;
  /** The end of all text before. */
  readonly tail: string;
  readonly line: string;
  readonly column: number;
  /** Marks of items seen before, also inside lines. */
  readonly marks: ReadonlySet<string>;
}

/** What separates a line from the one before. */
function joint(at: Break): string {
  const { last, line } = at;
  if (last === '' || line === '' || isItem(at)) return '\n';
  // A blank line keeps the paragraph when the result is joined again.
  if (last.length < at.column * SHORT_LINE && endsSentence(at.tail)) return '\n\n';
  return /\p{L}-$/u.test(last) && /^\p{L}/u.test(line) ? '' : ' ';
}

const MARKS = String.raw`\d{1,2}(?:\.\d{1,2})*|[IVXL]{1,6}|[ivxl]{1,5}|[a-z]`;
const ANY_MARK = new RegExp(String.raw`(?:^|[\s(])(${MARKS})(?:[.)]|\s*[–-])(?!\d)`, 'gu');
/** How an item begins: its mark, the separator, and the character after it. A single letter needs its `)`. */
const MARK = new RegExp(
  String.raw`^(?<open>\(?)(?<mark>${MARKS})(?<separator>[.)]\s*|\s*[–-]\s*)(?!\d)(?<next>.?)`,
  'u',
);
/** After a case's number, a dash and two letters are its state: `REsp 1.234` `- SP`. */
const BULLET = /^(?:•|[–-]\s(?![A-Z]{2}(?:\P{L}|$)))/u;

/** True if a line begins an item of a list, and not with a number of the sentence before it (`Lei n.` `11.343/2006`). */
function isItem({ tail, line, marks }: Break): boolean {
  if (citesNext(tail)) return false;
  const isAfterSentence = endsSentence(tail) || /[;:,]\s*(?:e|ou)$/u.test(tail);
  const groups = MARK.exec(line)?.groups;
  if (groups === undefined)
    return BULLET.test(line) && (isAfterSentence || /^(?:•|[–-]\s\p{Lu}\p{Ll})/u.test(line));
  const { open = '', mark = '', separator = '', next = '' } = groups;
  const isInBrackets = separator.startsWith(')');
  if (/^[a-z]/u.test(mark) && !isInBrackets) return false;
  const before = markBefore(mark);
  const isNext = before === '' || (before !== null && marks.has(before));
  // `12-A`, `83-STJ`, `IV-A`
  if (/^[–-]$/u.test(separator) && next !== '') return isAfterSentence && isNext;
  if (isAfterSentence) return true;
  // `art. 105, III,` `a)`
  const isCited = !/^\d/u.test(mark) && CITATION.test(tail);
  return isNext && !isCited && ((isInBrackets && (open !== '' || !/^\d/u.test(mark))) || BEGINS.test(next));
}

const BEGINS = /[\p{Lu}“"(‘]/u;
const CITED_THINGS =
  'artigos?|incisos?|alíneas?|letras?|ite(?:m|ns)|parágrafos?|§+|leis?|decretos?|súmulas?|enunciados?|temas?|números?|' +
  'a?resp|r?hc|r?ms|adi|ano|dia|de|do|da|dos|das|em|no|na|nos|nas|ao|à';
const ABBREVIATIONS =
  'n|ns|nº|n°|nºs|núm|arts?|incs?|par|fls?|pp?|págs?|vol|rel|min|des|dra?|sra?|exm[oa]|c\\/c';
const CITES = new RegExp(
  String.raw`(?:^|[\s(,;/])(?:(?:${CITED_THINGS}|${ABBREVIATIONS}),?|(?:${ABBREVIATIONS})\.)$`,
  'iu',
);
const CITATION = new RegExp(String.raw`(?:^|[\s(])(?:arts?\.|artigos?|inc\.|incisos?|alíneas?)\s`, 'iu');

/** True if the next number belongs to the sentence: after `Lei n.`, `art. 5º, inciso`, `da alínea`. */
function citesNext(tail: string): boolean {
  return CITES.test(tail);
}

function endsSentence(tail: string): boolean {
  return /[.:;!?]["”’)]?$/u.test(tail) && !citesNext(tail);
}

const ROMANS = ' I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX'.split(' ');

/** The mark before in a list; empty for the first one, null if there is none. */
function markBefore(mark: string): string | null {
  const [, outer = '', own = mark] = /^(.*\.)(\d+)$/u.exec(mark) ?? [];
  if (/^\d/u.test(own)) return own === '1' || own === '01' ? '' : outer + String(Number(own) - 1);
  const isSmall = own === own.toLowerCase();
  const roman = ROMANS.indexOf(own.toUpperCase());
  if (roman > 0 && (!isSmall || own === 'i' || own.length > 1)) {
    const before = ROMANS[roman - 1] ?? bug('no number before');
    return isSmall ? before.toLowerCase() : before;
  }
  if (own.length > 1 || !isSmall) return null;
  return own === 'a' ? '' : String.fromCodePoint(own.charCodeAt(0) - 1);
}
