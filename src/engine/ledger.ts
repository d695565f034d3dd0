/** Askers whose latest work is remembered, for each base and for expensive work; some 50 bytes each. */
export const ASKERS_MAX = 4_096;

/**
 * Each asker's recent work in milliseconds, for start-time fair queueing: the asker with the least is next. An idle asker
 * resumes at the level of the asker served last, so nobody saves up turns, and nobody waits for more of another asker's work
 * than that asker's longest request plus the waiter's last one.
 */
export class Ledger {
  /** Only askers with more work than `#now`. */
  readonly #spent = new Map<number, number>();
  #now = 0;

  spentBy(asker: number): number {
    return Math.max(this.#now, this.#spent.get(asker) ?? 0);
  }

  /** Notes that the asker's request is chosen: no later asker goes first. */
  serve(asker: number): void {
    this.#now = this.spentBy(asker);
  }

  /** Adds to an asker's work; a negative value corrects an estimate. */
  charge(asker: number, ms: number): void {
    const spent = this.spentBy(asker) + ms;
    this.#spent.delete(asker);
    if (spent > this.#now) this.#spent.set(asker, spent);
    if (this.#spent.size > ASKERS_MAX) this.#forget();
  }

  /** Remembered askers. */
  get size(): number {
    return this.#spent.size;
  }

  /** Forgets askers with no more work than `#now`; if there are none, the asker charged longest ago. */
  #forget(): void {
    for (const [asker, spent] of this.#spent) if (spent <= this.#now) this.#spent.delete(asker);
    const [oldest] = this.#spent.keys();
    if (this.#spent.size > ASKERS_MAX && oldest !== undefined) this.#spent.delete(oldest);
  }
}
