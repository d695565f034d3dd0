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
    };
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
