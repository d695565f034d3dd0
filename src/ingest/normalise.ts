import { decodeHTMLStrict } from 'entities';
import { mended } from './mojibake.ts';
import { pythonList } from './python-list.ts';
import { textOrNull } from './text.ts';

/**
 * What every format of a court needs: the text that was meant, out of the text that came. Each function takes any
 * JSON value, gives null where there is nothing, never throws, and changes nothing when applied to its own result.
 */

/** A text with its line breaks: entities, highlight tags, odd spaces and mended mojibake aside, as published. */
export function plainText(value: unknown): string | null {
  const text = textOf(value);
  if (text === null) return null;
  let clean = text;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = tidied(withoutHighlights(mended(unescaped(clean.toWellFormed()))));
    if (next === clean) break;
    clean = next;
  }
  return textOrNull(clean);
}

/** The same with one space where there were several: running text. */
export function prose(value: unknown): string | null {
  return plainText(value)?.replaceAll(/ {2,}/gu, ' ') ?? null;
}

/** The same on one line: names, numbers, bodies. */
export function oneLine(value: unknown): string | null {
  const text = plainText(value)?.replaceAll(/\s+/gu, ' ');
  return text === undefined ? null : textOrNull(text);
}

/** A list of texts, from a list, from one as Python prints it, or from one text; null where nothing is left. */
export function textList(value: unknown): string[] | null {
  const texts: unknown = typeof value === 'string' ? (pythonList(value) ?? value) : value;
  const list = (Array.isArray(texts) ? texts : [texts]).map(plainText).filter((text) => text !== null);
  return list.length === 0 ? null : list;
}

/**
 * A text without the line breaks that only kept a column of about 70 characters. A break stays where a paragraph
 * ends: at a blank line, before an item's mark, and after a sentence that stops short of the column.
 */
export function unwrapped(value: unknown): string | null {
  const text = prose(value);
  if (text === null) return null;
  const lines = text.split('\n');
  const column = lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  if (column > WRAP_COLUMN_MAX) return text;
  let joined = '';
  let last = '';
  for (const line of lines) {
    joined += joined === '' ? line : `${joint(last, line, column)}${line}`;
    last = line;
  }
  return textOrNull(tidied(joined));
}

/**
 * A day `YYYY-MM-DD` from `YYYYMMDD`, from an ISO date or time, or from the first dd/mm/yyyy in a text; as it is written
 * there, in the calendar or not.
 */
export function writtenDay(value: unknown): string | null {
  const text = textOf(value)?.trim() ?? '';
  const [found, year, month, day] =
    /^(\d{4})-(\d{2})-(\d{2})(?!\d)/u.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/u.exec(text) ?? dayFirst(text);
  return found === undefined ? null : `${year}-${month}-${day}`;
}

/** A person's name; one that came in lower case alone gets its capitals back (its accents are gone for good). */
export function personName(value: unknown): string | null {
  const name = oneLine(value);
  if (name === null || name !== name.toLowerCase()) return name;
  return name.replaceAll(/\p{L}+/gu, (word, at: number) =>
    at > 0 && PARTICLES.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
  );
}

/** An ementa without the word that only announces it, and without the marks that stand around the whole of it. */
export function withoutHeading(text: string | null): string | null {
  let rest = text;
  for (let before = null; rest !== null && rest !== before;) {
    before = rest;
    rest = textOrNull(unmarked(rest.replace(HEADING, '')));
  }
  return rest;
}

/** Enough for any text that was escaped by several systems in turn. */
const ROUNDS_MAX = 8;
/** A line longer than this was not wrapped for a column. */
const WRAP_COLUMN_MAX = 120;
/** A line that fills less of the column than this, and ends a sentence, ends a paragraph. */
const SHORT_LINE = 0.75;
const ITEM_MARK = /^(?:\d{1,2}(?:\.\d{1,2})*[.)–-]|[IVXL]{1,5}\s*[.)–-]|[a-z]\)|\([ivxl\d]{1,4}\)|[-–•]\s)/u;
const PARTICLES = new Set(['da', 'das', 'de', 'del', 'di', 'do', 'dos', 'du', 'e', 'van', 'von']);
/** Before a mark of punctuation, or alone on its line. */
const HEADING = /^(?:[\s<]*E\s?M\s?E\s?N\s?T\s?A(?: OFICIAL)? *(?:[:.–-]+|\n|$)\s*)+/iu;
/** `&amp;amp;…` is folded first, so that the rounds above are enough for everything else. */
const FOLDED_AMPERSANDS = /&(?:(?:amp|#38|#x26);)+/giu;
/** What search systems put around the words that were searched for; `<EM RECURSO>` is none. */
const HIGHLIGHT = /<\/?(?:em|mark|b|strong|font|tst_j|highlight)(?:\s+[\w-]+\s*=[^<>]*)?\s?\/?>/giu;

/** A text without `<` before it and `>` behind it, unless the other half of such a pair stands in it. */
function unmarked(text: string): string {
  let start = 0;
  while (isMarkOrSpace(text.charAt(start), '<')) start += 1;
  let end = text.length;
  while (end > start && isMarkOrSpace(text.charAt(end - 1), '>')) end -= 1;
  const isInside = (mark: string) => text.slice(start, end).includes(mark);
  return text.slice(isInside('>') ? 0 : start, isInside('<') ? text.length : end);
}

function isMarkOrSpace(letter: string, mark: string): boolean {
  return letter === mark || /\s/u.test(letter);
}

/** Strings, and numbers that stand where a text is expected. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

function unescaped(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text.replaceAll(FOLDED_AMPERSANDS, '&amp;')) : text;
}

function withoutHighlights(text: string): string {
  return text.includes('<') ? text.replaceAll(HIGHLIGHT, '') : text;
}

/** Anything that `tidied` changes: most texts have none of it. */
const UNTIDY =
  / \n|\n |\n{3}|[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/u;

/** Line ends and spaces of one kind, nothing that cannot be seen, no more than one blank line together. */
function tidied(text: string): string {
  if (!UNTIDY.test(text)) return text.trim();
  return text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t\v\f]/gu, ' ')
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2060\ufeff]|(?<!Ã)\u00ad/gu, '')
    .replaceAll(/[ \n]{2,}/gu, tidiedRun)
    .trim();
}

/** The line breaks of a run of spaces and breaks, two at the most; spaces alone stay. */
function tidiedRun(run: string): string {
  const first = run.indexOf('\n');
  if (first === -1) return run;
  return run.includes('\n', first + 1) ? '\n\n' : '\n';
}

/** What stands between two lines of a column once they are joined. */
function joint(before: string, after: string, column: number): string {
  if (before === '' || after === '' || ITEM_MARK.test(after)) return '\n';
  // A blank line, so that reading the result again finds the paragraph whatever its length has become.
  if (before.length < column * SHORT_LINE && /[.:;!?]["”’)]?$/u.test(before)) return '\n\n';
  return /\p{L}-$/u.test(before) && /^\p{L}/u.test(after) ? '' : ' ';
}

function dayFirst(text: string): readonly (string | undefined)[] {
  const [found, day, month, year] = /(?<!\d)(\d{2})\/(\d{2})\/(\d{4})(?!\d)/u.exec(text) ?? [];
  return [found, year, month, day];
}
