import { isAlike, mainClass, sameClasses } from './citation-classes.ts';
import { citationsIn } from './citations.ts';
import type { Citation, CitedDate, ReadCitation } from './citation.ts';
import { foldedText } from './reading.ts';
import type { Documento, Resumo } from './types.ts';

/** A decision with a citation's number, compared with what is cited. */
export interface Rated {
  readonly item: Resumo;
  /** In Portuguese, what is cited and what is stored. */
  readonly differs: readonly string[];
  /** Greater for a better fit. */
  readonly rank: number;
  /** True if nothing but the judge differs. */
  readonly isJudgeAlone: boolean;
  /** False if only the record can show that it has the number. */
  readonly isNumberStored: boolean;
}

/** What a comparison of one thing gave: null if it is not cited; '' if it is the same; else both. */
type Compared = string | null;

/** The decisions that have the number of a citation, the best fit first. */
export function rated(cited: ReadCitation, itens: readonly Resumo[]): Rated[] {
  return itens
    .flatMap((item) => {
      const [own] = citationsIn(item.processo ?? '');
      return own === undefined ? [] : rate(cited, item, own);
    })
    .toSorted((a, b) => b.rank - a.rank);
}

function rate(cited: ReadCitation, item: Resumo, own: Citation): Rated[] {
  const isNumberStored = sameNumber(cited, own);
  const isOther = cited.kind === 'registro' || (cited.kind === 'tjmg' && own.kind === 'cnj');
  if (!isNumberStored && !isOther) return [];
  const classes = classesOf(item, own);
  // Each body of the TST numbers its own from 1.
  const isOrientation = cited.kind === 'orientacao_jurisprudencial';
  const judges = cited.judges.map((judge) => compareJudge(judge, item.relator));
  const dates = cited.dates.map((date) => compareDate(date, item));
  const isKnown = [...judges, ...dates].includes('');
  // Another case with the same number, unless the judge or a date says that only the class is wrong.
  const mains = classes.map((keys) => mainClass(keys));
  const isSameCase =
    cited.classes.length === 0 ||
    mains.length === 0 ||
    mains.some((main) => isAlike(main, mainClass(cited.classes)));
  if (cited.kind === 'short' && !isSameCase && !isKnown) return [];
  const others = [
    ...dates,
    compare('tribunal', cited.tribunal?.toUpperCase(), courtOf(item).toUpperCase()),
    compareClass(cited, classes, item),
    own.uf === null ? null : compare('UF', cited.uf, own.uf),
    own.incident === null && !isOrientation
      ? null
      : compare(isOrientation ? 'órgão' : 'número do recurso', cited.incident, own.incident),
  ];
  const all = [...judges, ...others].filter((one) => one !== null);
  const differs = all.filter((one) => one !== '');
  return [
    {
      item,
      differs,
      rank: all.length - differs.length - differs.length * all.length,
      isJudgeAlone: differs.length > 0 && others.every((one) => one === null || one === ''),
      isNumberStored,
    },
  ];
}

function sameNumber(cited: ReadCitation, own: Citation): boolean {
  if (own.numero === null || own.kind !== cited.kind) return false;
  // Súmulas and súmulas vinculantes are numbered apart.
  if (cited.kind === 'sumula' && own.incident !== cited.incident) return false;
  if (cited.kind !== 'tjmg') return own.numero === cited.numero;
  return withoutIncident(own.numero) === withoutIncident(cited.numero);
}

function withoutIncident(numero: string): string {
  return numero.replace(/\/\d+$/u, '');
}

/** True if a record has a number of a citation among its source's own fields. */
export function holds({ extras }: Documento, { numero }: ReadCitation): boolean {
  const wanted = digitsOf(numero);
  return Object.values(extras).some((value) => {
    const digits = typeof value === 'string' ? digitsOf(value) : '';
    return (
      digits === wanted ||
      (digits.length > wanted.length && numero.startsWith('1.') && digits.startsWith(wanted))
    );
  });
}

