/**
 * The exact text of one member of a JSON object: `extras` must come back as received, and parsing would lose
 * big integers, `1.0` and the order of keys that look like numbers.
 * @param json the text of an object that `JSON.parse` has accepted, so that only its structure is walked here.
 * @returns the value's text, of the last such member as `JSON.parse` takes it, or null where there is none.
 */
export function rawMember(json: string, name: string): string | null {
  let found: string | null = null;
  let at = skipSpace(json, json.indexOf('{') + 1);
  while (at < json.length && json[at] === '"') {
    const keyEnd = endOfString(json, at);
    const key: unknown = JSON.parse(json.slice(at, keyEnd));
    const start = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const end = endOfValue(json, start);
    if (key === name) found = json.slice(start, end);
    // Past the comma, or past the closing brace, after which nothing follows.
    at = skipSpace(json, skipSpace(json, end) + 1);
  }
  return found;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && isSpace(json.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** @returns the place after the closing quote of the string that opens at `start`. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); ; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (json.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    // Backslashes go in pairs; one that is left over makes the quote part of the text.
    if ((quote - before) % 2 === 0) return quote + 1;
  }
}

function endOfValue(json: string, start: number): number {
  const first = json.charCodeAt(start);
  if (first === QUOTE) return endOfString(json, start);
  let at = start;
  if (!OPEN.has(first)) {
    while (at < json.length && !/[,}\] \t\n\r]/u.test(json[at] ?? '')) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
      continue;
    }
    if (OPEN.has(code)) depth += 1;
    if (CLOSE.has(code)) depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}
