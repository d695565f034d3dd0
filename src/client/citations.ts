import { bug } from '../bug.ts';
import { classAt, courtOfClasses, isIncident, needsMore } from './citation-classes.ts';
import { COURT_SIGLAS, courtAt } from './citation-courts.ts';
import { besideOf } from './citation-facts.ts';
import { fullNumberAt, shortNumberAt, type NumberFound } from './citation-numbers.ts';
import { statementsAt } from './citation-statements.ts';
import { endAt, matchAt, type Citation, type FoundCitation } from './citation.ts';

/** Case-law citations in a text, in order. Takes time in proportion to the text's length. */
export function citationsIn(text: string): Citation[] {
  const plain = plainOf(text);
  const found = [...scan(plain)];
  const all: Citation[] = [];
  for (const [index, one] of found.entries()) {
    // `REsp 1.234.567/SP (2010/0123456-7), Rel. Min. Fulana`: the registro is a second number of the same case.
    const next = found[index + 1];
    const isSameCase = next?.kind === 'registro' && next.inicio - one.fim < REGISTRO_DISTANCE_MAX;
    const to = found[index + (isSameCase ? 2 : 1)]?.inicio ?? plain.length;
    const beside = besideOf(plain, one, found[index - 1]?.fim ?? 0, to);
    const tribunal = one.tribunal ?? beside.tribunal ?? courtOfClasses(one.classes);
    all.push({ ...one, ...beside, tribunal, texto: text.slice(one.inicio, one.fim) });
  }
  return all;
}

const REGISTRO_DISTANCE_MAX = 20;

/** The text without accents, with one form of dashes, blanks and slashes; places stay the same. */
function plainOf(text: string): string {
  return text
    .replaceAll(/[\u00C0-\u024F]/gu, (letter) => letter.normalize('NFD').charAt(0))
    .replaceAll(/[\u2010-\u2015\u2212]/gu, '-')
    .replaceAll(/[\u2044\u2215]/gu, '/')
    .replaceAll(/[\u00A0\u2000-\u200A\u202F]/gu, ' ');
}

const WORD_OR_DIGITS = /[A-Za-z]+|\d+/gu;

function* scan(plain: string): Generator<FoundCitation> {
  const pattern = new RegExp(WORD_OR_DIGITS);
  for (let token = pattern.exec(plain); token !== null; token = pattern.exec(plain)) {
    const [word] = token;
    const isNumber = word.charCodeAt(0) < 65;
    const some = isNumber
      ? bareNumber(plain, token.index, word)
      : (statementsAt(plain, token.index, word) ?? withClass(plain, token.index, word));
    if (typeof some === 'number') pattern.lastIndex = some;
    else
      for (const one of some) {
        yield one;
        pattern.lastIndex = Math.max(pattern.lastIndex, one.fim);
      }
  }
}

/** A full case number without a class before it. */
function bareNumber(plain: string, at: number, run: string): FoundCitation[] {
  if (run.length > 7 && run.length !== 20) return [];
  const number = /[A-Za-z]/u.test(plain.charAt(at - 1)) ? null : fullNumberAt(plain, at);
  return number === null || /[\d.]/u.test(plain.charAt(at - 1)) ? [] : [foundOf(plain, at, [], null, number)];
}

const CONNECTION = /(?:\s{0,3}-\s{0,3}|\s{1,3}(?:(?:n[ao]s?|em|d[aeo]s?)\s{1,3})?)(?=[A-Za-z])/iy;
const OTHER_HEAD = new RegExp(
  `\\s{0,3}(?:[Nn]\\S{0,3}\\s{0,2})?(${COURT_SIGLAS})\\s{0,2}-\\s{0,2}(?=[A-Za-z])`,
  'y',
);
const ABBREVIATION = /\s{0,2}\([A-Za-z]{1,8}\)/y;
const NUMBER_SIGN =
  /\.?\s{0,3}(?:[-:,]\s{0,3})?(?:(?:de|sob o)\s)?(?:[Nn](?:umero|um)?(?:\s?[º°ª]s?|[oe]s?|s|1(?=\s))?\s?[.:ºo°]{0,3}\s{0,3})?(?:-\s{0,2})?(?=[\dX_*])/y;
const HYPHEN = /\s{0,2}-\s{0,2}(?=[A-Za-z])/y;
const WORD = /[A-Za-z]{1,20}/y;
const COURTS: ReadonlySet<string> = new Set(COURT_SIGLAS.split('|'));
const CHAIN_MAX = 12;

