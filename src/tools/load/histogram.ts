import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram as Hdr,
} from 'hdr-histogram-js';

/** Of each count. */
const BITS = 32;
const US_PER_MS = 1_000;
const HOUR_US = 3_600_000_000;
/** Percentiles of a curve: the distance to 100% halves every so many points. */
const POINTS_PER_HALF = 4;
const HALVES_MAX = 17;
/** Standard deviations on both sides of the middle that hold 95% of a normal distribution. */
const NORMAL_95 = 1.96;

/** The percentiles told of a distribution. */
export const PERCENTILES = { p25: 25, p50: 50, p75: 75, p90: 90, p95: 95, p99: 99, p999: 99.9 } as const;
export type PercentileName = keyof typeof PERCENTILES;

/** Between which values a percentile lies with 95% confidence, by its sample alone; null: the sample does not say. */
export interface Between {
  readonly low: number;
  readonly high: number | null;
}

/** What a distribution comes to, milliseconds. */
export interface Distribution {
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** How much the sample says of each percentile. */
  readonly between: Readonly<Record<PercentileName, Between>>;
}

export interface CurvePoint {
  /** 0 to 100. */
  readonly percentile: number;
  readonly ms: number;
}

/** A histogram on its way from one thread to another. */
export interface HistogramText {
  readonly hdr: string;
  readonly maxMs: number;
}

/** Times in an HDR histogram of microseconds: every one counts, with a relative error of its digits. */
export class Histogram {
  readonly #hdr: Hdr;
  /** Exact, unlike what the library tells once a histogram was text. */
  #maxMs = 0;

  /** @param digits significant ones, of each value that it tells. */
  constructor(digits: 2 | 3 = 3) {
    this.#hdr = build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: HOUR_US,
      numberOfSignificantValueDigits: digits,
      bitBucketSize: BITS,
    });
  }

  record(ms: number): void {
    const us = Math.min(HOUR_US, Math.max(0, Math.round(ms * US_PER_MS)));
    this.#hdr.recordValue(us);
    this.#maxMs = Math.max(this.#maxMs, us / US_PER_MS);
  }

  get count(): number {
    return this.#hdr.totalCount;
  }

  /** @param percentile 0 to 100. @returns milliseconds. */
  at(percentile: number): number {
    // The library tells the end of a value's bucket, which may lie past the greatest value.
    return Math.min(this.max, this.#hdr.getValueAtPercentile(percentile) / US_PER_MS);
  }

  get max(): number {
    return this.#maxMs;
  }

  /** @returns null of none. */
  distribution(): Distribution | null {
    if (this.count === 0) return null;
    return {
      count: this.count,
      mean: rounded(this.#hdr.mean / US_PER_MS),
      min: this.at(0),
      p25: this.at(25),
      p50: this.at(50),
      p75: this.at(75),
      p90: this.at(90),
      p95: this.at(95),
      p99: this.at(99),
      p999: this.at(99.9),
      max: this.max,
      between: {
        p25: this.#between(PERCENTILES.p25),
        p50: this.#between(PERCENTILES.p50),
        p75: this.#between(PERCENTILES.p75),
        p90: this.#between(PERCENTILES.p90),
        p95: this.#between(PERCENTILES.p95),
        p99: this.#between(PERCENTILES.p99),
        p999: this.#between(PERCENTILES.p999),
      },
    };
  }

  /** The interval of order statistics, which needs no shape of the distribution, as if requests told nothing of each other. */
  #between(percentile: number): Between {
    const share = percentile / 100;
    const middle = share * this.count;
    const reach = NORMAL_95 * Math.sqrt(this.count * share * (1 - share));
    const atRank = (rank: number): number => this.at((100 * rank) / this.count);
    const high = Math.ceil(middle + reach);
    return {
      low: atRank(Math.max(0, Math.floor(middle - reach))),
      high: high > this.count ? null : atRank(high),
    };
  }

  /** How many of the times are past each edge (ascending, milliseconds) and not past the next, the last open. */
  counts(edges: readonly number[]): number[] {
    const upTo = edges.map((edge) => this.#upTo(edge));
    return upTo.map((count, at) => (upTo[at + 1] ?? this.count) - count);
  }

  /** How many times are no longer than that, by halving: the library tells values by their ranks only. */
  #upTo(ms: number): number {
    if (ms >= this.max) return this.count;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const rank = Math.ceil((low + high) / 2);
      if (this.at((100 * rank) / this.count) <= ms) low = rank;
      else high = rank - 1;
    }
    return low;
  }

  /** Points ever nearer to 100%, up to the one that holds a single time. */
  curve(): CurvePoint[] {
    const points: CurvePoint[] = [];
    for (let step = 0; step <= HALVES_MAX * POINTS_PER_HALF && this.count > 0; step += 1) {
      const beyond = 2 ** (-step / POINTS_PER_HALF);
      const percentile = Math.round(100 * (1 - beyond) * 1e6) / 1e6;
      points.push({ percentile, ms: this.at(percentile) });
      if (beyond * this.count < 1) break;
    }
    return points;
  }

  /** In the standard form of HDR histograms (V2, compressed, base64), microseconds. */
  encode(): string {
    return encodeIntoCompressedBase64(this.#hdr);
  }

  toText(): HistogramText {
    return { hdr: this.encode(), maxMs: this.#maxMs };
  }

  /** Takes in all that another holds. */
  add({ hdr, maxMs }: HistogramText): void {
    this.#hdr.add(decodeFromCompressedBase64(hdr, BITS, false));
    this.#maxMs = Math.max(this.#maxMs, maxMs);
  }
}

function rounded(ms: number): number {
  return Math.round(ms * US_PER_MS) / US_PER_MS;
}
