import { COURT_FIELDS, kindOf } from './court-signs.ts';

/** Words between words of one paragraph, as far as a proximity can stand for it. */
const PARAGRAPH_WORDS = 30;
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

/** One phrase of two. */
export function joined(one: string, other: string): string {
  if (/[*+]/u.test(one) || other.includes('+')) return `${one} + ${other}`;
  return `"${`${one} ${other}`.replaceAll(/["*]/gu, '')}"${other.endsWith('*') ? '*' : ''}`;
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

/** `20200131`, `2020-01-31`, `31/01/2020` as a date of ISO 8601; null for none. */
export function isoDate(text: string): string | null {
  const digits = /^(\d{2})\D(\d{2})\D(\d{4})$/u.test(text)
    ? text.replace(/^(\d{2})\D(\d{2})\D(\d{4})$/u, '$3$2$1')
    : text.replaceAll(/\D/gu, '');
  const date = digits.replace(/^(\d{4})(\d{2})(\d{2})$/u, '$1-$2-$3');
  return date.length === 10 && dayBeside(date, 0) === date ? date : null;
}

export function dayBeside(date: string, days: number): string {
  const time = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(time.getTime())) return '';
  time.setUTCDate(time.getUTCDate() + days);
  return time.toISOString().slice(0, 10);
}
