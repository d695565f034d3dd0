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

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && ' \t\n\r'.includes(json[at] ?? '')) at += 1;
  return at;
}

/** @returns the place after the closing quote of the string that opens at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(json: string, start: number): number {
  const first = json[start];
  if (first === '"') return endOfString(json, start);
  let at = start;
  if (first !== '{' && first !== '[') {
    while (at < json.length && !',}] \t\n\r'.includes(json[at] ?? '')) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const character = json[at];
    if (character === '"') {
      at = endOfString(json, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}
