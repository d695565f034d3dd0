import type { Histogram } from './histogram.ts';

/** Cells of a heat map for each power of ten. */
const PER_DECADE = 6;
/** Cell 0 begins here, and takes all that is less. */
const FIRST_MS = 0.1;
/** Seven powers of ten reach past the hour at which histograms end. */
const CELLS = 8 * PER_DECADE;

const EDGES = Array.from({ length: CELLS }, (_, cell) => (cell === 0 ? -1 : cellFrom(cell)));

/** Where a cell of a heat map begins, milliseconds; it ends where the next begins. */
export function cellFrom(cell: number): number {
  return FIRST_MS * 10 ** (cell / PER_DECADE);
}

/** The cells that hold any of the times, with how many. */
export function filledCells(histogram: Histogram): [number, number][] {
  return histogram
    .counts(EDGES)
    .flatMap((count, cell): [number, number][] => (count === 0 ? [] : [[cell, count]]));
}
