import type { WordBounds } from '../index/write/inverter.ts';

/**
 * What one record may be made of at the most. No decision comes near these: real ones nest 25 deep and have some
 * hundreds of values. A few kilobytes of gzip can hold millions, of which a tree would take gigabytes.
 */
export const DEPTH_MAX = 512;
/** Values of a JSON record, or elements and attributes of a result of a page. */
export const VALUES_MAX = 100_000;
/** Characters of a record as it comes. */
export const RECORD_CHARACTERS_MAX = 32 * 1024 * 1024;
/** Of the words of one decision. */
export const WORD_BOUNDS: WordBounds = { words: 200_000, wordLength: 10_000 };

/** A record that is beyond a bound; the message says which. */
export class BeyondBounds extends Error {}

/** Counts the depth and the values of a record before anything is built of them. Each method throws `BeyondBounds`. */
export class Bounds {
  #depth = 0;
  #values = 0;

  get depth(): number {
    return this.#depth;
  }

  /** Values since the last record. */
  get values(): number {
    return this.#values;
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new BeyondBounds(`nested deeper than ${DEPTH_MAX}`);
  }

  leave(): void {
    this.#depth -= 1;
  }

  value(): void {
    this.#values += 1;
    if (this.#values > VALUES_MAX) throw new BeyondBounds(`more than ${VALUES_MAX} values in a record`);
  }

  /** The next value is of another record. */
  nextRecord(): void {
    this.#values = 0;
  }
}

/** Follows the tokens of a JSON text. */
export class JsonBounds extends Bounds {
  /** Whether what comes next begins a value that is not counted yet: a member is one value with its name. */
  #begins = true;

  /** `[` or `{` */
  open(): void {
    this.begin();
    this.enter();
    this.#begins = true;
  }

  /** `]` or `}` */
  close(): void {
    this.leave();
    // Texts may follow each other without a comma.
    this.#begins = this.depth === 0;
  }

  comma(): void {
    this.#begins = true;
  }

  /** Any other token but a colon. */
  begin(): void {
    if (this.#begins) this.value();
    this.#begins = false;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

/** Measures a JSON text, valid or not, without parsing it. @throws BeyondBounds */
export function checkJson(json: string): void {
  // Neither bound can be passed in fewer characters: a bracket and its end for each level.
  if (json.length <= 2 * DEPTH_MAX) return;
  const bounds = new JsonBounds();
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === COMMA) bounds.comma();
    else if (isOpen(code)) bounds.open();
    else if (isOpen(code - 2)) bounds.close();
    else if (code > SPACE && code !== COLON) {
      bounds.begin();
      if (code === QUOTE) at = lastOfString(json, at);
    }
  }
}

/** `[` and `{`; what closes them is two codes further. */
function isOpen(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

/** The place of the quote that ends the string that begins at `start`, or the text's length where none does. */
function lastOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (json.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    // Backslashes go in pairs; one that is left over makes the quote part of the text.
    if ((quote - before) % 2 === 0) return quote;
  }
  return json.length;
}
