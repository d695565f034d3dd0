import { bug } from '../bug.ts';
import { courtAt } from './citation-courts.ts';
import { endAt, matchAt, type CitationKind, type FoundCitation } from './citation.ts';

const STARTS = /^(?:s|sum|sumulas?|verbetes?|enunciados?|ojs?|orientac\w{2,3}|precedentes?)$/iu;
const HEADS: readonly (readonly [kind: CitationKind, head: RegExp])[] = [
  ['orientacao_jurisprudencial', /OJs?|orientac(?:ao|oes) jurisprudencia(?:l|is)(?: transitorias?)?/iy],
  ['precedente_normativo', /precedentes? normativos?/iy],
  [
    'sumula',
    /(?:sumulas?|verbetes? sumulare?s?|enunciados?|S\.|sum\.)(?<vinculante> vinculantes?)?(?: administrativos?)?/iy,
  ],
];
const SIGN = /\s{0,3}(?:de\s)?(?:n(?:umero)?(?:\s?[º°ª]s?|[oe]s?|s)?[.:º°]{0,2}\s{0,3})?(?=\d)/iy;
const NUMBER = /0*(\d{1,4})(?![\d]|[./-]\d)/y;
/** `, I, e`, `, item IV,`, ` (cancelada)`: what may stand between a number and the court or the next number. */
const ITEM =
  /\s?[,(]?\s?(?:antigo )?(?:ite(?:m|ns)\s|inciso\s|["'\u201c\u201d]\s?)?(?:[IVX]{1,5}(?![A-Za-z]))(?:\s?(?:,|e|a)\s?[IVX]{1,5}(?![A-Za-z]))*\)?/y;
const NEXT = /\)?\s?(?:,\s?e?\s?|e\s|e\sn[º°]\s?|;\s?)(?:[ae]\s)?(?:n[º°o.]{0,2}\s)?(?=\d)/iy;
const BODY = /[-,\s/(]{0,3}(?:d[ao]\s)?(S(?:B?DI)[-\s]?(?:[12]|II?)(?!\d)|SDC|TP)(?:\sTransitoria)?/y;
const LIST_MAX = 30;

/** Súmulas and other numbered statements of settled law that begin with a word; null if none does. */
export function statementsAt(plain: string, at: number, word: string): FoundCitation[] | null {
  if (!/^[sveop]/iu.test(word) || !STARTS.test(word)) return null;
  for (const [kind, head] of HEADS) {
    const found = matchAt(head, plain, at);
    if (found === null || (word === 'S' && plain.charAt(at + 1) !== '.')) continue;
    const start = endAt(SIGN, plain, head.lastIndex);
    if (start < 0) continue;
    const all = listed(plain, at, start, kind, found.groups?.['vinculante'] !== undefined);
    // `S. 12` and `Enunciado 5` are of anything.
    const isSure =
      /^(?:sumula|verbete|oj|orient|preced)/iu.test(word) || all.some(({ tribunal }) => tribunal !== null);
    return isSure && all.length > 0 ? all : null;
  }
  return null;
}

/** `5 e 7 do STJ`; a court holds for the numbers before it. */
function listed(
  plain: string,
  at: number,
  start: number,
  kind: CitationKind,
  isBinding: boolean,
): FoundCitation[] {
  const all: FoundCitation[] = [];
  let [inicio, next] = [at, start];
  let open = 0;
  while (next >= 0 && all.length < LIST_MAX) {
    const number = matchAt(NUMBER, plain, next)?.[1];
    if (number === undefined) break;
    let fim = NUMBER.lastIndex;
    const afterItem = endAt(ITEM, plain, fim);
    const end = afterItem < 0 ? fim : afterItem;
    const body = kind === 'sumula' ? null : matchAt(BODY, plain, end);
    const afterBody = body === null ? end : BODY.lastIndex;
    const named = courtAt(plain, afterBody);
    if (body !== null) fim = afterBody;
    if (named !== null) fim = named.end;
    const tribunal =
      named?.court ?? courtBefore(plain, at) ?? (isBinding ? 'stf' : kind === 'sumula' ? null : 'tst');
    const incident = isBinding
      ? 'vinculante'
      : body === null
        ? null
        : bodyKey(body[1] ?? bug('a body without a name'));
    all.push({ inicio, fim, kind, numero: number, classes: [], tribunal, uf: null, incident });
    if (named !== null) {
      for (const [back, one] of all.entries())
        if (back >= open) all[back] = { ...one, tribunal: named.court };
      open = all.length;
    }
    next = endAt(NEXT, plain, Math.max(fim, end));
    if (
      next >= 0 &&
      named !== null &&
      !/^.{0,12}?\d{1,4}\s?(?:d[ao]|\/|\((?:ST[FJM]|TS[TE]|TNU)\))/iu.test(plain.slice(next, next + 20))
    )
      break;
    inicio = next;
  }
  return all;
}

/** `STM - Súmula 12` */
function courtBefore(plain: string, at: number): string | null {
  const before = plain.slice(Math.max(0, at - 12), at);
  const sigla = /(STF|STJ|TST|TSE|STM|TNU)[\s,:-]{1,3}$/u.exec(before)?.[1];
  return sigla?.toLowerCase() ?? null;
}

/** `SBDI-1`, `SDI-I`: one key for each body. */
function bodyKey(body: string): string {
  const [, section] = /^SB?DI[-\s]?(\w+)$/u.exec(body) ?? [];
  return section === undefined ? body.toLowerCase() : `sdi${section.replace('II', '2').replace('I', '1')}`;
}
