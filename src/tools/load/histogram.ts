import { build, encodeIntoCompressedBase64, type Histogram as Hdr } from 'hdr-histogram-js';
import { Type, type Static } from 'typebox';
import { forEachOf, keysOf } from '../../contract/records.ts';

const BITS = 32;
const US_PER_MS = 1_000;
const HOUR_US = 3_600_000_000;
/** Points of a percentile curve for each halving of the distance to 100%. */
const POINTS_PER_HALF = 4;
const HALVES_MAX = 17;

export const PERCENTILES = { p25: 25, p50: 50, p75: 75, p90: 90, p95: 95, p99: 99, p999: 99.9 } as const;
export type PercentileName = keyof typeof PERCENTILES;
const ofPercentiles = <V>(of: (percentile: number) => V): Record<PercentileName, V> =>
  forEachOf(keysOf(PERCENTILES), (name) => of(PERCENTILES[name]));

const Ms = Type.Number({ minimum: 0 });
/** Summary of a distribution, milliseconds. */
export const DistributionSchema = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  mean: Ms,
  min: Ms,
  ...ofPercentiles(() => Ms),
  max: Ms,
});
export type Distribution = Static<typeof DistributionSchema>;

export const CurvePointSchema = Type.Object({
  percentile: Type.Number({ minimum: 0, maximum: 100 }),
  ms: Ms,
});
type CurvePoint = Static<typeof CurvePointSchema>;

/** Times in an HDR histogram of microseconds; the digits give the relative error. */
export class Histogram {
  readonly #hdr: Hdr;
  #maxMs = 0;

  /** @param digits significant digits of values. */
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
    // The library returns the end of a bucket, which may exceed the greatest value.
    return Math.min(this.max, this.#hdr.getValueAtPercentile(percentile) / US_PER_MS);
  }

  get max(): number {
    return this.#maxMs;
  }

  distribution(): Distribution | null {
    if (this.count === 0) return null;
    return {
      count: this.count,
      mean: rounded(this.#hdr.mean / US_PER_MS),
      min: this.at(0),
      ...ofPercentiles((percentile) => this.at(percentile)),
      max: this.max,
    };
  }

  /** Points that approach 100%, up to the last one with a single time. */
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

  /** The standard HDR format (V2, compressed, base64), microseconds. */
  encode(): string {
    return encodeIntoCompressedBase64(this.#hdr);
  }
}

function rounded(ms: number): number {
  return Math.round(ms * US_PER_MS) / US_PER_MS;
}
