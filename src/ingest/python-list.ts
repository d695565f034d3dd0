/**
 * Parses a printed Python list of texts, `['um', "d'água", None]`, found in place of a JSON list. `None` is left out.
 * @returns null if the whole text is not such a list.
 */
export function pythonList(text: string): string[] | null {
  const list = text.trim();
  if (list.length > LENGTH_MAX || !list.startsWith('[')) return null;
  const elements: string[] = [];
  let end = 1;
  ELEMENT.lastIndex = end;
  for (let found = ELEMENT.exec(list); found !== null; found = ELEMENT.exec(list)) {
    end = ELEMENT.lastIndex;
    const [, single, double] = found;
    const body = single ?? double;
    const element = body === undefined ? undefined : unescaped(body);
    if (element === null) return null;
    if (element !== undefined) elements.push(element);
  }
  return /^\s*\]$/u.test(list.slice(end)) ? elements : null;
}

/** Longer than any list of references. */
const LENGTH_MAX = 1_000_000;
/** `None`, or a text in quotes, with what follows it: a comma, or the end of the list. */
const ELEMENT =
  /\s*(?:None|'([^'\\]*(?:\\[\s\S][^'\\]*)*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)")\s*(?:,|(?=\]))/uy;
const ESCAPE = /\\(?:[0-7]{1,3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S])/gu;
const LETTERS = 'abfnrtv';
const CONTROLS = '\u0007\b\f\n\r\t\v';
const CODE_POINT_MAX = 0x10ffff;

/** The text that was printed; null if an escape is none of Python's. An unknown letter stays with its backslash. */
function unescaped(body: string): string | null {
  let isPython = true;
  const text = body.replaceAll(ESCAPE, (escape) => {
    const letter = escape.charAt(1);
    if (/[\\'"\n]/u.test(letter)) return letter.trim();
    if (escape.length === 2 && /[^0-7]/u.test(letter)) {
      // These need digits or a name.
      isPython &&= !/[xuUN]/u.test(letter);
      return CONTROLS[LETTERS.indexOf(letter)] ?? escape;
    }
    const code = /[0-7]/u.test(letter)
      ? Number.parseInt(escape.slice(1), 8)
      : Number.parseInt(escape.slice(2), 16);
    isPython &&= code <= CODE_POINT_MAX;
    return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : '';
  });
  return isPython ? text : null;
}
