import { ASKERS_MAX } from '../config/limits.ts';

/**
 * What each asker has had lately, in milliseconds of work, for start-time fair queueing: the one who had least is next.
 * An asker who was idle begins where the one served last stands, so nobody saves up turns, and nobody waits for more of
 * another's work than that other's longest request and its own last one.
 */
export class Ledger {
  /** Only askers who have had more than `#now`. */
  readonly #spent = new Map<number, number>();
  #now = 0;

  spentBy(asker: number): number {
    return Math.max(this.#now, this.#spent.get(asker) ?? 0);
  }

  /** The asker's request is chosen: nobody who comes later is before it. */
  serve(asker: number): void {
    this.#now = this.spentBy(asker);
  }

  /** Adds work to what an asker has had; less than 0 corrects an estimate. */
  charge(asker: number, ms: number): void {
    const spent = this.spentBy(asker) + ms;
    this.#spent.delete(asker);
    if (spent > this.#now) this.#spent.set(asker, spent);
    if (this.#spent.size > ASKERS_MAX) this.#forget();
  }

  /** Askers that are remembered. */
  get size(): number {
    return this.#spent.size;
  }

  /** Forgets those whom the others have caught up with; if there are none, the one charged longest ago. */
  #forget(): void {
    for (const [asker, spent] of this.#spent) if (spent <= this.#now) this.#spent.delete(asker);
    const [oldest] = this.#spent.keys();
    if (this.#spent.size > ASKERS_MAX && oldest !== undefined) this.#spent.delete(oldest);
  }
}
