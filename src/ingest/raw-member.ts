/**
 * The exact text of a JSON object's member. The service must return `extras` as received; parsing would lose big integers,
 * `1.0` and the order of keys that look like numbers.
 * @param json an object's text that `JSON.parse` accepts; it is not validated again.
 * @returns the value's text, or null if there is no such member. The last one counts, as in `JSON.parse`.
 */
export function rawMember(json: string, name: string): string | null {
  let found: string | null = null;
  let depth = 0;
  /** Where the value of such a member begins; -1 outside of one. */
  let start = -1;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isOpen(code)) depth += 1;
    else if (isClose(code)) depth -= 1;
    if (start >= 0 && (depth === 0 || (depth === 1 && code === COMMA))) {
      found = json.slice(start, at).trimEnd();
      start = -1;
    }
    if (code !== QUOTE) continue;
    const end = closingQuote(json, at);
    const colon = depth === 1 ? skipSpace(json, end + 1) : -1;
    if (json[colon] === ':' && unquoted(json.slice(at, end + 1)) === name) start = skipSpace(json, colon + 1);
    at = json[colon] === ':' ? colon : end;
  }
  return found;
}

function unquoted(quoted: string): unknown {
  return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

export function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && isSpace(json.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The position of the quote that closes the string opened at `start`, or the text's length if there is none. */
export function closingQuote(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (json.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    // An odd number of backslashes escapes the quote.
    if ((quote - before) % 2 === 0) return quote;
  }
  return json.length;
}

/** `[` and `{`. */
export function isOpen(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

/** `]` and `}`. */
export function isClose(code: number): boolean {
  return code === 0x5d || code === 0x7d;
}
