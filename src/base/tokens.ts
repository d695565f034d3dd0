import Database from 'better-sqlite3';

/**
 * The tokens of FTS5's `unicode61 remove_diacritics 2`, in TypeScript: the index is FTS5's, and what we
 * weigh ourselves (relevance, "is there a word in it at all") must see the same words. Characters up to
 * U+00FF follow the rule below, which a test holds against FTS5; any other character is asked of FTS5
 * once and remembered, for its Unicode tables are older than the runtime's.
 */
export const TOKENIZER = 'unicode61 remove_diacritics 2';

/** What a character does: `null` parts words, `''` is a diacritic and vanishes, else its folded form. */
type Folded = string | null;

const LATIN_MAX = 0xff;
const latin: readonly Folded[] = Array.from({ length: LATIN_MAX + 1 }, (_, code) => foldLatin(code));
const others = new Map<number, Folded>();

/** The folded words of a text, in order, repeats included. */
export function tokens(text: string): string[] {
  const found: string[] = [];
  let word = '';
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code >= 0xd800 && code <= 0xdfff) {
      code = text.codePointAt(at) ?? code;
      if (code > 0xffff) at += 1;
    }
    const folded = code <= LATIN_MAX ? latin[code] : foldOther(code);
    if (folded === null || folded === undefined || (folded === '' && word === '')) {
      if (word !== '') found.push(word);
      word = '';
    } else {
      word += folded;
    }
  }
  if (word !== '') found.push(word);
  return found;
}

/** True when FTS5 would find at least one word in the text. */
export function hasToken(text: string): boolean {
  return tokens(text).length > 0;
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
