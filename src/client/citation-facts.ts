import { COURT, courtOf } from './citation-courts.ts';
import { reachAfter, reachBefore } from './citation-reach.ts';
import { type CitedDate, type FoundCitation } from './citation.ts';

/** What stands beside a citation. */
export interface Beside {
  readonly tribunal: string | null;
  readonly judges: readonly string[];
  readonly dates: readonly CitedDate[];
}

const AFTER_MAX = 400;
const BEFORE_MAX = 160;

/** @param from where the citation before ends, @param to where the next one begins. */
export function besideOf(plain: string, { inicio, fim }: FoundCitation, from: number, to: number): Beside {
  const upTo = plain.slice(fim, Math.min(to, fim + AFTER_MAX));
  const isCut = to < fim + AFTER_MAX && to < plain.length;
  const after = own(upTo, isCut);
  const before = plain.slice(Math.max(from, inicio - BEFORE_MAX), inicio);
  const isFirst = from === 0 || inicio - from > BEFORE_MAX;
  const lead = leadOf(plain, inicio, from);
  const labelled = judgesIn(after);
  const judges =
    labelled.length > 0 ? labelled : nameIn(UNLABELLED.exec(after) ?? SURNAME.exec(after) ?? undefined);
  return {
    tribunal: courtIn(after, isCut && after === upTo) ?? courtBefore(before, isFirst) ?? courtLeading(lead),
    judges: judges.length > 0 ? judges : (judgesBefore(before, isFirst) ?? judgesIn(lead).slice(-1)),
    dates: [...datesIn(after, reachAfter(after)), ...datesIn(lead, lead.length).slice(-1)],
  };
}

/** The part of a text before a citation that leads to it, and is not of the citation that ends at `from`. */
function leadOf(plain: string, inicio: number, from: number): string {
  const taken =
    from === 0 ? 0 : from + own(plain.slice(from, Math.min(inicio, from + AFTER_MAX)), true).length;
  const before = plain.slice(Math.max(taken, inicio - BEFORE_MAX), inicio);
  let start = 0;
  for (let at = 0; at < before.length; at = boundary(before, at) + 1) start = at;
  return before.slice(Math.max(start, reachBefore(before)));
}

