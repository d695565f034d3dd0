import type { CourtDate } from '../dates.ts';
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
   * The fields that were not read, for `extras`: as received, but without empty values, personal numbers and values that
   * may be the full text, which is never served.
   * @param known long fields that are not a full text.
   */
  unread(known: readonly string[] = []): Record<string, unknown> {
    const unread = Object.entries(this.#members).filter(([name]) => !this.#read.has(name));
    return Object.fromEntries(unread.flatMap(([name, value]) => extra(name, value, known.includes(name))));
  }
}

/** A field as an entry of `extras`, or no entry. @param isKnown true if it is not a full text, even if long. */
export function extra(name: string, value: unknown, isKnown = false): (readonly [string, unknown])[] {
  if (isNothing(value) || isPersonalField(name) || SEARCH_FIELD.test(name)) return [];
  if (!isKnown && mayBeFullText(name, value)) return [];
  return [[name, withoutPersonal(value)]];
}

/** Scores and highlights, which change with each search. */
const SEARCH_FIELD = /^_?(?:score|rank(?:ing)?)$|highlight/iu;
/** A longer unknown field may be the full text. */
const UNKNOWN_LENGTH_MAX = 5_000;
const FULL_TEXT_NAME =
  /inteiro_?teor(?!.*(?:url|link|id$))|html|rtf|texto_?(?:acordao|decisao|completo|integral)/iu;

function mayBeFullText(name: string, value: unknown): boolean {
  if (FULL_TEXT_NAME.test(name)) return true;
  return typeof value === 'boolean' || typeof value === 'number'
    ? false
    : JSON.stringify(value).length > UNKNOWN_LENGTH_MAX;
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return textOrNull(value) === null;
  if (Array.isArray(value)) return value.every(isNothing);
  return isObject(value) && Object.keys(value).length === 0 && !('rawJSON' in value);
}
