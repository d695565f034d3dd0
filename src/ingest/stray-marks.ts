import { htmlTagNames } from 'html-tag-names';

/**
 * Escapes each literal `<` of a page (`<<RECURSO PROVIDO.<br />`) before the HTML parser, which would take all text up to
 * the next `>` for a tag. The text may come in pieces.
 */
export class StrayMarks {
  /** The end of a piece, from a `<` that needs more text to be classified. */
  #held = '';

  /** @returns the text that can be classified. */
  write(piece: string): string {
    const text = this.#held + piece;
    let end = text.indexOf('<', Math.max(0, text.length - TAG_START_MAX));
    while (end !== -1 && beginsTag(text, end)) end = text.indexOf('<', end + 1);
    if (end === -1) end = text.length;
    this.#held = text.slice(end);
    return escaped(text, end);
  }

  end(): string {
    const last = this.#held;
    this.#held = '';
    return withoutStrayMarks(last);
  }
}

/** The same for a whole text. */
export function withoutStrayMarks(text: string): string {
  return escaped(text, text.length);
}

/** More than any expression below can match. */
const TAG_START_MAX = 1_500;
const NAMES: ReadonlySet<string> = new Set(htmlTagNames);
const SPACE = String.raw`\s{0,1000}`;
const NAME = String.raw`[a-zA-Z][\w:.-]{0,80}`;
const ANY_ATTRIBUTE = String.raw`[a-zA-Z_:@][\w:.@-]{0,80}\s{0,20}=`;
/** Attributes without a value that are not words in a text, or a single word alone in the tag. */
const BARE_ATTRIBUTE =
  '(?:(?:async|autofocus|checked|compact|default|defer|disabled|hidden|multiple|noshade|novalidate|nowrap|open|' +
  String.raw`readonly|required|reversed|selected|[a-z_]{1,20}-[\w-]{1,60})[\s/>]|[a-z]{1,40}\s?/?>)`;
const SURELY_TAG = startOf([
  '!--',
  String.raw`!\[`,
  String.raw`!(?:doctype|DOCTYPE)\b`,
  String.raw`\?xml\b`,
  `/${NAME}${SPACE}>`,
  String.raw`${NAME}[\s/]${SPACE}${ANY_ATTRIBUTE}`,
  // With a namespace, or a custom element.
  String.raw`[a-z]{1,20}[:-][a-zA-Z][\w-]{0,60}${SPACE}/?>`,
]);
/** A tag if HTML has an element of that name. */
const TAG_OF_NAME = startOf([
  String.raw`([a-zA-Z][a-zA-Z0-9]{0,40})(?:${SPACE}/?>|[\s/]${SPACE}${BARE_ATTRIBUTE})`,
]);

function startOf(ways: readonly string[]): RegExp {
  return new RegExp(`<(?:${ways.join('|')})`, 'uy');
}

/** The text up to `end`, escaped. The text after `end` may decide whether a `<` begins a tag. */
function escaped(text: string, end: number): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf('<'); at !== -1 && at < end; at = text.indexOf('<', at + 1)) {
    if (beginsTag(text, at)) continue;
    result += `${text.slice(from, at)}&lt;`;
    from = at + 1;
  }
  return result + text.slice(from, end);
}

function beginsTag(text: string, at: number): boolean {
  SURELY_TAG.lastIndex = at;
  if (SURELY_TAG.test(text)) return true;
  TAG_OF_NAME.lastIndex = at;
  const name = TAG_OF_NAME.exec(text)?.[1];
  return name !== undefined && NAMES.has(name.toLowerCase());
}
