import type { Termo, Tree } from '../engine/messages.ts';
import { tokens } from '../index/format/tokens.ts';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { literalExpression, readExpression } from './expression.ts';
import { hintFor } from './hint.ts';

/** A parsed text query, with the positive words for ranking. */
export interface Consulta {
  readonly tree: Tree;
  readonly termos: Termo[];
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
  const words = q.split(/\s+/u).filter((word) => word !== '');
  const isSyntax = /["()*]/.test(q) || words.some((word) => OPERATORS.has(word));
  return isSyntax ? readSyntax(q, check) : readWords(words);
}

function readWords(words: readonly string[]): Consulta | Recusa {
  const searchable = [...new Set(words)].map(tokens).filter((found) => found.length > 0);
  if (searchable.length === 0) return withoutWords();
  const { tree, positive } = literalExpression(searchable);
  return { tree, termos: positive };
}

function readSyntax(q: string, check: SyntaxCheck): Consulta | Recusa {
  // FTS5 knows four kinds of space and reads any other as part of a word.
  const text = q.replaceAll(/\s+/gu, ' ').trim();
  if (text.startsWith('*'))
    return invalid('não pode começar por *; o * vem depois do começo da palavra: dano*');
  const refusal = check(text);
  if (refusal !== null) return invalid(hintFor(text, refusal));
  const { tree, positive, hasWord } = readExpression(text);
  if (!hasWord) return withoutWords();
  return { tree, termos: positive };
}

function withoutWords(): Recusa {
  return invalid('não tem palavra alguma; escreva ao menos uma palavra ou número');
}

function invalid(reason: string): Recusa {
  return recusa('CONSULTA_INVALIDA', `q: ${reason}`);
}
