import type { Termo } from '../base/messages.ts';
import { tokens } from '../base/tokens.ts';
import { lex, type Piece } from './fts5-lexer.ts';

/** The words of an FTS5 query: those that a match may hold, and whether there is any word at all. */
export interface QueryWords {
  /** Each once, in order of appearance; words under NOT are not among them. */
  readonly positive: readonly Termo[];
  readonly any: boolean;
}

/** The words of loose text, every one of them required. */
export function literalWords(words: readonly string[]): readonly Termo[] {
  return distinct(words.flatMap((word) => tokens(word)).map((texto) => ({ texto, prefixo: false })));
}

/**
 * Reads the words out of a query that FTS5's own reader has accepted. NOT takes what follows it up to the
 * next AND or OR at its level, for implicit AND binds tighter than NOT, and NOT tighter than the others.
 */
export function fts5Words(query: string): QueryWords {
  const found: Termo[] = [];
  let any = false;
  // One entry for each open parenthesis: whether its inside is negated, and whether NOT holds at this point.
  const levels: { inside: boolean; not: boolean }[] = [{ inside: false, not: false }];
  for (const part of queryParts(lex(query))) {
    const level = levels.at(-1) ?? { inside: false, not: false };
    if (part.kind === 'open') levels.push({ inside: level.inside || level.not, not: false });
    else if (part.kind === 'close') levels.pop();
    else if (part.kind === 'operator') level.not = part.operator === 'NOT';
    else {
      const words = tokens(part.text);
      any ||= words.length > 0;
      if (level.inside || level.not) continue;
      const last = words.length - 1;
      found.push(...words.map((texto, at) => ({ texto, prefixo: part.prefix && at === last })));
    }
  }
  return { positive: distinct(found), any };
}

type Part =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'operator'; readonly operator: string }
  | { readonly kind: 'phrase'; readonly text: string; readonly prefix: boolean };

/** The pieces that matter to words: column filters and the distance of a NEAR are left out. */
function* queryParts(pieces: readonly Piece[]): Generator<Part> {
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at];
    const next = markAt(pieces, at + 1);
    if (piece === undefined) return;
    if (piece.kind === 'mark') {
      if (piece.mark === '(') yield { kind: 'open' };
      else if (piece.mark === ')') yield { kind: 'close' };
      else if (piece.mark === '{') at = pieces.findIndex((_, to) => to > at && markAt(pieces, to) === '}');
      else if (piece.mark === ',') at += 1;
      if (at < 0) return;
    } else if (!piece.quoted && ['AND', 'OR', 'NOT'].includes(piece.text)) {
      yield { kind: 'operator', operator: piece.text };
    } else if (next !== ':' && !(piece.text === 'NEAR' && !piece.quoted && next === '(')) {
      yield { kind: 'phrase', text: piece.text, prefix: next === '*' };
    }
  }
}

function markAt(pieces: readonly Piece[], at: number): string | null {
  const piece = pieces[at];
  return piece?.kind === 'mark' ? piece.mark : null;
}

function distinct(termos: readonly Termo[]): Termo[] {
  const seen = new Map(termos.map((termo) => [`${termo.texto}${termo.prefixo ? '*' : ''}`, termo]));
  return [...seen.values()];
}
