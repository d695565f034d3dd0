/** Eight buckets for each doubling from 10 µs on: a percentile read off them is at most 5% off. */
const LEAST_MS = 0.01;
const PER_DOUBLING = 8;
const BUCKETS = 8 * 26;

/** Counts of durations in fixed buckets: cheap to note, to add up and to empty, and of one size however many. */
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

  add(other: LogHistogram): void {
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + (other.#counts[bucket] ?? 0);
    }
    this.#total += other.#total;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }

  /** The milliseconds that a share of what was noted does not exceed; null when nothing was. */
  percentile(share: number): number | null {
    if (this.#total === 0) return null;
    const rank = Math.max(1, Math.ceil(this.#total * share));
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= rank) return middleOf(bucket);
    }
    return middleOf(BUCKETS - 1);
  }
}

/** A bucket holds what is above the one before it; its middle, in equal proportion to both ends, stands for all. */
function middleOf(bucket: number): number {
  const ms = LEAST_MS * 2 ** ((bucket - 0.5) / PER_DOUBLING);
  return Number(ms.toPrecision(3));
}
