import type { SearchEnd } from './answer.ts';
import type { Ask } from './http-client.ts';
import type { MixPlan } from './plan.ts';
import { pick, randomNumbers } from './random.ts';

/** A first page, a page after it, a record. */
export const KINDS = ['search', 'page', 'record'] as const;
export type Kind = (typeof KINDS)[number];

export interface LoadAsk extends Ask {
  readonly kind: Kind;
  /** The query string of a search without its cursor; the id of a record. */
  readonly about: string;
}

const ROUTE = '/v1/jurisprudencia';
/** Cursors and ids kept to choose from; beyond it new ones take the place of old ones. */
const KEPT_MAX = 2_000;

/**
 * Chooses what to ask. Records and pages come from the answers of this very load, as a user's do: until there
 * are some, a first page is asked instead.
 */
export class Mix {
  readonly #plan: MixPlan;
  readonly #key: string;
  readonly #random: () => number;
  readonly #pages: LoadAsk[] = [];
  readonly #records: LoadAsk[] = [];
  /** Searches asked so far, where none is to be asked twice. */
  #asked = 0;

  constructor(plan: MixPlan, key: string, seed: number) {
    this.#plan = plan;
    this.#key = key;
    this.#random = randomNumbers(seed);
  }

  next(): LoadAsk {
    const { records, follow, ordem, limite, isUnique } = this.#plan;
    if (this.#random() < records && this.#records.length > 0)
      return isUnique ? this.#takeFrom(this.#records) : pick(this.#records, this.#random);
    if (this.#random() < follow && this.#pages.length > 0) return this.#takeFrom(this.#pages);
    const about = `${this.#search()}&ordem=${ordem}&limite=${limite}`;
    return { kind: 'search', about, path: `${ROUTE}/busca?${about}`, key: this.#key };
  }

  /** Keeps what a search's answer gives to go on with. @param id one of its items'. */
  learn({ about }: LoadAsk, { proximo_cursor }: SearchEnd, id: string | null): void {
    const key = this.#key;
    if (proximo_cursor !== null) {
      const path = `${ROUTE}/busca?${about}&cursor=${encodeURIComponent(proximo_cursor)}`;
      this.#keep(this.#pages, { kind: 'page', about, path, key });
    }
    if (id === null) return;
    this.#keep(this.#records, { kind: 'record', about: id, path: `${ROUTE}/${id}`, key });
  }

  #search(): string {
    const { searches, isUnique } = this.#plan;
    if (!isUnique) return pick(searches, this.#random);
    const search = searches[this.#asked % searches.length];
    if (search === undefined) throw new Error('no search to ask');
    this.#asked += 1;
    return search;
  }

  /** A page is read once, as users do. */
  #takeFrom(asks: LoadAsk[]): LoadAsk {
    const at = Math.floor(this.#random() * asks.length);
    const taken = pick(asks.slice(at, at + 1), this.#random);
    const last = asks.pop();
    if (last !== undefined && at < asks.length) asks[at] = last;
    return taken;
  }

  #keep(kept: LoadAsk[], ask: LoadAsk): void {
    if (kept.length < KEPT_MAX) kept.push(ask);
    else kept[Math.floor(this.#random() * KEPT_MAX)] = ask;
  }
}
