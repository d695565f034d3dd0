import { bug } from '../bug.ts';

/**
 * Parses a printed Python list of texts, `['um', "d'água", None]`, found in place of a JSON list. `None` is left out.
 * @returns null if the whole text is not such a list.
 */
export function pythonList(text: string): string[] | null {
  const list = text.trim();
  if (list.length > LENGTH_MAX || !list.startsWith('[') || !list.endsWith(']')) return null;
  const elements: string[] = [];
  let at = afterSpace(list, 1);
  while (list[at] !== ']') {
    const element = elementAt(list, at);
    if (element === null) return null;
    if (element.value !== null) elements.push(element.value);
    at = afterSpace(list, element.end);
    if (list[at] === ',') at = afterSpace(list, at + 1);
    else if (list[at] !== ']') return null;
  }
  return at === list.length - 1 ? elements : null;
}

/** Longer than any list of references. */
const LENGTH_MAX = 1_000_000;
const SPACE = /\s*/uy;
const PLAIN = { "'": /[^'\\]*/uy, '"': /[^"\\]*/uy };
const ESCAPE =
  /\\(?:(?<octal>[0-7]{1,3})|x(?<x>[\da-fA-F]{2})|u(?<u>[\da-fA-F]{4})|U(?<long>[\da-fA-F]{8})|(?<letter>[\s\S]))/uy;
const MEANT: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
/** Escapes that need digits or a name: without them the text is not a printed Python list. */
const NOT_ALONE = /[xuUN]/u;
const CODE_POINT_MAX = 0x10ffff;

interface Element {
  readonly value: string | null;
  readonly end: number;
}

function elementAt(list: string, at: number): Element | null {
  if (list.startsWith('None', at)) return { value: null, end: at + 'None'.length };
  const quote = list[at];
  return quote === "'" || quote === '"' ? textAt(list, at, quote) : null;
}

function textAt(list: string, start: number, quote: "'" | '"'): Element | null {
  let value = '';
  let at = start + 1;
  for (;;) {
    const plain = matchAt(PLAIN[quote], list, at)?.[0] ?? bug('no empty match');
    value += plain;
    at += plain.length;
    if (list[at] === quote) return { value, end: at + 1 };
    const escape = matchAt(ESCAPE, list, at);
    const meant = escape === null ? null : unescaped(escape);
    if (escape === null || meant === null) return null;
    value += meant;
    at += escape[0].length;
  }
}

/** The value of an escape. An unknown escape stays unchanged; null is an invalid one. */
function unescaped({ groups = {} }: RegExpExecArray): string | null {
  const { octal, x, u, long, letter } = groups;
  if (letter !== undefined) return NOT_ALONE.test(letter) ? null : (MEANT[letter] ?? `\\${letter}`);
  const code =
    octal === undefined ? Number.parseInt(x ?? u ?? long ?? bug('no digits'), 16) : Number.parseInt(octal, 8);
  return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : null;
}

function afterSpace(list: string, at: number): number {
  return at + (matchAt(SPACE, list, at)?.[0] ?? bug('no empty match')).length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
