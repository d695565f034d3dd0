/** The value that the fraction `share` of the values do not exceed, by nearest rank; NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The number of each value: `{ ok: 3, late: 1 }`. */
export function countBy<T>(items: Iterable<T>, nameOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1;
  return counts;
}

export function countsText(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  return sorted.length === 0 ? 'none' : sorted.map(([name, count]) => `${name} ${count}`).join(', ');
}

/** A figure for a slice of time; slices are in order. */
export interface Slice {
  /** Milliseconds since the observed load ended. */
  readonly from: number;
  readonly to: number;
  readonly figure: number;
}

/**
 * The start of the first `inARow` slices in sequence whose figure is at most `most`: one quiet slice between busy
 * ones is not rest. @returns milliseconds; infinity if there are none.
 */
export function settledAfter(slices: readonly Slice[], most: number, inARow: number): number {
  let run = 0;
  for (const [at, { figure }] of slices.entries()) {
    run = figure <= most ? run + 1 : 0;
    if (run === inARow) return slices[at - inARow + 1]?.from ?? Number.POSITIVE_INFINITY;
  }
  return Number.POSITIVE_INFINITY;
}
