/** Distinct reasons, and characters in each reason. Every record of a hostile file may have another reason. */
export const REASONS_MAX = 100;
export const REASON_LENGTH_MAX = 200;

/** Counts by reason, in bounded memory. */
export class Reasons {
  total = 0;
  /** Counts of reasons beyond `REASONS_MAX`. */
  others = 0;
  readonly #counts = new Map<string, number>();

  add(reason: string): void {
    const key = shortened(reason, REASON_LENGTH_MAX);
    this.total += 1;
    const count = this.#counts.get(key);
    if (count === undefined && this.#counts.size === REASONS_MAX) this.others += 1;
    else this.#counts.set(key, (count ?? 0) + 1);
  }

  /** Reasons and counts, most frequent first. */
  get sorted(): readonly (readonly [reason: string, count: number])[] {
    return [...this.#counts].toSorted(([, a], [, b]) => b - a);
  }
}

/** The text, truncated to `max` characters with an ellipsis. */
export function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
