/** Eight buckets for each doubling from 10 µs on: a percentile is at most 5% off. */
const LEAST_MS = 0.01;
const PER_DOUBLING = 8;
const BUCKETS = 8 * 26;
/** The value reported for a bucket: its geometric middle. */
const MIDDLES_MS = Float64Array.from({ length: BUCKETS }, (_, bucket) =>
  Number((LEAST_MS * 2 ** ((bucket - 0.5) / PER_DOUBLING)).toPrecision(3)),
);

/** Counts of durations in fixed logarithmic buckets: constant memory, cheap to add and to subtract. */
export class LogHistogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  note(ms: number): void {
    const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.ceil(Math.log2(ms / LEAST_MS) * PER_DOUBLING)));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#total += 1;
  }

  /** Adds the counts of `added` and subtracts those of `removed`, which were added before. */
  exchange(added: LogHistogram, removed: LogHistogram): void {
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      const change = (added.#counts[bucket] ?? 0) - (removed.#counts[bucket] ?? 0);
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + change;
    }
    this.#total += added.#total - removed.#total;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }

  /**
   * Reads several percentiles in one pass.
   * @param shares 0 to 1, ascending.
   * @returns milliseconds for each share; null when the histogram is empty.
   */
  percentiles(shares: readonly number[]): (number | null)[] {
    if (this.#total === 0) return shares.map(() => null);
    let bucket = 0;
    let seen = this.#counts[bucket] ?? 0;
    return shares.map((share) => {
      const rank = Math.max(1, Math.ceil(this.#total * share));
      while (seen < rank && bucket < BUCKETS - 1) {
        bucket += 1;
        seen += this.#counts[bucket] ?? 0;
      }
      return MIDDLES_MS[bucket] ?? null;
    });
  }
}
