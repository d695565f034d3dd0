import { courtSigns, kindOf, type Piece } from './court-signs.ts';

export const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** With quotes and parentheses in pairs, and a number with its part, `… (1)`, as a phrase. */
export function closed(typed: string): string {
  const text = typed
    .replaceAll(/(?<=^| )[!\p{Pd}−](?=\()/gu, 'NOT ')
    .replaceAll(/(?<= )(adj|prox|near) (\d{1,2})(?= )/giu, '$1$2')
    .replaceAll(/(?<=^|[ (])(\d{8})\.(DTDE)\.(?=[ )]|$)/giu, '@$2=$1');
  let whole = text;
  if ((text.match(/"/gu)?.length ?? 0) % 2 === 1) {
    const isEnd = /[^\s"(]"(?![^\s)])/u.test(text.slice(Math.max(0, text.lastIndexOf('"') - 1)));
    whole = isEnd ? `"${text}` : `${text}"`;
  }
  let depth = 0;
  whole = whole.replaceAll(/"[^"]*"|[()]/gu, (mark) => {
    if (mark === ')' && depth === 0) return ' ';
    if (mark === '(') depth += 1;
    else if (mark === ')') depth -= 1;
    return mark;
  });
  const part = /"[^"]*"|([^\s"()]*\d[^\s"()]*) ?\((\d{1,3})\)/gu;
  return (whole + ')'.repeat(depth)).replaceAll(part, (all: string, number?: string, digits?: string) =>
    number === undefined ? all : `"${number} (${digits})"`,
  );
}

/** The words of prose with parentheses; null if there is any syntax. */
export function plainWords(pieces: readonly Piece[]): string | null {
  const words = pieces.flatMap((piece) => (piece.kind === 'word' ? [piece.text] : []));
  const isProse = pieces.every(({ kind }) => kind === 'word' || kind === 'open' || kind === 'close');
  if (!isProse || words.some((word) => /^(?:and|or|not|near|ou)$|^\p{Lu}?\p{Ll}+:|\*/iu.test(word)))
    return null;
  const text = words
    .map((word) => word.replace(/^[\p{Pd}−]+/u, ''))
    .filter(hasWord)
    .join(' ');
  return courtSigns(text).some(({ isCertain }) => isCertain) ? null : text;
}

/** `isNarrow`: FTS5's NOT takes all adjacent words after it, the courts' one word or group. */
export type Token = Piece | { readonly kind: 'operator'; readonly text: string; readonly isNarrow: boolean };

export function tokensOf(pieces: readonly Piece[], asCourt: boolean): Token[] {
  return pieces.flatMap((piece, at): Token[] => {
    if (piece.kind !== 'word') return [piece];
    const { text } = piece;
    const isFirst = at === 0 || pieces[at - 1]?.kind === 'open';
    const isLast = at === pieces.length - 1 || pieces[at + 1]?.kind === 'close';
    if (/^(?:AND|OR|NOT)$/u.test(text)) return [{ kind: 'operator', text, isNarrow: false }];
    const excluded = (asCourt ? /^[!\p{Pd}−](\p{L}.*)$/u : /^[\p{Pd}−](\p{L}.*)$/u).exec(text)?.[1];
    if (excluded !== undefined && !isFirst)
      return [
        { kind: 'operator', text: 'NOT', isNarrow: true },
        { kind: 'word', text: excluded },
      ];
    // FTS5 has no NOT without something before it.
    const isOperand = isLast || (isFirst && !/^N[ÃA]O$/u.test(text));
    const kind = asCourt && !isOperand ? kindOf(text) : null;
    if (kind !== 'and' && kind !== 'or' && kind !== 'not') return [piece];
    const operator = { and: 'AND', or: 'OR', not: 'NOT' }[kind];
    return [{ kind: 'operator', text: operator, isNarrow: true }];
  });
}
