import Database from 'better-sqlite3';
import { missing } from './element-at.ts';
import { INDEXED_FIELDS } from './bm25f.ts';
import { once } from './known.ts';

/** FTS5's tokenizer, which defines the index's words. */
export const TOKENIZER = 'unicode61 remove_diacritics 2';

/** A table with the index's columns, for FTS5's parser and for tests. */
export const FTS5_SQL = `
  CREATE VIRTUAL TABLE fts USING fts5(${INDEXED_FIELDS.join(', ')}, content = '', tokenize = "${TOKENIZER}")
`;

/*
 * The tokens of FTS5's tokenizer in TypeScript. Characters up to U+00FF follow the rule below, which a test compares with FTS5;
 * FTS5 is asked once about any other character, because its Unicode tables are older than the runtime's.
 */

/** `null` separates words, `''` is a diacritic without effect, else the folded form of a character. */
type Folded = string | null;

const LATIN_MAX = 0xff;
/** The folded forms of the first characters as numbers: a code, or one of these two. */
const SEPARATES = -1;
const VANISHES = -2;
const latinCodes = Int32Array.from({ length: LATIN_MAX + 1 }, (_, code) => {
  const folded = foldLatin(code);
  return folded === null ? SEPARATES : folded === '' ? VANISHES : folded.charCodeAt(0);
});

/** The current word of `forEachToken`. */
let word = new Uint16Array(256);

/**
 * Calls `visit` with each folded word of a text, in order: the first `length` character codes of a reused array. Most words are
 * known already, and are looked up without making a string.
 */
export function forEachToken(text: string, visit: (codes: Uint16Array, length: number) => void): void {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code <= LATIN_MAX) {
      const folded = latinCodes[code] ?? SEPARATES;
      if (folded >= 0) {
        if (length === word.length) word = grown(word);
        word[length] = folded;
        length += 1;
      } else if (folded === SEPARATES && length > 0) {
        visit(word, length);
        length = 0;
      }
      continue;
    }
    code = text.codePointAt(at) ?? code;
    // A surrogate pair.
    if (code > 0xffff) at += 1;
    const folded = foldOther(code);
    if (folded === null) {
      if (length > 0) visit(word, length);
      length = 0;
      continue;
    }
    for (let from = 0; from < folded.length; from += 1) {
      if (length === word.length) word = grown(word);
      word[length] = folded.charCodeAt(from);
      length += 1;
    }
  }
  if (length > 0) visit(word, length);
}

/** A text's folded words, in order, repeats included. */
export function tokens(text: string): string[] {
  const found: string[] = [];
  forEachToken(text, (codes, length) => found.push(tokenOf(codes, 0, length)));
  return found;
}

/** Character codes as a string. */
export function tokenOf(codes: Uint16Array, from: number, length: number): string {
  let text = '';
  for (let at = from; at < from + length; at += 1) text += String.fromCharCode(codes[at] ?? missing());
  return text;
}

function grown(codes: Uint16Array): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(codes.length * 2);
  larger.set(codes);
  return larger;
}

function foldLatin(code: number): Folded {
  const character = String.fromCharCode(code);
  if (!/[\p{L}\p{N}]/u.test(character)) return null;
  // The one Latin-1 letter that FTS5 folds to another letter.
  if (code === 0xb5) return 'μ';
  return character
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');
}

const foldOther = once((code: number): Folded => {
  // A lone surrogate has no UTF-8 form; SQLite would get a replacement character, which separates words.
  if (code >= 0xd800 && code <= 0xdfff) return null;
  fts5 ??= openFts5();
  const [first, second] = fts5(`x${String.fromCodePoint(code)}y`);
  if (first === undefined || second !== undefined) return null;
  return first.slice(1, -1);
});

let fts5: ((text: string) => string[]) | undefined;

/** The words of a text by FTS5. */
function openFts5(): (text: string) => string[] {
  const db = new Database(':memory:');
  db.exec(`
    CREATE VIRTUAL TABLE texto USING fts5(t, tokenize = "${TOKENIZER}");
    CREATE VIRTUAL TABLE palavra USING fts5vocab(texto, instance);
  `);
  const clear = db.prepare('DELETE FROM texto');
  const insert = db.prepare('INSERT INTO texto (t) VALUES (?)');
  const read = db.prepare<[], string>('SELECT term FROM palavra ORDER BY "offset"').pluck();
  return (text) => {
    clear.run();
    insert.run(text);
    return read.all();
  };
}
