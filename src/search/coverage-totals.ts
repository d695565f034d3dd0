import type { CoverReply } from '../engine/messages.ts';
import type { Tipo } from '../contract/vocabulary.ts';

/** Coverage of a base, added up slice by slice; dates are `yyyymmdd`. */
export interface Totals {
  total: number;
  judged_min: number | null;
  judged_max: number | null;
  published_min: number | null;
  published_max: number | null;
  readonly types: Set<Tipo>;
}

export function emptyTotals(): Totals {
  return {
    total: 0,
    judged_min: null,
    judged_max: null,
    published_min: null,
    published_max: null,
    types: new Set(),
  };
}

export function addSlice(totals: Totals, slice: CoverReply): void {
  totals.total += slice.total;
  totals.judged_min = pick(Math.min, totals.judged_min, slice.judged_min);
  totals.judged_max = pick(Math.max, totals.judged_max, slice.judged_max);
  totals.published_min = pick(Math.min, totals.published_min, slice.published_min);
  totals.published_max = pick(Math.max, totals.published_max, slice.published_max);
  for (const tipo of slice.types) totals.types.add(tipo);
}

function pick(choose: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : choose(a, b);
}
