import type { CoverReply } from '../engine/messages.ts';
import type { Tipo } from '../contract/enums.ts';

/** Coverage of one base as it adds up, slice by slice; dates are `yyyymmdd`. */
export interface Totals {
  total: number;
  julgamento_min: number | null;
  julgamento_max: number | null;
  publicacao_min: number | null;
  publicacao_max: number | null;
  readonly tipos: Set<Tipo>;
  /** Decisions by their year of judgment; null where a slice did not tell. */
  anos: Map<number, number> | null;
}

export function emptyTotals(): Totals {
  return {
    total: 0,
    julgamento_min: null,
    julgamento_max: null,
    publicacao_min: null,
    publicacao_max: null,
    tipos: new Set(),
    anos: new Map(),
  };
}

export function addSlice(totals: Totals, slice: CoverReply): void {
  totals.total += slice.total;
  totals.julgamento_min = pick(Math.min, totals.julgamento_min, slice.julgamento_min);
  totals.julgamento_max = pick(Math.max, totals.julgamento_max, slice.julgamento_max);
  totals.publicacao_min = pick(Math.min, totals.publicacao_min, slice.publicacao_min);
  totals.publicacao_max = pick(Math.max, totals.publicacao_max, slice.publicacao_max);
  for (const tipo of slice.tipos) totals.tipos.add(tipo);
  addYears(totals, slice.anos);
}

function addYears(totals: Totals, years: CoverReply['anos']): void {
  const { anos } = totals;
  if (years === undefined || anos === null) totals.anos = null;
  else for (const [year, count] of years) anos.set(year, (anos.get(year) ?? 0) + count);
}

function pick(choose: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : choose(a, b);
}
