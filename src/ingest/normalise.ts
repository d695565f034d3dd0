import { decodeHTMLStrict } from 'entities';
import { withoutInvisible } from '../index/format/invisible.ts';
import { joinedLines } from './joined-lines.ts';
import { repairMojibake } from './mojibake.ts';
import { pythonList } from './python-list.ts';
import { textOrNull, withWindows1252 } from './text.ts';

/**
 * Text cleaning for all court formats. Each function takes any JSON value, returns null for an empty one, never throws,
 * and is idempotent.
 */

/** The published text with its line breaks. Decodes entities, removes highlight tags, repairs spaces and mojibake. */
export function plainText(value: unknown): string | null {
  const text = stringOf(value);
  if (text === null) return null;
  let clean = text;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = tidied(withoutHighlights(repairMojibake(unescaped(clean.toWellFormed()))));
    if (next === clean) break;
    clean = next;
  }
  return textOrNull(clean);
}

/** The same, with runs of spaces collapsed. */
export function prose(value: unknown): string | null {
  return plainText(value)?.replaceAll(/ {2,}/gu, ' ') ?? null;
}

/** The same on one line, for names, numbers and court bodies. */
export function oneLine(value: unknown): string | null {
  const text = plainText(value)?.replaceAll(/\s+/gu, ' ');
  return text === undefined ? null : textOrNull(text);
}

/** A list of texts from a list, a printed Python list, or a single text; null if it is empty. */
export function textList(value: unknown): string[] | null {
  const texts: unknown = typeof value === 'string' ? (pythonList(value) ?? value) : value;
  const list = (Array.isArray(texts) ? texts : [texts]).map(plainText).filter((text) => text !== null);
  return list.length === 0 ? null : list;
}

/** A text without the line breaks that wrap a column of about 70 characters. */
export function unwrapped(value: unknown): string | null {
  const text = prose(value);
  return text === null ? null : textOrNull(tidied(joinedLines(text)));
}

/**
 * A day `YYYY-MM-DD` from `YYYYMMDD`, an ISO date or time, or the first dd/mm/yyyy in a text. It may not exist in the
 * calendar.
 */
export function writtenDay(value: unknown): string | null {
  const text = stringOf(value)?.trim() ?? '';
  const [found, year, month, day] =
    /^(\d{4})-(\d{2})-(\d{2})(?!\d)/u.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/u.exec(text) ?? dayFirst(text);
  return found === undefined ? null : `${year}-${month}-${day}`;
}

/** A person's name. A name in lower case only gets its capitals back; its accents cannot be restored. */
export function personName(value: unknown): string | null {
  const name = oneLine(value);
  if (name === null || name !== name.toLowerCase()) return name;
  return name.replaceAll(/\p{L}+/gu, (word, at: number) =>
    at > 0 && PARTICLES.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
  );
}

/** An ementa without the heading `EMENTA` and without the `<` and `>` around the whole text. */
export function withoutHeading(text: string | null): string | null {
  let body = text;
  for (let before = null; body !== null && body !== before;) {
    before = body;
    body = textOrNull(withoutBrackets(body.replace(HEADING, '')));
  }
  return body;
}

/** Enough for a text that several systems escaped in turn. */
const ROUNDS_MAX = 8;
const PARTICLES = new Set(['da', 'das', 'de', 'del', 'di', 'do', 'dos', 'du', 'e', 'van', 'von']);
/** The heading, before punctuation or alone on its line. */
const HEADING = /^(?:[\s<]*E\s?M\s?E\s?N\s?T\s?A(?: OFICIAL)? *(?:[:.–-]+|\n|$)\s*)+/iu;
/** `&amp;amp;…` is folded first, so that `ROUNDS_MAX` rounds are enough for the rest. */
const FOLDED_AMPERSANDS = /&(?:(?:amp|#38|#x26);)+/giu;
/** Tags that search systems put around matches. `<EM RECURSO>` is not one. */
const HIGHLIGHT = /<\/?(?:em|mark|b|strong|font|tst_j|highlight)(?:\s+[\w-]+\s*=[^<>]*)?\s?\/?>/giu;

/** A text without leading `<` and trailing `>`, unless the other bracket of the pair is inside the text. */
function withoutBrackets(text: string): string {
  let start = 0;
  while (isBracketOrSpace(text.charAt(start), '<')) start += 1;
  let end = text.length;
  while (end > start && isBracketOrSpace(text.charAt(end - 1), '>')) end -= 1;
  const isInside = (bracket: string) => text.slice(start, end).includes(bracket);
  return text.slice(isInside('>') ? 0 : start, isInside('<') ? text.length : end);
}

function isBracketOrSpace(letter: string, bracket: string): boolean {
  return letter === bracket || /\s/u.test(letter);
}

/** Accepts strings, and numbers in place of a text. */
function stringOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

function unescaped(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text.replaceAll(FOLDED_AMPERSANDS, '&amp;')) : text;
}

function withoutHighlights(text: string): string {
  return text.includes('<') ? text.replaceAll(HIGHLIGHT, '') : text;
}

/** Matches whatever `tidied` changes. Most texts do not match. */
const UNTIDY =
  / \n|\n |\n{3}|[\u034f\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/u;

/** One kind of line end and of space, no invisible characters, no two blank lines in a row. */
function tidied(text: string): string {
  if (!UNTIDY.test(text)) return text.trim();
  return withoutInvisible(withWindows1252(text))
    .replaceAll(/\r\n?|[\u2028\u2029]/gu, '\n')
    .replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t\v\f]/gu, ' ')
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/gu, '')
    .replaceAll(/[ \n]{2,}/gu, tidiedRun)
    .trim();
}

/** Reduces a run of spaces and line breaks to one or two breaks. A run of spaces only stays. */
function tidiedRun(run: string): string {
  const first = run.indexOf('\n');
  if (first === -1) return run;
  return run.includes('\n', first + 1) ? '\n\n' : '\n';
}

function dayFirst(text: string): readonly (string | undefined)[] {
  const [found, day, month, year] = /(?<!\d)(\d{2})\/(\d{2})\/(\d{4})(?!\d)/u.exec(text) ?? [];
  return [found, year, month, day];
}
