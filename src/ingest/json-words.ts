/**
 * Turns words that are not JSON into what they mean: `NaN`, `Infinity`, `undefined` and Python's `None` are null, and `True`
 * is true. The text may come in pieces. Any other bare word throws `NotJson`, which names its field.
 */
export class JsonWords {
  #isInString = false;
  /** True if the last piece ended with a backslash in a string that escapes the next character. */
  #isEscaped = false;
  /** A word at the end of a piece, which may go on in the next one. */
  #held = '';
  /** The start of the last string: the name of the member that a word is the value of. */
  #name = '';

  write(piece: string): string {
    let result = '';
    for (let at = 0; at < piece.length;) {
      const end = this.#isInString ? this.#endOfString(piece, at) : nextQuote(piece, at);
      const part = piece.slice(at, end);
      if (this.#isInString) this.#name += part.slice(0, Math.max(0, NAME_MAX - this.#name.length));
      result += this.#isInString ? part : this.#meant(part, end < piece.length);
      if (end < piece.length) {
        this.#isInString = !this.#isInString;
        if (this.#isInString) this.#name = '';
        result += '"';
      }
      at = end + 1;
    }
    return result;
  }

  end(): string {
    return this.#meant('', true);
  }

  #endOfString(piece: string, from: number): number {
    for (let at = from; at < piece.length; at += 1) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (piece[at] === '"') return at;
      else if (piece[at] === '\\') this.#isEscaped = true;
    }
    return piece.length;
  }

  /** @param isWhole true if no word goes on after the part. */
  #meant(part: string, isWhole: boolean): string {
    if (this.#held === '' && !WORD.test(part) && (isWhole || !MAY_GO_ON.test(part))) return part;
    const text = this.#held + part;
    if (text.includes("'")) throw new NotJson('quotes of Python and not of JSON; write it with json.dumps');
    const end = isWhole ? text.length : text.search(LAST_WORD);
    this.#held = end === -1 ? '' : text.slice(end);
    return (end === -1 ? text : text.slice(0, end)).replaceAll(WORDS, (word) => this.#value(word));
  }

  #value(word: string): string {
    if (JSON_WORD.test(word)) return word;
    const value = MEANT.get(word.replace(/^[+-]/u, '').toLowerCase());
    if (value === undefined) {
      const shown = word.slice(0, NAME_MAX);
      const what = this.#name === '' ? `the word ${shown} is` : `${this.#name} is ${shown}, which is`;
      throw new NotJson(`${what} not JSON; write null or a text`);
    }
    return value;
  }
}

/** A whole text parsed, and the JSON that it is. @throws NotJson, SyntaxError */
export function parsedJson(text: string): { readonly value: unknown; readonly json: string } {
  try {
    return { value: JSON.parse(text), json: text };
  } catch {
    const words = new JsonWords();
    const json = words.write(text) + words.end();
    return { value: JSON.parse(json), json };
  }
}

/** What stands in place of a value is not JSON. */
export class NotJson extends Error {}

const NAME_MAX = 60;
const MEANT = new Map([
  ...['nan', 'infinity', 'inf', 'undefined', 'none', 'null'].map((word) => [word, 'null'] as const),
  ['true', 'true'],
  ['false', 'false'],
]);
const WORD = /[A-Za-z_']/u;
/** Also numbers, whose `e` is no word. */
const WORDS = /[+-]?[\p{L}\p{N}_][\p{L}\p{N}_.+/-]*/gu;
const LAST_WORD = /[\p{L}\p{N}_.+/-]*$/u;
const MAY_GO_ON = /[\d.+-]$/u;
const JSON_WORD = /^(?:true|false|null|-?\d.*)$/u;

function nextQuote(piece: string, from: number): number {
  const quote = piece.indexOf('"', from);
  return quote === -1 ? piece.length : quote;
}
