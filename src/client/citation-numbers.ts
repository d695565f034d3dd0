import { cnjCheck } from '../contract/case-numbers.ts';
import { matchAt, type NumberKind } from './citation.ts';

/*
 * Case numbers as citations write them. All patterns are sticky and bounded, so that reading a text takes time in proportion to its
 * length.
 */

export interface NumberFound {
  readonly kind: NumberKind;
  /** One form for all spellings: `0001000-40.2015.5.02.0001`, `1.0024.12.345678-9/001`, `2022/0285346-2`, `1234567`. */
  readonly numero: string;
  readonly end: number;
}

const DIGITS = (count: number) => `\\d(?:\\s?\\d){${count - 1}}`;
/** Scanned texts have blanks inside, and `1` or `I` for the `/` before a state. */
const TAIL = '(?!\\d(?![A-Z]{2}(?![A-Z])))';
const CNJ = new RegExp(
  `(\\d{1,7})\\s?-\\s?(\\d{2})\\s?\\.\\s?(${DIGITS(4)})\\s?\\.?\\s?(\\d)\\s?\\.?\\s?(${DIGITS(2)})\\s?\\.?\\s?(${DIGITS(4)})${TAIL}`,
  'y',
);
const CNJ_BARE = /(\d{7})(\d{2})((?:19|20)\d{2})([1-9])(\d{2})(\d{4})(?!\d)/y;
const TJMG = /1\.(\d{4})\.(\d{2})\.(\d{6})-(\d)(?:\/\s?(\d{3})(?!\d))?/y;
const REGISTRO = /((?:19|20)\d{2})\s?\/\s?(\d{7})-\s?(\d)(?!\d)/y;
/** Before 2010: federal and military courts, labour courts, electoral courts (a number with two check digits). */
const OLD = /(?:\d{4}\.\d{2}\.(?:\d{1,2}\.)?\d{5,6}-\d|\d{5}-\d{4}-\d{3}-\d{2}-\d{2}-\d)(?!\d)/y;
/** With or without points; a check digit or two, which are left out; the year of old ones. */
const SHORT =
  /(\d{1,3}(?:\.\s?\d{3}){1,4}|\d{1,15})(?!\d)(?:\s?-\s?(\d{1,2})(?:(?!\d)|(?=1[A-Z]{2}(?![A-Z]))))?(?:\.((?:19|20)\d{2})(?!\d))?/y;

/** The full case number that begins at a place of a text; null if none does. */
export function fullNumberAt(plain: string, at: number): NumberFound | null {
  const cnj = matchAt(CNJ, plain, at) ?? matchAt(CNJ_BARE, plain, at);
  if (cnj !== null) {
    const [sequence = '', check, year, branch, court, unit] = cnj
      .slice(1)
      .map((part) => part.replaceAll(/\s/gu, ''));
    const numero = `${sequence.padStart(7, '0')}-${check}.${year}.${branch}.${court}.${unit}`;
    if (/^(?:19|20)$/u.test((year ?? '').slice(0, 2))) return { kind: 'cnj', numero, end: endOf(cnj) };
  }
  const tjmg = matchAt(TJMG, plain, at);
  if (tjmg !== null) {
    const [whole, county, year, sequence, check, incident] = tjmg;
    const suffix = incident === undefined ? '' : `/${incident}`;
    return {
      kind: 'tjmg',
      numero: `1.${county}.${year}.${sequence}-${check}${suffix}`,
      end: at + whole.length,
    };
  }
  const registro = matchAt(REGISTRO, plain, at);
  if (registro !== null) {
    const [, year, sequence, check] = registro;
    return { kind: 'registro', numero: `${year}/${sequence}-${check}`, end: endOf(registro) };
  }
  const old = matchAt(OLD, plain, at);
  return old === null ? null : { kind: 'old', numero: old[0], end: endOf(old) };
}

/** The number of a class that begins at a place of a text: `1.234.567`, `1234567`, `1405-6`, `30-37`. */
export function shortNumberAt(plain: string, at: number): NumberFound | null {
  const found = matchAt(SHORT, plain, at);
  if (found === null) return null;
  const [, digits = '', check = '', year] = found;
  const number = digits.replaceAll(/[.\s]/gu, '').replace(/^0+(?=\d)/u, '');
  // Two check digits are a part of the number, as courts give it for short; one is the old form's.
  const numero = number + (check.length === 2 ? `-${check}` : '') + (year === undefined ? '' : `.${year}`);
  return { kind: 'short', numero, end: endOf(found) };
}

/** What to search for a number: the index has its other spellings, but no digits of an old one, and no CNJ number of a TJMG one. */
export function searchedFormsOf({ kind, numero }: Pick<NumberFound, 'kind' | 'numero'>): string[] {
  if (kind === 'tjmg') return [numero, ...cnjOfTjmg(numero)];
  const hasOthers = kind === 'cnj' || kind === 'registro' || /^\d+$/u.test(numero);
  return hasOthers ? [numero] : [numero, numero.replaceAll(/\D/gu, '')];
}

/** Cases on paper have the same digits in both numbers: 1.0024.12.345678-9 is 3456789-DD.2012.8.13.0024. */
function cnjOfTjmg(numero: string): string[] {
  const [, county = '', year = '', sequence, check] = /^1\.(\d{4})\.(\d\d)\.(\d{6})-(\d)/u.exec(numero) ?? [];
  if (county === '0000') return [];
  const [number, tail] = [`${sequence}${check}`, `${Number(year) > 50 ? 19 : 20}${year}.8.13.${county}`];
  return [`${number}-${cnjCheck(`${number}${tail.replaceAll('.', '')}`)}.${tail}`];
}

function endOf(found: RegExpExecArray): number {
  return found.index + found[0].length;
}
