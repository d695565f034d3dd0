import type { Aviso } from '../contract/avisos.ts';
import { INDEXED_FIELDS } from '../index/format/bm25f.ts';
import { lex } from './fts5-lexer.ts';

/** Operators that are not in upper case, and `OU`, count as words. */
const SMALL_OPERATOR = /^(?:[Aa]nd|[Oo]r|[Nn]ot|[Oo][Uu])$/u;
/** Operators of the courts' own search pages; `E` and `NÃO` only between words that are not in upper case themselves. */
const COURT_OPERATOR = /^(?:ADJ|PROX)\d*$/u;
export const COURT_PREFIX = /^\p{L}{4,}\$$/u;
export const COURT_NEAR = /^NEAR\/\d+$/u;
const COURT_WORD = /^(?:E|N[ÃA]O)$/u;
const UPPER_CASE = /^\P{Ll}*\p{Lu}{2}\P{Ll}*$/u;
const COLUMN = new RegExp(`^(?:${INDEXED_FIELDS.join('|')}):`, 'iu');

/** Warnings about effects of plain words that the user may not expect. @param isWhole false if a part has no word. */
export function warningsOfWords(words: readonly string[], isWhole: boolean): Aviso[] {
  const isExcluding = words.some((word) => /^[\p{Pd}−]+[\p{L}\p{N}]/u.test(word));
  const isColumn = words.some((word, at) => {
    const withNext = words[at + 1]?.startsWith(':') === true ? `${word}:` : word;
    return COLUMN.test(withNext) && !UPPER_CASE.test(word);
  });
  return [
    ...(isExcluding ? (['HIFEN_NAO_EXCLUI'] as const) : []),
    ...(isColumn ? (['CAMPO_SEM_ASPAS'] as const) : []),
    ...warningsOf(words, isWhole),
  ];
}

/** The same for a text in FTS5 syntax, which FTS5 refuses if a `-` excludes no column. */
export function warningsOfSyntax(text: string, isWhole: boolean): Aviso[] {
  const words = lex(text).map((piece) => (piece.kind === 'text' && !piece.quoted ? piece.text : ''));
  const outsideQuotes = text.replaceAll(/"(?:[^"]|"")*"/gu, '""');
  const isInside = /[\p{L}\p{N}_]\*[\p{L}\p{N}_]/u.test(outsideQuotes);
  return [...(isInside ? (['ASTERISCO_NO_MEIO'] as const) : []), ...warningsOf(words, isWhole)];
}

function warningsOf(words: readonly string[], isWhole: boolean): Aviso[] {
  const isOperator = words.length > 1 && words.some((word) => SMALL_OPERATOR.test(word));
  const isOfCourts = words.some((word, at) => {
    const joins = COURT_WORD.test(word) && isLower(words[at - 1]) && isLower(words[at + 1]);
    return joins || [COURT_OPERATOR, COURT_PREFIX, COURT_NEAR].some((operator) => operator.test(word));
  });
  return [
    ...(isOfCourts ? (['OPERADOR_DE_TRIBUNAL'] as const) : []),
    ...(isOperator ? (['OPERADOR_COMO_PALAVRA'] as const) : []),
    ...(isWhole ? [] : (['PARTE_SEM_PALAVRA'] as const)),
  ];
}

const isLower = (word: string | undefined) => word !== undefined && !UPPER_CASE.test(word);
