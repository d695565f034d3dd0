import type { Base } from '../../contract/vocabulary.ts';
import type { Picked, SearchRecord } from './search-picks.ts';
import { FIGURES_S, FIGURES_RECENT_S } from './totals.ts';

/** Slow requests that are stored, and that the page gets; the same for incomplete ones. A request takes 2 to 3 kB. */
export const SEARCHES_LISTED_MAX = 100;
export const SEARCHES_SHOWN_MAX = 25;
/** A base's slowest request of this many seconds is stored, and a point of a chart links to this many. */
const SEARCH_SLICE_S = 5;
const SEARCHES_AROUND_MAX = 10;

/** The number of kept slices, plus the current one. */
const SLICES_MAX = FIGURES_S / SEARCH_SLICE_S + 1;

/** The latest slow and incomplete searches, and the slowest of each base every few seconds, for the points of a chart. */
export class RecentSearches {
  /** Separate, so that a base that is down for long does not displace the slow ones. */
  #slow: SearchRecord[] = [];
  #incomplete: SearchRecord[] = [];
  /** By their number, in order. */
  readonly #slices = new Map<number, Map<Base, SearchRecord>>();
  /** Rises with every listed search. */
  version = 0;

  add({ listed, slowest }: Picked): void {
    this.version += listed.length;
    this.#slow = latest(this.#slow, listed.filter(isComplete));
    this.#incomplete = latest(
      this.#incomplete,
      listed.filter((record) => !isComplete(record)),
    );
    for (const [base, record] of slowest) this.#addSlowest(base, record);
  }

  /** The latest slow ones, and as many incomplete ones, newest first. */
  get listed(): readonly SearchRecord[] {
    const shown = [this.#slow, this.#incomplete].flatMap((records) => records.slice(-SEARCHES_SHOWN_MAX));
    return shown.toSorted((a, b) => b.em - a.em);
  }

  /**
   * The stored searches behind a base's percentiles at a second.
   * @returns the slowest on that base first.
   */
  around(base: Base, em: number): readonly SearchRecord[] {
    const [from, to] = [em - FIGURES_RECENT_S, em + 1];
    const isWithin = (record: SearchRecord) => record.em >= from && record.em < to + 1;
    const slowest = [...this.#slices.values()].flatMap((slice) => slice.get(base) ?? []);
    const found = [...slowest, ...this.#slow, ...this.#incomplete].filter(
      (record) => isWithin(record) && record.passos.some((passo) => passo.base === base),
    );
    const unique = [...new Map(found.map((record) => [`${record.id} ${record.em}`, record])).values()];
    return unique.toSorted((a, b) => timeIn(b, base) - timeIn(a, base)).slice(0, SEARCHES_AROUND_MAX);
  }

  #addSlowest(base: Base, record: SearchRecord): void {
    const number = Math.floor(record.em / SEARCH_SLICE_S);
    const slice = this.#slices.getOrInsertComputed(number, () => new Map<Base, SearchRecord>());
    const before = slice.get(base);
    if (before === undefined || timeIn(record, base) > timeIn(before, base)) slice.set(base, record);
    const [oldest] = this.#slices.keys();
    if (this.#slices.size > SLICES_MAX && oldest !== undefined) this.#slices.delete(oldest);
  }
}

function latest(before: SearchRecord[], added: readonly SearchRecord[]): SearchRecord[] {
  return added.length === 0 ? before : [...before, ...added].slice(-SEARCHES_LISTED_MAX);
}

function isComplete({ status, bases_sem_resposta }: SearchRecord): boolean {
  return status < 500 && bases_sem_resposta.length === 0;
}

function timeIn({ passos }: SearchRecord, base: Base): number {
  return passos
    .filter((passo) => passo.base === base)
    .reduce((sum, { fila_ms, exec_ms }) => sum + fila_ms + exec_ms, 0);
}
