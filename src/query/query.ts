import type { QueryTerm, Tree } from '../engine/messages.ts';
import { tokens } from '../index/format/tokens.ts';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { withPlainQuotes, type Aviso } from '../contract/avisos.ts';
import { Q_MIN } from '../contract/vocabulary.ts';
import { literalExpression, readExpression, type Expression } from './expression.ts';
import { hintFor } from './hint.ts';
import { readingOf } from './reading.ts';
import { warningsOfSyntax, warningsOfWords } from './warnings.ts';

/** A parsed text query, with the positive words for ranking. */
export interface Consulta {
  readonly tree: Tree;
  readonly terms: QueryTerm[];
  /** The parsed query in FTS5 syntax. */
  readonly leitura: string;
  readonly avisos: readonly Aviso[];
}

/** Checks a text with FTS5's own parser. Returns its error message, or null if the text is valid. */
export type SyntaxCheck = (fts5: string) => string | null;

const OPERATORS = new Set(['AND', 'OR', 'NOT', 'NEAR']);

/**
 * Parses `q`. Plain words are literal, and all must match. A text with a quote, a parenthesis,
 * `*` or an operator as a whole upper-case word is FTS5 syntax.
 */
export function readQuery(q: string, check: SyntaxCheck): Consulta | Recusa {
  // SQLite would end the text at a NUL and silently ignore the remainder.
  if (q.includes('\0')) return invalid('contém o caractere nulo (%00); retire-o');
  const plain = withPlainQuotes(q);
  const words = wordsOf(plain);
  const consulta = isSyntax(plain, words) ? readSyntax(plain, check) : readWords(words);
  if (plain === q || 'codigo' in consulta) return consulta;
  return { ...consulta, avisos: ['ASPAS_TIPOGRAFICAS', ...consulta.avisos] };
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

function isSyntax(text: string, words = wordsOf(text)): boolean {
  return /["()*]/.test(text) || words.some((word) => OPERATORS.has(word));
}

/** True for a text that is not refused. @param text with plain quotes and single spaces. */
function isRead(text: string, check: SyntaxCheck): boolean {
  if (!isSyntax(text)) return tokens(text).length > 0;
  return !text.startsWith('*') && check(text) === null && readExpression(text).hasWord;
}

function readWords(words: readonly string[]): Consulta | Recusa {
  const distinct = [...new Set(words)].map(tokens);
  const searchable = distinct.filter((found) => found.length > 0);
  if (searchable.length === 0) return withoutWords();
  const isWhole = searchable.length === distinct.length;
  return consultaOf(literalExpression(searchable), warningsOfWords(words, isWhole));
}

function readSyntax(q: string, check: SyntaxCheck): Consulta | Recusa {
  // FTS5 knows four kinds of space and reads any other as part of a word.
  const text = q.replaceAll(/\s+/gu, ' ').trim();
  // FTS5 would read a `*` at the start as a command of its own.
  const refusal = text.startsWith('*') ? 'near "*"' : check(text);
  if (refusal !== null) return invalid(hintFor(text, refusal, (meant) => isRead(meant, check)));
  const expression = readExpression(text);
  if (!expression.hasWord) return withoutWords();
  return consultaOf(expression, warningsOfSyntax(text, expression.isWhole));
}

function consultaOf({ tree, positive }: Expression, avisos: readonly Aviso[]): Consulta {
  const leitura = readingOf(tree);
  // A single letter is too short to send as is.
  const sendable = [...leitura].length < Q_MIN ? `"${leitura}"` : leitura;
  return { tree, terms: positive, leitura: sendable, avisos };
}

function withoutWords(): Recusa {
  return invalid('não tem palavra alguma; escreva ao menos uma palavra ou número');
}

function invalid(reason: string): Recusa {
  return recusa('CONSULTA_INVALIDA', `q: ${reason}`);
}
