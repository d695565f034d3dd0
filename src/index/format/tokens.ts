import Database from 'better-sqlite3';
import { TOKENIZER } from './fts5.ts';

/*
 * The tokens of FTS5's `unicode61 remove_diacritics 2`, in TypeScript: the index is FTS5's, and what we
 * weigh ourselves (relevance, "is there a word in it at all") must see the same words. Characters up to
 * U+00FF follow the rule below, which a test holds against FTS5; any other character is asked of FTS5
 * once and remembered, for its Unicode tables are older than the runtime's.
 */

/** What a character does: `null` parts words, `''` is a diacritic and vanishes, else its folded form. */
type Folded = string | null;

const LATIN_MAX = 0xff;
const latin: readonly Folded[] = Array.from({ length: LATIN_MAX + 1 }, (_, code) => foldLatin(code));
const others = new Map<number, Folded>();

/** What `latin` says, as numbers: a code, or one of these two. */
const PARTS = -1;
const VANISHES = -2;
const latinCodes = Int32Array.from(latin, (folded) =>
  folded === null ? PARTS : folded === '' ? VANISHES : folded.charCodeAt(0),
);

/** Holds the word at hand for `forEachToken`; grows with the longest word seen. */
let word = new Uint16Array(256);

/**
 * Calls `visit` with each folded word of a text, in order, as the codes of its characters: the first `length`
 * of an array that is used again for the next word. A text has thousands, and most are known already: a
 * caller that looks them up by their codes needs no string for them.
 */
export function forEachToken(text: string, visit: (codes: Uint16Array, length: number) => void): void {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code <= LATIN_MAX) {
      const folded = latinCodes[code] ?? PARTS;
      if (folded >= 0) {
        if (length === word.length) word = grown(word);
        word[length] = folded;
        length += 1;
      } else if (folded === PARTS && length > 0) {
        visit(word, length);
        length = 0;
      }
      continue;
    }
    code = text.codePointAt(at) ?? code;
    // Two codes are one character beyond the first plane.
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

/** The folded words of a text, in order, repeats included. */
export function tokens(text: string): string[] {
  const found: string[] = [];
  forEachToken(text, (codes, length) => found.push(tokenOf(codes, 0, length)));
  return found;
}

/** The characters that some codes stand for. */
export function tokenOf(codes: Uint16Array, from: number, length: number): string {
  let text = '';
  for (let at = from; at < from + length; at += 1) text += String.fromCharCode(codes[at] ?? 0);
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
  // The micro sign is the one Latin-1 letter whose lower case FTS5 takes to be another letter.
  if (code === 0xb5) return 'μ';
  return character
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');
}

function foldOther(code: number): Folded {
  const known = others.get(code);
  if (known !== undefined) return known;
  const folded = askFts5(code);
  others.set(code, folded);
  return folded;
}

let fts5: { ask: (text: string) => string[] } | undefined;

function askFts5(code: number): Folded {
  // A lone surrogate has no UTF-8 form; SQLite would see a replacement character, which parts words.
  if (code >= 0xd800 && code <= 0xdfff) return null;
  fts5 ??= openFts5();
  const [first, second] = fts5.ask(`x${String.fromCodePoint(code)}y`);
  if (first === undefined || second !== undefined) return null;
  return first.slice(1, -1);
}

function openFts5(): { ask: (text: string) => string[] } {
  const db = new Database(':memory:');
  db.exec(`
    CREATE VIRTUAL TABLE texto USING fts5(t, tokenize = "${TOKENIZER}");
    CREATE VIRTUAL TABLE palavra USING fts5vocab(texto, instance);
  `);
  const clear = db.prepare('DELETE FROM texto');
  const insert = db.prepare('INSERT INTO texto (t) VALUES (?)');
  const read = db.prepare<[], string>('SELECT term FROM palavra ORDER BY "offset"').pluck();
  return {
    ask: (text) => {
      clear.run();
      insert.run(text);
      return read.all();
    },
  };
}
