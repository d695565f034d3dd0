/** The bounds of a histogram's buckets, ascending. The last bucket is above them all. */
export type Bounds = Float64Array;

/** Bounds from `least` on, `perDoubling` of them for each doubling. */
export function logBounds(least: number, perDoubling: number, doublings: number): Bounds {
  return Float64Array.from({ length: perDoubling * doublings }, (_, at) => least * 2 ** (at / perDoubling));
}

/** Counts of values in buckets with fixed upper bounds: constant memory, cheap to count, to add and to subtract. */
export class Histogram {
  readonly #bounds: Bounds;
  /** The count of each bucket by itself, the one above all bounds included. */
  readonly counts: Float64Array;
  /** Of all counted values. */
  sum = 0;
  total = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** @throws TypeError if the value is no finite number, which would spoil the sum for good. */
  observe(value: number): void {
    if (!Number.isFinite(value)) throw new TypeError(`not a finite number: ${value}`);
    const bucket = this.#bucketOf(value);
    this.counts[bucket] = countIn(this.counts, bucket) + 1;
    this.sum += value;
    this.total += 1;
  }

  /** Adds the counts of `added` and subtracts those of `removed`, which were added before; all have the same bounds. */
  exchange(added: Histogram, removed: Histogram): void {
    for (let bucket = 0; bucket < this.counts.length; bucket += 1) {
      const change = countIn(added.counts, bucket) - countIn(removed.counts, bucket);
      this.counts[bucket] = countIn(this.counts, bucket) + change;
    }
    this.sum += added.sum - removed.sum;
    this.total += added.total - removed.total;
  }

  /** The counts, as pairs of a bucket and its count, one after the other. */
  toPairs(): number[] {
    return Array.from(this.counts, (count, bucket) => (count === 0 ? [] : [bucket, count])).flat();
  }

  /** Adds counts of a histogram with the same bounds (`toPairs`). The sum of values is not among them. */
  addPairs(pairs: readonly number[]): void {
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const [bucket = 0, count = 0] = pairs.slice(at, at + 2);
      this.counts[bucket] = countIn(this.counts, bucket) + count;
      this.total += count;
    }
  }

  clear(): void {
    this.counts.fill(0);
    this.sum = 0;
    this.total = 0;
  }

  /**
   * Reads several percentiles in one pass, for logarithmic bounds.
   * @param shares 0 to 1, ascending.
   * @returns for each share the geometric middle of its bucket, to three digits; null when the histogram is empty.
   */
  percentiles(shares: readonly number[]): (number | null)[] {
    if (this.total === 0) return shares.map(() => null);
    let bucket = 0;
    let seen = countIn(this.counts, bucket);
    return shares.map((share) => {
      const rank = Math.max(1, Math.ceil(this.total * share));
      while (seen < rank) {
        bucket += 1;
        seen += countIn(this.counts, bucket);
      }
      return this.#middleOf(bucket);
    });
  }

  /** The first bucket whose bound is not below the value. */
  #bucketOf(value: number): number {
    let low = 0;
    let high = this.#bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (value > (this.#bounds[middle] ?? Infinity)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The ends of the first and the last bucket follow from the ratio of the bounds beside them. */
  #middleOf(bucket: number): number {
    const [first = 1, second = 1] = this.#bounds;
    const ratio = second / first;
    const upper = this.#bounds[bucket] ?? (this.#bounds[bucket - 1] ?? first) * ratio;
    const lower = this.#bounds[bucket - 1] ?? upper / ratio;
    return Number(Math.sqrt(lower * upper).toPrecision(3));
  }
}

/** @throws RangeError where there is no such bucket. */
function countIn(counts: Float64Array, bucket: number): number {
  const count = counts[bucket];
  if (count === undefined) throw new RangeError(`no bucket ${bucket}`);
  return count;
}
