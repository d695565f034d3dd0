/**
 * Splits a text into the tokens of FTS5's syntax (sqlite.org/fts5.html, section 3): strings, barewords and marks. Any
 * character outside that syntax is a mark too, because error messages also need tokens of an invalid text.
 */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'mark'; readonly mark: string };

/** A string, also one that does not end; a bareword; any other character but FTS5's four kinds of space. */
const PIECE = /"((?:[^"]|"")*)"?|([A-Za-z0-9_\u001a\u0080-\u{10ffff}]+)|[^ \t\n\r]/gu;

export function lex(query: string): Piece[] {
  return [...query.matchAll(PIECE)].map(([mark, string, word]): Piece => {
    if (string !== undefined) return { kind: 'text', text: string.replaceAll('""', '"'), quoted: true };
    return word === undefined ? { kind: 'mark', mark } : { kind: 'text', text: word, quoted: false };
  });
}
