import type { CourtDate } from '../dates.ts';
import { htmlText } from '../html-text.ts';
import { oneLine, personName, prose, textList, unwrapped } from '../normalise.ts';
import { isPersonalField, withoutPersonal } from '../personal.ts';
import { textOrNull } from '../text.ts';

/** The members of a court's JSON object, by name. */
export type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a record's fields and remembers which were read. The rest goes to `extras` as received. */
export class Fields {
  readonly #members: Members;
  readonly #read = new Set<string>();
  /** The fields with a full text, which is never stored. */
  readonly texts: string[] = [];

  constructor(members: Members) {
    this.#members = members;
  }

  /** The value as received. */
  raw(name: string): unknown {
    this.#read.add(name);
    return this.#members[name];
  }

  prose(name: string): string | null {
    return prose(this.raw(name));
  }

  line(name: string): string | null {
    return oneLine(this.raw(name));
  }

  unwrapped(name: string): string | null {
    return unwrapped(this.raw(name));
  }

  person(name: string): string | null {
    return personName(this.raw(name));
  }

  list(name: string): string[] | null {
    return textList(this.raw(name));
  }

  date(name: string): CourtDate {
    return { name, value: this.raw(name) };
  }

  /** The decision's text, from the first of these fields that has one. All of them are full texts. */
  text(...names: readonly string[]): string | null {
    const texts = names.map((name) => [name, textOf(this.raw(name))] as const);
    const held = texts.filter(([, text]) => text !== null);
    this.texts.push(...held.map(([name]) => name));
    return held[0]?.[1] ?? null;
  }

  isTrue(name: string): boolean {
    const value = this.#members[name];
    return value === true || (typeof value === 'string' && /^\s*true\s*$/iu.test(value));
  }

  /** A field that `extras` keeps although another field uses it; empty if it has no value. */
  kept(name: string): Members {
    return oneLine(this.#members[name]) === null ? {} : { [name]: this.#members[name] };
  }

  /** Keeps fields out of `extras`: full texts and data of the search itself. */
  drop(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /**
   * The fields that were not read, for `extras`: as received, but without empty values and personal numbers. A full text
   * among them is taken out where the line is read.
   */
  unread(): Record<string, unknown> {
    const unread = Object.entries(this.#members).filter(([name]) => !this.#read.has(name));
    return Object.fromEntries(unread.flatMap(([name, value]) => extra(name, value)));
  }
}

/** The text of HTML, or of plain text with its line breaks. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && /<[a-z!/]/iu.test(value) ? htmlText(value) : prose(value);
}

/** A field as an entry of `extras`, or no entry. */
export function extra(name: string, value: unknown): (readonly [string, unknown])[] {
  if (isNothing(value) || isPersonalField(name) || SEARCH_FIELD.test(name)) return [];
  return [[name, withoutPersonal(value)]];
}

/** Scores and highlights, which change with each search. */
const SEARCH_FIELD = /^_?(?:score|rank(?:ing)?)$|highlight/iu;

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return textOrNull(value) === null;
  if (Array.isArray(value)) return value.every(isNothing);
  return isObject(value) && Object.keys(value).length === 0 && !('rawJSON' in value);
}
