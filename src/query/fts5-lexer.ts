/**
 * Splits a text into the tokens of FTS5's syntax (sqlite.org/fts5.html, section 3): strings, barewords and marks. Any
 * character outside that syntax is a mark too, because error messages also need tokens of an invalid text.
 */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'mark'; readonly mark: string };

const SPACE = /[ \t\n\r]/;
const BAREWORD = /[A-Za-z0-9_\u001a\u0080-\u{10ffff}]/u;

export function lex(query: string): Piece[] {
  const characters = [...query];
  const pieces: Piece[] = [];
  let at = 0;
  while (at < characters.length) {
    const character = characters[at] ?? '';
    if (SPACE.test(character)) {
      at += 1;
    } else if (character === '"') {
      const { text, next } = quotedFrom(characters, at + 1);
      pieces.push({ kind: 'text', text, quoted: true });
      at = next;
    } else if (BAREWORD.test(character)) {
      let end = at + 1;
      while (end < characters.length && BAREWORD.test(characters[end] ?? '')) end += 1;
      pieces.push({ kind: 'text', text: characters.slice(at, end).join(''), quoted: false });
      at = end;
    } else {
      pieces.push({ kind: 'mark', mark: character });
      at += 1;
    }
  }
  return pieces;
}

function quotedFrom(characters: readonly string[], start: number): { text: string; next: number } {
  let text = '';
  let at = start;
  while (at < characters.length) {
    if (characters[at] === '"') {
      if (characters[at + 1] !== '"') break;
      at += 1;
    }
    text += characters[at] ?? '';
    at += 1;
  }
  return { text, next: at + 1 };
}
