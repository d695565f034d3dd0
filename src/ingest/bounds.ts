import type { WordBounds } from '../index/write/inverter.ts';
import { closingQuote, isClose, isOpen } from './raw-member.ts';

/**
 * Limits for a record. Real decisions nest 25 deep and have a few hundred values. A few kilobytes of gzip can hold millions of
 * values, whose tree would take gigabytes of memory.
 */
export const DEPTH_MAX = 512;
/** Values of a JSON record, or elements and attributes of a result in an HTML page. */
export const VALUES_MAX = 100_000;
/** Characters of a record in the source. */
export const RECORD_CHARACTERS_MAX = 32 * 1024 * 1024;
/** Limits for a decision's words. */
export const WORD_BOUNDS: WordBounds = { words: 200_000, wordLength: 10_000 };

/** A record exceeds a limit; the message names the limit. */
export class BeyondBounds extends Error {}

/** @returns the limit if the work exceeds it. */
export function orLimit<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof BeyondBounds) return error.message;
    throw error;
  }
}

/** Counts the depth and the values of a record before the parser builds objects. Each method throws `BeyondBounds`. */
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

  /** Starts the count of the next record. */
  nextRecord(): void {
    this.#values = 0;
  }
}

/** Counts over the tokens of a JSON text. */
export class JsonBounds extends Bounds {
  /** Whether the next token begins a value that is not counted yet. A member and its name count as one value. */
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
    // Several JSON texts may follow each other without a comma.
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
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

/** Measures a JSON text, valid or not, without parsing it. @throws BeyondBounds */
export function checkJson(json: string): void {
  // Each value takes a character and each level a bracket, so nearly all texts are within the limits.
  if (json.length <= VALUES_MAX && countOf(json, '[') + countOf(json, '{') <= DEPTH_MAX) return;
  const bounds = new JsonBounds();
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === COMMA) bounds.comma();
    else if (isOpen(code)) bounds.open();
    else if (isClose(code)) bounds.close();
    else if (code > SPACE && code !== COLON) {
      bounds.begin();
      if (code === QUOTE) at = closingQuote(json, at);
    }
  }
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}
