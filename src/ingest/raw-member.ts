/**
 * The exact text of a JSON object's member. The service must return `extras` as received; parsing would lose big integers,
 * `1.0` and the order of keys that look like numbers.
 * @param json an object's text that `JSON.parse` accepts; it is not validated again.
 * @returns the value's text, or null if there is no such member. The last one counts, as in `JSON.parse`.
 */
export function rawMember(json: string, name: string): string | null {
  let found: string | null = null;
  let at = skipSpace(json, json.indexOf('{') + 1);
  while (at < json.length && json[at] === '"') {
    const keyEnd = closingQuote(json, at) + 1;
    const quoted = json.slice(at, keyEnd);
    const key: unknown = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
    const start = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const end = endOfValue(json, start);
    if (key === name) found = json.slice(start, end);
    // Past the comma or the closing brace.
    at = skipSpace(json, skipSpace(json, end) + 1);
  }
  return found;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

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

function endOfValue(json: string, start: number): number {
  const first = json.charCodeAt(start);
  if (first === QUOTE) return closingQuote(json, start) + 1;
  let at = start;
  if (!isOpen(first)) {
    while (at < json.length && !/[,}\] \t\n\r]/u.test(json.charAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(json, at) + 1;
      continue;
    }
    if (isOpen(code)) depth += 1;
    if (isClose(code)) depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}