/** Citations that begin with a class, or with a court before it; the place from which to read on if there are none. */
function withClass(plain: string, at: number, word: string): FoundCitation[] | number {
  let court = COURTS.has(word) ? word.toLowerCase() : null;
  let end = court === null ? at : endAt(HYPHEN, plain, at + word.length);
  // `E no REsp 1.234.567 …` begins a sentence.
  if (end < 0 || /^E\s+(?:n[ao]s?|em|d[aeo]s?)\s/u.test(plain.slice(at, at + 8))) return at + word.length;
  let classes: string[] = [];
  for (let next = end; classes.length < CHAIN_MAX;) {
    const first = wordAt(plain, next);
    const found = first === '' ? null : classAt(plain, next, first);
    if (found === null) break;
    // `Acao Direta ... - ADI 4.277` names it twice.
    if (classes.at(-1) !== found.key) classes.push(found.key);
    end = Math.max(found.end, endAt(ABBREVIATION, plain, found.end));
    const head = matchAt(OTHER_HEAD, plain, end);
    if (head !== null && classAt(plain, OTHER_HEAD.lastIndex, wordAt(plain, OTHER_HEAD.lastIndex)) !== null) {
      [court, classes] = [head[1]?.toLowerCase() ?? null, []];
      next = OTHER_HEAD.lastIndex;
      continue;
    }
    next = endAt(CONNECTION, plain, end);
    if (next < 0) break;
  }
  if (classes.length === 0) return at + word.length;
  const start = endAt(NUMBER_SIGN, plain, end);
  if (start < 0) return end;
  return numbersOf(plain, { at, end, start, classes, court }) ?? end;
}

interface Head {
  readonly at: number;
  readonly end: number;
  readonly start: number;
  readonly classes: readonly string[];
  readonly court: string | null;
}

/** UF siglas are classes too: `OAB/MS 1.234`, `Boa Vista-RR 69301-000`. */
const NOT_A_CLASS = /(?:[A-Za-z]\s?\/|[A-Za-z]-|\b(?:OAB|CRM|CREA|CPF|CEP|art|arts|artigo|ns?)\W{0,3})$/u;
const UNREADABLE = /(?:\.\d|[A-Za-z]\d|\s\d{0,3}[IlO]\d|[IlO](?![A-Za-z]))(?:[\w./-]{0,30}\w)?|[X_*]{2,20}/y;
const SHARED = /\s{0,3}(?:,|;|e\s)\s{0,3}(?:e\s)?(?:[Nn](?:[º°]s?|o|\.)?[.º]?\s{0,2})?(?=\d)/y;
const SHARED_MAX = 50;
const SIGLA_MAX = 9;

/** The number behind a class, and further ones of the same class: `HC 1.111 e 2.222`. Null if what follows is no number. */
function numbersOf(plain: string, { at, end, start, classes, court }: Head): FoundCitation[] | null {
  const full = fullNumberAt(plain, start);
  const number = full ?? shortNumberAt(plain, start);
  const before = plain.slice(Math.max(0, at - 12), at);
  if (full === null && court === null && NOT_A_CLASS.test(before)) return null;
  const broken = full === null ? matchAt(UNREADABLE, plain, number?.end ?? start) : null;
  if (broken !== null && !/^[X_*]/u.test(broken[0]) && number === null) return null;
  // A name in words is enough: `Agravo Regimental nº 674.822/RJ`.
  const isAlone = classes.length === 1 && end - at < SIGLA_MAX && classes.every(needsMore);
  if (broken !== null) {
    if (isAlone || (start === end && broken[0].startsWith('.'))) return null;
    const fim = UNREADABLE.lastIndex;
    return [
      { ...foundOf(plain, at, classes, court, { kind: 'short', numero: '', end: fim }), fim, numero: null },
    ];
  }
  if (number === null) return null;
  if (full === null && (isAlone || !isLikely(plain, number, { classes, sign: plain.slice(end, start) })))
    return null;
  const all: FoundCitation[] = [];
  let [from, last] = [at, number];
  for (;;) {
    const one = foundOf(plain, from, classes, court, last);
    all.push(one);
    const next = all.length < SHARED_MAX ? endAt(SHARED, plain, one.fim) : -1;
    const other = next < 0 ? null : full === null ? shortNumberAt(plain, next) : fullNumberAt(plain, next);
    if (other === null || !isLike(plain, last, other, next)) return all;
    [from, last] = [next, other];
  }
}

