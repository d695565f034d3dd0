import { bug } from '../bug.ts';

/*
 * The spellings of a case number. Courts write one, decisions and people cite others:
 *   CNJ (Resolução 65/2008):  0000850-43.2017.5.13.0011, 850-43.2017.5.13.0011, 00008504320175130011
 *   TJMG's own:               1.0024.12.345678-9/001, 10024123456789001
 *   STJ's registro:           2022/0285346-2, 202202853462
 *   class and number:         REsp 1234567, REsp 1.234.567
 */

/** All spellings of the numbers in a text, each in place of the number as given, which comes first; each once. */
export function spellingsOf(text: string): string[] {
  const numbers = text.match(NUMBER) ?? [];
  const forms = numbers.map(formsOf);
  const between = text.split(NUMBER);
  const count = Math.max(1, ...forms.map(({ length }) => length));
  const texts = Array.from({ length: count }, (_, at) =>
    between.map((part, before) => part + (forms[before]?.[at] ?? numbers[before] ?? '')).join(''),
  );
  return [...new Set(texts)];
}

/** A run of digits and the marks between them. */
const NUMBER = /\d+(?:[./-]\d+)*/gu;

/** The number as given and its other spellings; only itself if it has none. */
function formsOf(number: string): string[] {
  const [, own = '', end = ''] = MARKED_CNJ.exec(number) ?? [];
  if (own !== '') return [number, ...cnjForms(own.padStart(7, '0') + end.replaceAll('.', ''))];
  const digits = number.replaceAll(/[./-]/gu, '');
  if (MARKED_TJMG.test(number)) return [number, ...tjmgForms(digits)];
  if (MARKED_REGISTRO.test(number)) return [number, digits];
  if (/^[1-9]\d{0,2}(?:\.\d{3})+$/u.test(number)) return [number, digits];
  return digits === number ? [number, ...formsOfDigits(number)] : [number];
}

const MARKED_CNJ = /^(\d{1,7})-(\d{2}\.?\d{4}\.?\d\.?\d{2}\.?\d{4})$/u;
const MARKED_TJMG = /^\d\.\d{4}\.\d{2}\.\d{6}-\d(?:\/\d{3})?$/u;
const MARKED_REGISTRO = /^(?:19|20)\d{2}\/\d{7}-\d$/u;

function formsOfDigits(digits: string): string[] {
  const length = digits.length;
  // Tables of numbers lose the leading zeros.
  if (length === 20 || (length >= 14 && length < 20 && hasCnjCheck(digits)))
    return cnjForms(digits.padStart(20, '0'));
  if (length === 17) return tjmgForms(digits);
  if (length === 12 && /^(?:19|20)/u.test(digits))
    return [`${digits.slice(0, 4)}/${digits.slice(4, 11)}-${digits.slice(11)}`];
  return length >= 4 && length <= 9 && !digits.startsWith('0') ? [withPoints(digits)] : [];
}

/** @param digits 20. */
function cnjForms(digits: string): string[] {
  const [, own = '', check, year, branch, court, origin] =
    /^(\d{7})(\d{2})(\d{4})(\d)(\d{2})(\d{4})$/u.exec(digits) ?? bug('not 20 digits');
  const marked = `-${check}.${year}.${branch}.${court}.${origin}`;
  const short = own.replace(/^0{1,6}/u, '');
  return [own + marked, short + marked, digits, digits.replace(/^0{1,6}/u, '')];
}

/** @param digits 17, the last three for the appeal in the case; 14 without it. */
function tjmgForms(digits: string): string[] {
  const [, court, district, year, number, check, appeal] =
    /^(\d)(\d{4})(\d{2})(\d{6})(\d)(\d{3})?$/u.exec(digits) ?? bug('not 14 or 17 digits');
  const marked = `${court}.${district}.${year}.${number}-${check}${appeal === undefined ? '' : `/${appeal}`}`;
  return [marked, digits];
}

/** Digits with a point before each group of three. */
export function withPoints(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/gu, '.');
}

/** Whether the check digits of a CNJ number are right. @param digits 14 to 20, leading zeros left out. */
export function hasCnjCheck(digits: string): boolean {
  const whole = digits.padStart(20, '0');
  return cnjCheck(whole.slice(0, 7) + whole.slice(9)) === whole.slice(7, 9);
}

/** The check digits of a CNJ number (ISO 7064, MOD 97-10). @param others its other 18 digits. */
export function cnjCheck(others: string): string {
  return String(98n - (BigInt(`${others}00`) % 97n)).padStart(2, '0');
}
