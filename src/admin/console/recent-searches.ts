import type { Base } from '../../contract/vocabulary.ts';
import {
  FIGURES_RECENT_S,
  FIGURES_S,
  SEARCHES_AROUND_MAX,
  SEARCHES_LISTED_MAX,
  SEARCH_SLICE_S,
} from '../../config/limits.ts';
import type { Picked, SearchRecord } from './search-picks.ts';

/** How long the slices reach back, and one more for the slice that is not full yet. */
const SLICES_MAX = FIGURES_S / SEARCH_SLICE_S + 1;

/**
 * The searches that an operator may want to see: the latest slow and incomplete ones, and of each base the slowest one of
 * each few seconds, so that a point of a chart leads to a search. In constant memory.
 */
export class RecentSearches {
  #listed: SearchRecord[] = [];
  /** By their number, in order. */
  readonly #slices = new Map<number, Map<Base, SearchRecord>>();
  /** Rises with every listed search. */
  version = 0;

  add({ listed, slowest }: Picked): void {
    this.version += listed.length;
    if (listed.length > 0) this.#listed = [...this.#listed, ...listed].slice(-SEARCHES_LISTED_MAX);
    for (const [base, record] of slowest) this.#addSlowest(base, record);
  }

  /** The slow and incomplete ones, the latest first. */
  get listed(): readonly SearchRecord[] {
    return this.#listed.toReversed();
  }

  /**
   * The stored searches that the percentiles of a base at one second are made of.
   * @returns those that the base took longest for first.
   */
  around(base: Base, em: number): readonly SearchRecord[] {
    const [from, to] = [em - FIGURES_RECENT_S, em + 1];
    const isWithin = (record: SearchRecord) => record.em >= from && record.em < to + 1;
    const slowest = [...this.#slices.values()].flatMap((slice) => slice.get(base) ?? []);
    const found = [...slowest, ...this.#listed].filter(
      (record) => isWithin(record) && record.passos.some((passo) => passo.base === base),
    );
    const unique = [...new Map(found.map((record) => [`${record.id} ${record.em}`, record])).values()];
    return unique.toSorted((a, b) => timeIn(b, base) - timeIn(a, base)).slice(0, SEARCHES_AROUND_MAX);
  }

  #addSlowest(base: Base, record: SearchRecord): void {
    const number = Math.floor(record.em / SEARCH_SLICE_S);
    const slice = this.#slices.get(number) ?? new Map<Base, SearchRecord>();
    this.#slices.set(number, slice);
    const before = slice.get(base);
    if (before === undefined || timeIn(record, base) > timeIn(before, base)) slice.set(base, record);
    const [oldest] = this.#slices.keys();
    if (this.#slices.size > SLICES_MAX && oldest !== undefined) this.#slices.delete(oldest);
  }
}

function timeIn({ passos }: SearchRecord, base: Base): number {
  return passos
    .filter((passo) => passo.base === base && !passo.do_cache)
    .reduce((sum, { fila_ms, exec_ms }) => sum + fila_ms + exec_ms, 0);
}