/** True if every judge of a citation is one of the record's two. */
export function isSaidBy({ judges }: Citation, { relator, redator }: Documento): boolean {
  return judges.every((judge) => [relator, redator].some((one) => compareJudge(judge, one) === ''));
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/gu, '');
}

function compare(name: string, cited: string | null | undefined, stored: string | null): Compared {
  if (cited === null || cited === undefined) return null;
  return cited === stored ? '' : differing(name, cited, stored);
}

function differing(name: string, cited: string, stored: string | null): string {
  return `${name}: na citação ${cited}; na base ${stored ?? 'não há'}`;
}

function courtOf({ base, fonte }: Resumo): string {
  return base === 'eproc' ? (/^[A-Z]+\d*/u.exec(fonte)?.[0].toLowerCase() ?? base) : base;
}

/** Every way in which a decision names its class; empty if none can be read. */
function classesOf({ classe }: Resumo, own: Citation): (readonly string[])[] {
  const named = [classe.sigla, classe.descricao].map((text) =>
    text === null ? [] : (citationsIn(`${text} 1111111-11.2000.8.13.0024`)[0]?.classes ?? []),
  );
  return [own.classes, ...named].filter((keys) => keys.length > 0);
}

function compareClass(
  cited: Citation,
  classes: readonly (readonly string[])[],
  { classe, processo }: Resumo,
): Compared {
  if (cited.classes.length === 0 || classes.length === 0) return null;
  if (classes.some((keys) => sameClasses(keys, cited.classes))) return '';
  const written = classWritten(cited.texto) || cited.classes.join(' ').toUpperCase();
  return differing('classe', written, classe.sigla ?? classe.descricao ?? classWritten(processo ?? ''));
}

/** A citation's text without its number and state: `RE AgR` of `RE nº 123.456 AgR/DF`; empty if it has only these. */
function classWritten(text: string): string {
  const number =
    /(?:[\s.]*\bn(?:[.ºo°]+|\S?mero)?)?[\s:.-]*\d(?:[\d./-]*\d)?(?:\s?\/\s?[A-Z]{2}\b|\s-\s[A-Z]{2}\b)?(?:\s?\(\d+\))?/gu;
  return text
    .replaceAll(number, ' ')
    .replace(/\/[A-Z]{2}\s*$/u, '')
    .trim();
}

/** The official gazette counts as published the working day after it is shown, or a later one. */
const SHOWN_DAYS_MAX = 7;
const DATE_NAMES = {
  julgamento: 'julgamento',
  publicacao: 'publicação',
  disponibilizacao: 'disponibilização',
} as const;

function compareDate({ day, kind }: CitedDate, { data_julgamento, data_publicacao }: Resumo): Compared {
  const any =
    kind === null
      ? [data_julgamento, data_publicacao]
      : [kind === 'julgamento' ? data_julgamento : data_publicacao];
  const stored = any.filter((one) => one !== null);
  const isShown = (one: string) =>
    kind === 'disponibilizacao' && daysBetween(day, one) >= 0 && daysBetween(day, one) <= SHOWN_DAYS_MAX;
  if (stored.some((one) => one.startsWith(day) || isShown(one))) return '';
  const name = kind === null ? 'data' : `data (${DATE_NAMES[kind]})`;
  return differing(name, day, stored.length === 0 ? null : stored.join(' e '));
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

const NO_NAME = new Set(
  'de da do das dos e min ministro ministra des desembargador desembargadora a jd 2g juiz juiza federal relator relatora'.split(
    ' ',
  ),
);

function compareJudge(cited: string, stored: string | null): Compared {
  const [names, own] = [wordsOf(cited), wordsOf(stored ?? '')];
  if (names.length === 0) return null;
  const isSame = isIn(names, own) || (own.length > 1 && isIn(own, names));
  return isSame ? '' : differing('relator', cited, stored);
}

/** True if all words of a name are in another; an initial stands for its word. */
function isIn(some: readonly string[], all: readonly string[]): boolean {
  return some.every((word) => all.some((one) => one === word || (word.length === 1 && one.startsWith(word))));
}

function wordsOf(name: string): string[] {
  return foldedText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !NO_NAME.has(word));
}
