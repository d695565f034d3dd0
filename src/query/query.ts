import type { Termo, Tree } from '../engine/messages.ts';
import { tokens } from '../index/format/tokens.ts';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { literalExpression, readExpression } from './expression.ts';
import { mend } from './mend.ts';

/** A text query, ready for a base, and the positive words to rank by. */
export interface Consulta {
  readonly fts5: string;
  readonly tree: Tree;
  readonly termos: Termo[];
}

/** FTS5's own reader on an empty table of the same shape: its message when it refuses the text, else null. */
export type SyntaxCheck = (fts5: string) => string | null;

const OPERATORS = new Set(['AND', 'OR', 'NOT', 'NEAR']);

/**
 * Reads `q` (spec section 4.2, rule 4): loose words are literal and must all be there; with a quote, a
 * parenthesis, `*` or an operator as a whole upper-case word, the text is FTS5 syntax as it stands.
 */
export function readQuery(q: string, check: SyntaxCheck): Consulta | Recusa {
  // A NUL would end the text for SQLite, and the rest of the query would be lost in silence.
  if (q.includes('\0')) return invalid('contém o caractere nulo (%00); retire-o');
  const words = q.split(/\s+/u).filter((word) => word !== '');
  const isSyntax = /["()*]/.test(q) || words.some((word) => OPERATORS.has(word));
  return isSyntax ? readSyntax(q, check) : readWords(words);
}

function readWords(words: readonly string[]): Consulta | Recusa {
  const kept = [...new Set(words)]
    .map((word) => ({ word, tokens: tokens(word) }))
    .filter(({ tokens: found }) => found.length > 0);
  if (kept.length === 0) return withoutWords();
  const fts5 = kept.map(({ word }) => `"${word}"`).join(' ');
  const { tree, positive } = literalExpression(kept.map(({ tokens: found }) => found));
  return { fts5, tree, termos: positive };
}

function readSyntax(q: string, check: SyntaxCheck): Consulta | Recusa {
  // FTS5 knows four kinds of space and takes any other for part of a word.
  const text = q.replaceAll(/\s+/gu, ' ').trim();
  if (text.startsWith('*'))
    return invalid('não pode começar por *; o * vem depois do começo da palavra: dano*');
  const refusal = check(text);
  if (refusal !== null) return invalid(mend(text, refusal));
  const { tree, positive, hasWord } = readExpression(text);
  if (!hasWord) return withoutWords();
  return { fts5: text, tree, termos: positive };
}

function withoutWords(): Recusa {
  return invalid('não tem palavra alguma; escreva ao menos uma palavra ou número');
}

function invalid(reason: string): Recusa {
  return recusa('CONSULTA_INVALIDA', `q: ${reason}`);
}