const BOUNDARY = /[;\n]|\.(?=\s+[A-Z(])/gu;
/** Words that end with a point inside a sentence. */
const ABBREVIATED =
  /(?:^|[\s(])(?:[a-z]{1,2}|\d+|rel|red|min|des|dra|exm[oa]|sra|conv|fed|julg|publ|dje|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)ª?$/iu;
/** How what belongs to a citation goes on after the sentence: `REsp 1.234.567/SP. Rel. Min. Fulana. DJe 1/2/2018`. */
const FACT =
  /^[\s(-]*(?:rel(?:[.:]|ator)|red(?:[.:]|ator)|min(?:\.|istr)|des(?:\.|embargador)|juiza?\s|julg|j\.|dj|dejt|dou\s|pub(?:l|[.:])|disponib|data d|orgao|\d{1,2}[./ªa]|(?:[a-z]{5,8}\s)?(?:turma|secao|camara)|plenario|tribunal pleno|corte especial|brasilia|em \d|ano\s|sessao)/iu;

/** The part of a text after a citation that is about it. @param isCut true if another citation follows at its end. */
function own(text: string, isCut: boolean): string {
  let end = 0;
  for (let isFirst = true; end < text.length; isFirst = false) {
    const next = boundary(text, end);
    if (!isFirst && (!FACT.test(text.slice(end, next)) || (isCut && next === text.length))) break;
    end = Math.min(text.length, next + 1);
  }
  return text.slice(0, end);
}

function boundary(text: string, from: number): number {
  const pattern = new RegExp(BOUNDARY);
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const isAbbreviated =
      found[0] === '.' && ABBREVIATED.test(text.slice(Math.max(0, found.index - 12), found.index));
    if (!isAbbreviated) return found.index;
  }
  return text.length;
}

const COURT_AFTER = new RegExp(
  `(?:^[\\s,([|-]*|,\\s?|\\(|(?:[Tt]urma|[Ss]ecao|[Pp]lenario|[Pp]leno|Camara)\\s(?:d[ao]|-)\\s?|julgad[ao]s? pel[ao]\\s)${COURT}\\s?(?=[\\],;).\\n|]|$| em )`,
  'i',
);
/** Not one that begins a clause: `REsp 1.234.567/SP, o Superior Tribunal de Justiça decidiu`. */
const COURT_WITHIN = new RegExp(`(?<![,;]\\s?[oa]\\s|convocad[oa] d[aeo]\\s|[A-Za-z])${COURT}`, 'i');

/** @param isOpen true if the next citation follows without a mark. */
function courtIn(after: string, isOpen: boolean): string | null {
  const found = COURT_AFTER.exec(after) ?? COURT_WITHIN.exec(after.slice(0, reachAfter(after)));
  if (found === null) return null;
  // The last before another citation is that one's.
  const isOfNext =
    isOpen && found.index > 0 && /^[,\s(]*(?:e\s)?$/u.test(after.slice(found.index + found[0].length));
  return isOfNext && !after.endsWith(')') ? null : courtOf(found);
}

const EVERY_COURT = new RegExp(COURT, 'gi');
const GAP = /^;?[^;\n\d]{0,3}(?:\(?\d{0,2}[.aªo]?\s?[A-Za-z]*\)?[.,:]?\s?)?[^;\n\d]{0,24}$/u;

function courtBefore(before: string, isFirst: boolean): string | null {
  const found = [...before.matchAll(EVERY_COURT)].at(-1);
  if (found === undefined) return null;
  const gap = before.slice(found.index + found[0].length);
  if (!GAP.test(gap) || (gap.match(/[A-Za-z]+/gu) ?? []).length > 4) return null;
  const isOwn = isFirst || (!gap.includes('\n') && /[;.\n(:]|\se\s/u.test(before.slice(0, found.index)));
  return isOwn ? courtOf(found) : null;
}

const TITLE = String.raw`(?:Min(?:istr[oa](?:\s?\(a\))?|\.?ª|\.)?|MIN(?:ISTR[OA](?:\s?\(A\))?|\.?ª|\.)?|Des(?:embargador[a]?|\.)?(?:\s?\(a\))?|DES(?:EMBARGADORA?|\.)|Ju[ii]za?|JUIZA?|Cons\.)(?:\s(?:Federa[l]|Convocad[oa]|Relatora?|do Trabalho|FEDERAL))?[.:]?`;
const REPORTING = String.raw`(?:(?:[Rr]el(?:atora?|atoria|\.?ª|\.)?|RELATORA?|REL\.|[Rr]ed(?:atora?|\.)|[Rr]elatad[oa]|[Ll]avra)(?:\s?\([aA]\))?(?:\s?(?:p\/|para)\s?(?:o\s)?(?:[Aa]c(?:ordao|\.)?|[Ll]avratura))?(?:\s(?:d[aeo]|pel[oa]|[oa]|designad[oa]))?\s?[.:,-]?)`;
const NAME = String.raw`[A-Z][A-Za-z'.-]*(?:\s(?:(?:d[aeo]s?|e|D[AEO]S?|E)\s)?[A-Z][A-Za-z'.-]*){0,8}`;
const JUDGE = new RegExp(
  String.raw`(?<![A-Za-z])(?:${REPORTING}\s{0,2}(?:[oa]\s)?(?:Exm[oa]\.?\s)?(?:Sra?\.\s)?(?:${TITLE}\s?)*|${TITLE}\s)\s?(?<name>${NAME})`,
  'gu',
);
/** No word of a name. */
const STOP =
  /^(?:DJ\w*|DEJT|DOU?|Turma|Primeira|Segunda|Terceira|Quarta|Quinta|Sexta|Setima|Oitava|Plenario|Tribunal|Pleno|Secao|Corte|Camara|Data|Julgad[oa]|Julgamento|Orgao|Publicad[oa]|Publicacao|SB?DI.*|ST[FJM]|TST|TNU|TJ[A-Z]{2}|TR[FT]\d*|Em|No|Na|O|A|Processo|Acordao|Relatora?)$/iu;

function judgesIn(text: string): string[] {
  return [...text.matchAll(JUDGE)].flatMap(nameIn);
}

function courtLeading(lead: string): string | null {
  const found = [...lead.matchAll(EVERY_COURT)].at(-1);
  return found === undefined ? null : courtOf(found);
}

/** `Rel. Min. Fulana, no REsp 1.234.567` */
function judgesBefore(before: string, isFirst: boolean): string[] | null {
  const found = [...before.matchAll(JUDGE)].at(-1);
  if (found === undefined) return null;
  const gap = before.slice(found.index + found[0].length);
  const isNear = /^[\s,:()-]{0,3}(?:[a-z]{1,11}\s){0,2}$|^\s*\n\s*(?:[A-Z][a-z]+:?\s)?$/u.test(gap);
  const isOwn = isFirst || /[;.\n]/u.test(before.slice(0, found.index));
  return isNear && isOwn ? nameIn(found) : null;
}

/** A name between marks, where a date follows: `(Nancy Andrighi, 14/11/2017)`. */
const UNLABELLED =
  /^\s?[,(|\t"[-]{1,2}\s?(?!Tema|Recurso|Repercussao|Informativo|Caso|Sao |Rio |Belo |Ministerio|Rel|Min\.|Des\.)(?<name>[A-Z][A-Za-z'.]+(?:\s(?:d[aeo]s?\s|D[AEO]S?\s)?[A-Z][A-Za-z'.]+){1,6})\s?(?:[,;|)\]\t-]|$)(?=.{0,60}(?:\d{4}|\d[./-]\d\d(?!\d))|\s?relator)/u;
/** A surname right before a year or a day: `, Andrighi, 2017]`. */
const SURNAME =
  /^\s?[,(|\t-]\s?(?!Brasilia|Unanime)(?<name>[A-Z][A-Za-z']+)\s?[,;]\s?(?=(?:19|20)\d\d(?!\d)|\d{1,2}[./-]\d)/u;

function nameIn(found: RegExpExecArray | undefined): string[] {
  const words = found?.groups?.['name'];
  if (words === undefined) return [];
  // A point ends the name, but for an initial: `N. Andrighi. Unânime`.
  const all = words.replace(/([a-z]{3}|[A-Z]{4})\..*$/u, '$1').split(/\s+/u);
  const end = all.findIndex((word) => !/^[A-Z]\.$/u.test(word) && STOP.test(word.replace(/[.-]+$/u, '')));
  const name = all.slice(0, end === -1 ? all.length : end);
  const last = name.findLastIndex((word) => !/^(?:d[aeo]s?|e)$/iu.test(word));
  const whole = name
    .slice(0, last + 1)
    .join(' ')
    .replace(/[\s.-]+$/u, '');
  return whole === '' ? [] : [whole];
}

const MONTHS = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'];
const ROMANS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
const DATE =
  /(?<![\d./]|\d-)(?:(?<d>\d{1,2})[ºo°]?\s?[./-]\s?(?<m>\d{1,2}|[IVX]{1,4})\s?[./-]\s?(?<y>\d{4}|\d{2})(?![\d/])|(?:(?<d2>\d{1,2})[ºo°]?[\s./-](?:de\s)?)?(?<![a-z])(?<word>jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)[a-z]*[\s./-]{1,2}(?:de\s)?(?<y2>\d{4})|(?<iso>\d{4}-\d\d-\d\d)|(?<year>(?:19|20)\d\d)(?![\d/-]|\.\d))/giu;
const LABEL =
  /(?<judged>[Jj]ulg|JULG|(?<![A-Za-z])[jJ]\.|[Ss]essao|decidid)|(?<shown>[Dd]isponib|DIVULG)|DJ|DEJT|DOU|PJe|[Pp]ub(?:l(?!ic[ao]s?(?![a-z]))|[.:])|PUBL|(?<![A-Za-z])[pP]\./gu;
const OF_LAW =
  /(?:lei|decreto|portaria|resolucao|provisoria|emenda|provimento|tema|sumula)(?:\s[a-z]+)?\s(?:n\S{0,2}\s)?[\d./]+(?:\/\w+)?,?\s(?:de )?$/iu;
/** A date with at most a word before it in its part of the text: `, 14/11/2017`, `(2017)`, `Brasília, 14 de novembro de 2017`. */
const APART = /(?:^|[,;.(\n|:-])\s?(?:em |de |no dia )?(?:[\w.-]{1,9}\s)?$/u;

/** @param reach up to where every date is about the citation; behind it, one with a label or apart. */
function datesIn(after: string, reach: number): CitedDate[] {
  let from = 0;
  return [...after.matchAll(DATE)].flatMap((found): CitedDate[] => {
    const before = after.slice(from, found.index);
    const end = found.index + found[0].length;
    const label = [...before.matchAll(LABEL)].at(-1);
    const isNear = label !== undefined && before.length - label.index <= LABEL_DISTANCE_MAX;
    const day = dayOf(found.groups ?? {});
    const isWithin = found.index < reach;
    const fits =
      found.groups?.['year'] === undefined
        ? (isNear || isWithin || APART.test(before)) && !OF_LAW.test(before)
        : yearFits(before, after.charAt(end), { isNear, isWithin });
    if (day === null || !fits) return [];
    from = end;
    return [{ day, kind: isNear ? kindOf(label) : null }];
  });
}
const LABEL_DISTANCE_MAX = 45;

function kindOf({ groups = {} }: RegExpExecArray): CitedDate['kind'] {
  if (groups['judged'] !== undefined) return 'julgamento';
  return groups['shown'] === undefined ? 'publicacao' : 'disponibilizacao';
}

/** `julgado em 2019`, `de 2019`, `(2019)`; but not `DJe 1.234, de 2019`, nor `CPC de 2015`. */
function yearFits(
  before: string,
  next: string,
  { isNear, isWithin }: { readonly isNear: boolean; readonly isWithin: boolean },
): boolean {
  if (isNear && /(?:em|de|:|\.|[A-Za-z])\s?$/u.test(before)) return true;
  if (isWithin && /(?:^|[^A-Za-z])(?:em|de|ano|j\.)\s?$/u.test(before)) return true;
  return /[,(|-]\s?$/u.test(before) && /^[\]),.;|\s]?$/u.test(next);
}

function dayOf({
  d,
  m,
  y,
  d2,
  word,
  y2,
  iso,
  year,
}: Readonly<Record<string, string | undefined>>): string | null {
  if (iso !== undefined) return iso;
  if (year !== undefined) return year;
  const roman = ROMANS.indexOf(m?.toUpperCase() ?? '') + 1;
  const month =
    word === undefined ? String(roman || m) : String(MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1);
  const written = y ?? y2;
  if (written === undefined) return null;
  const full = written.length === 2 ? (Number(written) < 50 ? `20${written}` : `19${written}`) : written;
  const day = d ?? d2;
  if (!(Number(month) >= 1 && Number(month) <= 12)) return null;
  if (day === undefined) return `${full}-${month.padStart(2, '0')}`;
  if (Number(day) < 1 || Number(day) > 31) return null;
  return `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
