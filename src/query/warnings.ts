import type { Aviso } from '../contract/avisos.ts';
import { lex } from './fts5-lexer.ts';

/** Any other case of these is a word. `OU` is how one says OR. */
const SMALL_OPERATOR = /^(?:[Aa]nd|[Oo]r|[Nn]ot|[Oo][Uu])$/u;

/** What loose words do that their writer may not expect. @param isWhole false if a part has no word. */
export function warningsOfWords(words: readonly string[], isWhole: boolean): Aviso[] {
  return [
    ...given(
      'HIFEN_NAO_EXCLUI',
      words.some((word) => /^[-−–][\p{L}\p{N}]/u.test(word)),
    ),
    ...given(
      'OPERADOR_COMO_PALAVRA',
      words.slice(1, -1).some((word) => SMALL_OPERATOR.test(word)),
    ),
    ...given('PARTE_SEM_PALAVRA', !isWhole),
  ];
}

/** The same for a text in FTS5 syntax, which FTS5 refuses if a `-` in it excludes no column. */
export function warningsOfSyntax(text: string, isWhole: boolean): Aviso[] {
  const words = lex(text).map((piece) => (piece.kind === 'text' && !piece.quoted ? piece.text : ''));
  const outsideQuotes = text.replaceAll(/"(?:[^"]|"")*"/gu, '""');
  return [
    ...given('ASTERISCO_NO_MEIO', /[\p{L}\p{N}_]\*[\p{L}\p{N}_]/u.test(outsideQuotes)),
    ...given(
      'OPERADOR_COMO_PALAVRA',
      words.slice(1, -1).some((word) => SMALL_OPERATOR.test(word)),
    ),
    ...given('PARTE_SEM_PALAVRA', !isWhole),
  ];
}

function given(aviso: Aviso, isSo: boolean): Aviso[] {
  return isSo ? [aviso] : [];
}
