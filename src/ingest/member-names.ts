import { closingQuote, isClose, isOpen, skipSpace } from './raw-member.ts';

/** The names of the members in the first value of a JSON text, which may be cut, except those inside `extras`. */
export interface MemberNames {
  readonly names: ReadonlySet<string>;
  /** True if the value is complete. */
  readonly isWhole: boolean;
}

export function memberNames(json: string): MemberNames {
  const names = new Set<string>();
  let depth = 0;
  let extrasAt = Infinity;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isOpen(code)) depth += 1;
    else if (isClose(code)) {
      depth -= 1;
      if (depth <= 0) return { names, isWhole: true };
      if (depth < extrasAt) extrasAt = Infinity;
    } else if (code === QUOTE) {
      const end = closingQuote(json, at);
      if (json[skipSpace(json, end + 1)] === ':' && depth <= extrasAt) {
        const name = json.slice(at + 1, Math.min(end, at + 1 + NAME_MAX));
        names.add(name);
        extrasAt = name === 'extras' ? depth : Infinity;
      }
      at = end;
    }
  }
  return { names, isWhole: false };
}

/**
 * How many of a format's names are there; 0 without one that only this format has.
 * @param own and @param shared names, separated by spaces.
 */
export function scoreOf(names: ReadonlySet<string>, own: string, shared: string): number {
  const count = (list: string) => list.split(/\s+/u).filter((name) => names.has(name)).length;
  const owned = count(own);
  return owned === 0 ? 0 : owned + count(shared);
}

const QUOTE = 0x22;
/** Longer than any name of a format. */
const NAME_MAX = 100;
