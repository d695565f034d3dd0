import type { Between, Distribution, PercentileName } from './histogram.ts';

/** A figure with the digits that its sample supports. */
export interface Rounded {
  readonly value: number;
  /** Digits after the point. */
  readonly decimals: number;
  /** True where the sample is too small to say how much greater it may be. */
  readonly isOpen: boolean;
}

const DIGITS_MAX = 3;
const LEAST_UNIT = 0.01;
/** Standard deviations on both sides of the middle that hold 95% of a normal distribution. */
const NORMAL_95 = 1.96;

/** A percentile to the digit in which its 95% interval is uncertain. */
export function roundedPercentile(distribution: Distribution, name: PercentileName): Rounded {
  // Rounded up past the greatest time it would be one that nobody saw.
  return rounded(distribution[name], distribution.between[name], distribution.max);
}

/** A count in a time as a rate: what comes at random comes as often give or take the root of its count. */
export function roundedRate(count: number, seconds: number): Rounded {
  if (seconds === 0) return { value: 0, decimals: 0, isOpen: false };
  const reach = (NORMAL_95 * Math.sqrt(count)) / seconds;
  const value = count / seconds;
  return rounded(value, { low: value - reach, high: value + reach });
}

/** A single time, which is what it is: three digits are as many as anybody reads. */
export function roundedTime(ms: number): Rounded {
  return rounded(ms, { low: ms, high: ms });
}

function rounded(value: number, { low, high }: Between, most = Number.POSITIVE_INFINITY): Rounded {
  const leading = unitOf(value);
  const uncertain = high === null ? leading : unitOf((high - low) / 2);
  const finest = Math.max(leading / 10 ** (DIGITS_MAX - 1), LEAST_UNIT);
  const unit = Math.max(finest, Math.min(uncertain, leading));
  const decimals = Math.max(0, -Math.round(Math.log10(unit)));
  const near = Math.round(value / unit) * unit;
  const shown = near > most ? Math.floor(value / unit) * unit : near;
  return { value: Number(shown.toFixed(decimals)), decimals, isOpen: high === null };
}

/** The power of ten of a number's first digit. */
function unitOf(value: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(value, LEAST_UNIT)) + 1e-9);
}
