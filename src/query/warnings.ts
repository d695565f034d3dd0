import type { Aviso } from '../contract/avisos.ts';
import { courtSigns } from '../contract/court-signs.ts';
import { hasOrdinal } from '../contract/ordinals.ts';
import { INDEXED_FIELDS } from '../index/format/bm25f.ts';
import { lex } from './fts5-lexer.ts';

/** Operators that are not in upper case, and `OU`, count as words. */
const SMALL_OPERATOR = /^(?:[Aa]nd|[Oo]r|[Nn]ot|[Oo][Uu])$/u;
const UPPER_CASE = /^\P{Ll}*\p{Lu}{2}\P{Ll}*$/u;
/** A text of more words was copied, and its spelling is that of a decision. */
const TYPED_WORDS_MAX = 12;
/** No text without it has a sign that is certain; most texts are lower-case words, and are not read for signs. */
const MAY_BE_SIGN = /[^\p{Ll}\p{N}\s]|(?<!\S)(?:adj|prox|near|nao)/u;
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
    ...warningsOf(words.join(' '), words, isWhole),
  ];
}

/** The same for a text in FTS5 syntax, which FTS5 refuses if a `-` excludes no column. */
export function warningsOfSyntax(text: string, isWhole: boolean): Aviso[] {
  const words = lex(text).map((piece) => (piece.kind === 'text' && !piece.quoted ? piece.text : ''));
  const outsideQuotes = text.replaceAll(/"(?:[^"]|"")*"/gu, '""');
  const isInside = /[\p{L}\p{N}_]\*[\p{L}\p{N}_]/u.test(outsideQuotes);
  return [...(isInside ? (['ASTERISCO_NO_MEIO'] as const) : []), ...warningsOf(text, words, isWhole)];
}

function warningsOf(text: string, words: readonly string[], isWhole: boolean): Aviso[] {
  const isOperator = words.length > 1 && words.some((word) => SMALL_OPERATOR.test(word));
  // `OU` has its own warning.
  const isOfCourts =
    MAY_BE_SIGN.test(text) &&
    courtSigns(text).some((sign) => sign.isCertain && !SMALL_OPERATOR.test(sign.text));
  // Who joins with OR has them all.
  const isOrdinal = words.length <= TYPED_WORDS_MAX && !words.includes('OR') && hasOrdinal(text);
  return [
    ...(isOfCourts ? (['OPERADOR_DE_TRIBUNAL'] as const) : []),
    ...(isOperator ? (['OPERADOR_COMO_PALAVRA'] as const) : []),
    ...(isOrdinal ? (['ORDINAL_LITERAL'] as const) : []),
    ...(isWhole ? [] : (['PARTE_SEM_PALAVRA'] as const)),
  ];
}
