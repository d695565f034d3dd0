import { CAMINHOS, PREFIXO } from '../../contract/rotas.ts';
import type { SearchEnd } from './answer.ts';
import type { Load, LoadAsk } from './plan.ts';
import { pick, randomNumbers } from './random.ts';

/** The size of the pools of cursors and ids; beyond it new ones replace old ones. */
const POOL_MAX = 2_000;

/**
 * Chooses the next request. Ids and cursors come from the answers of this load, as for a user. While there
 * are none, it requests a first page.
 */
export class Mix {
  readonly #plan: Load['plan'];
  readonly #random: () => number;
  readonly #pages: LoadAsk[] = [];
  readonly #records: LoadAsk[] = [];
  readonly #searches: readonly string[];
  /** Searches requested so far. */
  #asked = 0;

  constructor({ plan, searches }: Pick<Load, 'plan' | 'searches'>) {
    this.#plan = plan;
    this.#random = randomNumbers(plan.seed);
    this.#searches = shuffled(searches, this.#random);
  }

  next(): LoadAsk {
    const { records, follow, ordem, limite } = this.#plan;
    if (this.#random() < records && this.#records.length > 0) return pick(this.#records, this.#random);
    // A page is read only once, as by users.
    if (this.#random() < follow && this.#pages.length > 0) return takeFrom(this.#pages, this.#random);
    const about = `${this.#search()}&ordem=${ordem}&limite=${limite}`;
    return { kind: 'search', about, path: `${CAMINHOS.busca}?${about}` };
  }

  /** Adds a search answer's cursor, and an id from it. */
  learn({ about }: LoadAsk, { proximo_cursor }: SearchEnd, id: string | null): void {
    if (proximo_cursor !== null) {
      const path = `${CAMINHOS.busca}?${about}&cursor=${encodeURIComponent(proximo_cursor)}`;
      this.#keep(this.#pages, { kind: 'page', about, path });
    }
    if (id !== null) this.#keep(this.#records, { kind: 'record', about: id, path: `${PREFIXO}/${id}` });
  }

  /** In a random order, each once before any comes again. */
  #search(): string {
    const search = this.#searches[this.#asked % this.#searches.length];
    if (search === undefined) throw new Error('the mix has no searches');
    this.#asked += 1;
    return search;
  }

  #keep(pool: LoadAsk[], ask: LoadAsk): void {
    if (pool.length < POOL_MAX) pool.push(ask);
    else pool[Math.floor(this.#random() * POOL_MAX)] = ask;
  }
}

/** The items in a random order (Fisher and Yates). */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items];
  return items.map(() => takeFrom(left, random));
}

/** Removes and returns an item. The order of the others changes, which takes less time. */
function takeFrom<T>(items: T[], random: () => number): T {
  const at = Math.floor(random() * items.length);
  const taken = items[at];
  const last = items.pop();
  if (taken === undefined || last === undefined) throw new Error('nothing to take from');
  if (at < items.length) items[at] = last;
  return taken;
}
