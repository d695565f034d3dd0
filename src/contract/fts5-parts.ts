import { existsInCalendar } from './calendar.ts';
import { COURT_FIELDS, kindOf } from './court-signs.ts';

/** Words between words of one paragraph, as far as a proximity can stand for it. */
const PARAGRAPH_WORDS = 30;
const DAY_MS = 86_400_000;
export const NEAR_DEFAULT = 10;

export interface Operand {
  readonly text: string;
  /** False for a group, beside which adjacent words need an operator. */
  readonly isLoose: boolean;
  /** What may stand in NEAR in its place, any of it; null if nothing may. */
  readonly choices: readonly string[] | null;
}

/** Null: adjacent. */
export function distanceOf(word: string): number | null {
  const digits = /\d+/u.exec(word)?.[0];
  const kind = kindOf(word);
  if (kind === 'paragraph') return PARAGRAPH_WORDS;
  if (kind === 'adjacent') return digits === undefined || digits === '1' ? null : Number(digits);
  return Number(digits ?? (word === 'NEAR' ? NEAR_DEFAULT : 1));
}

export function plain(text: string): Operand {
  return { text, isLoose: true, choices: [text] };
}

/** A word as FTS5 takes it: in quotes if it has marks, or could be taken for an operator. */
export function quoted(word: string): string {
  const isBare = /^[A-Za-z0-9_\u0080-\u{10ffff}]+$/u.test(word);
  return isBare && !/^(?:and|or|not|near)$/iu.test(word) && kindOf(word) === null
    ? word
    : `"${word.replaceAll('"', '')}"`;
}

/** @param isAdjacent makes one phrase of the last one and it. */
export function withPhrase(phrases: readonly string[], other: string, isAdjacent: boolean): string[] {
  const last = phrases.at(-1);
  if (!isAdjacent || last === undefined) return [...phrases, other];
  const isPrefix = other.endsWith('*');
  const isJoined = /[*+]/u.test(last) || other.includes('+');
  const words = `"${`${last} ${other}`.replaceAll(/["*]/gu, '')}"${isPrefix ? '*' : ''}`;
  return [...phrases.slice(0, -1), isJoined ? `${last} + ${other}` : words];
}

export function nearText(phrases: readonly string[], distance: number): string {
  return phrases.length === 1 ? phrases.join() : `NEAR(${phrases.join(' ')}, ${distance})`;
}

/** An operand with the marks after it: of them a field is left. */
export function withMarks(marks: string, operand: Operand): Operand {
  const column = COURT_FIELDS[/\.(\p{L}+)\./u.exec(marks)?.[1]?.toLowerCase() ?? ''];
  return column === undefined || column === '' ? operand : inColumn(column, operand);
}

/** Alone, a column and a word without quotes would be two words. */
export function inColumn(column: string, { text, isLoose }: Operand): Operand {
  const isNested = !text.startsWith('(') && / : /u.test(text);
  const body = /^[^\s"()*]+$/u.test(text) ? `"${text}"` : isNested ? `(${text})` : text;
  return { text: `${column} : ${body}`, isLoose: isLoose && !isNested, choices: null };
}

/** `20200131`, `2020-01-31`, `31/01/2020` as a date of ISO 8601, some days later; null for none. */
export function isoDate(text: string, daysLater: number): string | null {
  const date = text
    .replace(/^(\d{2})\D(\d{2})\D(\d{4})$/u, '$3$2$1')
    .replaceAll(/\D/gu, '')
    .replace(/^(\d{4})(\d{2})(\d{2})$/u, '$1-$2-$3');
  if (!existsInCalendar(date)) return null;
  return new Date(Date.parse(date) + daysLater * DAY_MS).toISOString().slice(0, 10);
}