/** A number of few digits is one only with a sign, a state or a check digit, or for actions of which there are few. */
function isLikely(
  plain: string,
  { numero, end }: NumberFound,
  { classes, sign }: { readonly classes: readonly string[]; readonly sign: string },
): boolean {
  const main = classes.at(-1) ?? bug('a number without a class');
  const isYear = /^(?:19|20)\d\d$/u.test(numero);
  if (/^\s?(?:%|[ºªo°](?![A-Za-z])|,\d)/u.test(plain.slice(end, end + 4))) return false;
  if (/^\/\d{2,4}(?!\d)/u.test(plain.slice(end, end + 6))) return !['inq', 'pet', 'pc', 'cp'].includes(main);
  if (/^-\d{3}/u.test(plain.slice(end, end + 4))) return false;
  if (numero.length > 3 && !isYear) return true;
  if (main === 'cc' || main === 'cp') return numero.length > 3 && !isYear;
  const isFew = /^(?:adi|adc|ado|adpf|aco)$/u.test(main);
  return (
    isFew ||
    /n/iu.test(sign) ||
    numero.includes('-') ||
    numero.length === 3 ||
    SUFFIX_UF.test(plain.slice(end, end + 6))
  );
}

const SUFFIX_UF = /^\s?[/-]\s?[A-Z]{2}\b/u;

/** True for a number as long as the one before it, and no date, amount or page. */
function isLike(plain: string, last: NumberFound, other: NumberFound, at: number): boolean {
  if (/^\s?(?:\/\d|[ºªo°%](?![A-Za-z])|,\d)/u.test(plain.slice(other.end, other.end + 4))) return false;
  if (last.kind !== other.kind) return false;
  if (last.kind !== 'short') return true;
  const isMarked =
    /^\d{1,3}\.\d{3}/u.test(plain.slice(at, at + 7)) || SUFFIX_UF.test(plain.slice(other.end, other.end + 6));
  const [a, b] = [last.numero.length, other.numero.length];
  return Math.abs(a - b) <= 1 && (isMarked || b > 4 || other.numero.includes('-'));
}

const UFS = 'A[CLMP]|BA|CE|D[FE]|ES|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO';
const SUFFIX = new RegExp(
  `\\s{0,2}(?:(?:[-/(1I]|\\s)\\s{0,2}(?<uf>${UFS})(?![A-Za-z])\\)?|\\((?<mark>\\d{1,3})\\)|/(?<part>\\d{3,5}|\\d{2})(?!\\d)|[-/]\\s?(?<court>${COURT_SIGLAS}|TNU|TRF\\d)(?![A-Za-z])|[-/]?\\s?(?<incident>A GR|[A-Z][A-Za-z]{1,4})(?=[^A-Za-z]|$)(?:-(?:segundo|terceiro|quarto|quinto|sexto))?)`,
  'y',
);
const SUFFIXES_MAX = 6;

function foundOf(
  plain: string,
  inicio: number,
  classes: readonly string[],
  court: string | null,
  { kind, numero, end }: NumberFound,
): FoundCitation {
  const all = [...classes];
  let [fim, uf, incident, tribunal] = [end, null as string | null, null as string | null, court];
  let number = numero;
  for (let count = 0; count < SUFFIXES_MAX; count += 1) {
    const groups = matchAt(SUFFIX, plain, fim)?.groups;
    if (groups === undefined) break;
    if (groups['uf'] !== undefined) uf ??= groups['uf'] === 'DE' ? 'DF' : groups['uf'];
    else if (groups['court'] !== undefined) tribunal ??= groups['court'].toLowerCase();
    else if (groups['incident'] !== undefined) {
      const word = groups['incident'] === 'A GR' ? 'AgR' : groups['incident'];
      const key = classAt(word, 0, word)?.key;
      if (key === undefined || !isIncident(key)) break;
      all.push(key);
    } else if (groups['part']?.length === 2 || (kind === 'short' && groups['part'] !== undefined)) {
      if (kind !== 'short' || groups['part'].length === 3) break;
      number += `/${groups['part']}`;
    } else incident ??= String(Number(groups['mark'] ?? groups['part']));
    fim = SUFFIX.lastIndex;
  }
  const tjmg = kind === 'tjmg' ? /\/(\d{3})$/u.exec(numero)?.[1] : undefined;
  tribunal ??= courtAt(plain, fim)?.court ?? null;
  return {
    inicio,
    fim,
    kind,
    numero: number,
    classes: all,
    tribunal,
    uf,
    incident: tjmg === undefined ? incident : String(Number(tjmg)),
  };
}

function wordAt(plain: string, at: number): string {
  return matchAt(WORD, plain, at)?.[0] ?? '';
}
