import { NORMAL_95, type Between, type Distribution, type PercentileName } from './histogram.ts';

/** A figure with the digits that its sample supports. */
export interface Rounded {
  readonly value: number;
  readonly decimals: number;
  /** True if the sample is too small for an upper bound. */
  readonly isOpen: boolean;
}

const DIGITS_MAX = 3;
const LEAST_UNIT = 0.01;

/** A percentile, rounded to the digit that the 95% interval leaves uncertain. */
export function roundedPercentile(distribution: Distribution, name: PercentileName): Rounded {
  // A rounded value must not exceed the greatest measured time.
  return rounded(distribution[name], distribution.between[name], distribution.max);
}

/** A count in a time as a rate. A random count's deviation is its square root. */
export function roundedRate(count: number, seconds: number): Rounded {
  if (seconds === 0) return { value: 0, decimals: 0, isOpen: false };
  const reach = (NORMAL_95 * Math.sqrt(count)) / seconds;
  const value = count / seconds;
  return rounded(value, { low: value - reach, high: value + reach });
}

/** A single measured time with three digits. */
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
