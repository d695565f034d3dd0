import type { Histogram } from './histogram.ts';

/** Cells of a heat map for each power of ten. */
const PER_DECADE = 6;
/** Lower edge of cell 0, which also takes all smaller values. */
const FIRST_MS = 0.1;
/** Seven powers of ten cover more than an hour, the limit of the histograms. */
const CELLS = 8 * PER_DECADE;

const EDGES = Array.from({ length: CELLS }, (_, cell) => (cell === 0 ? -1 : cellFrom(cell)));

/** The lower edge of a cell, milliseconds. */
export function cellFrom(cell: number): number {
  return FIRST_MS * 10 ** (cell / PER_DECADE);
}

/** Several points' counts by cell. */
export function countsByCell(
  points: readonly { readonly cells: readonly (readonly [cell: number, count: number])[] }[],
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [cell, count] of points.flatMap(({ cells }) => cells))
    counts.set(cell, (counts.get(cell) ?? 0) + count);
  return counts;
}

/** The non-empty cells with their counts. */
export function filledCells(histogram: Histogram): [number, number][] {
  return histogram
    .counts(EDGES)
    .flatMap((count, cell): [number, number][] => (count === 0 ? [] : [[cell, count]]));
}
