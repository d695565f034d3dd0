import type { CourtDate } from '../dates.ts';
import { oneLine, personName, prose, textList, unwrapped } from '../normalise.ts';
import { isPersonalField, withoutPersonal } from '../personal.ts';
import { textOrNull } from '../text.ts';

/** The members of a JSON object of a court, by name. */
export type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads the fields of one record and remembers which of them were asked for, so that the rest can go to `extras` as
 * they came.
 */
export class Fields {
  readonly #members: Members;
  readonly #read = new Set<string>();

  constructor(members: Members) {
    this.#members = members;
  }

  /** The value as it came. */
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

  /** Marks fields that are never kept: full texts, and what the search put in for itself. */
  drop(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /**
   * What was not asked for, for `extras`: as it came, but without what only stands for nothing, without personal
   * numbers, and without what may be the decision's full text, which is never served.
   * @param known fields that are none, however long.
   */
  rest(known: readonly string[] = []): Record<string, unknown> {
    const unread = Object.entries(this.#members).filter(([name]) => !this.#read.has(name));
    return Object.fromEntries(unread.flatMap(([name, value]) => extra(name, value, known.includes(name))));
  }
}

/** A field as an entry of `extras`, or none. @param isKnown true where it is no full text, however long. */
export function extra(name: string, value: unknown, isKnown = false): (readonly [string, unknown])[] {
  if (isNothing(value) || isPersonalField(name) || OF_THE_SEARCH.test(name)) return [];
  if (!isKnown && mayBeFullText(name, value)) return [];
  return [[name, withoutPersonal(value)]];
}

/** What says how well a decision fits a search, and would change it with each. */
const OF_THE_SEARCH = /^_?(?:score|rank(?:ing)?)$|highlight/iu;
/** A field of this length that nobody has told us of may hold the whole decision. */
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
