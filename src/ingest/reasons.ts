/** Reasons that are told apart, and characters kept of each: every record of a hostile file may have one of its own. */
export const REASONS_MAX = 100;
export const REASON_LENGTH_MAX = 200;

/** Counts things by their reason, in memory that is bounded. */
export class Reasons {
  total = 0;
  /** Those whose reason was one too many. */
  others = 0;
  readonly #counts = new Map<string, number>();

  add(reason: string): void {
    const kept = shortened(reason, REASON_LENGTH_MAX);
    this.total += 1;
    const count = this.#counts.get(kept);
    if (count === undefined && this.#counts.size === REASONS_MAX) this.others += 1;
    else this.#counts.set(kept, (count ?? 0) + 1);
  }

  /** Each reason with its count, the commonest first. */
  get sorted(): readonly (readonly [reason: string, count: number])[] {
    return [...this.#counts].toSorted(([, a], [, b]) => b - a);
  }
}

/** A text of no more characters than that, with an ellipsis where it was cut. */
export function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
