import { numbersIn } from '../../contract/numbers.ts';
import { PERCENTILES, type Distribution, type PercentileName } from './histogram.ts';

/** With fewer, one answer more or less may double the percentile. */
const BEYOND_MIN = 4;

const digits = (most: number, signDisplay: 'auto' | 'exceptZero' = 'auto') =>
  new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: most, signDisplay });
const [oneDigit, threeDigits, signedDigits] = [digits(1), digits(3), digits(3, 'exceptZero')];
const numbers = numbersIn('en');

export const { whole, number: ms } = numbers;

/** At most three digits, unless there are more before the point. */
export function short(value: number): string {
  return value >= 1_000 ? whole(value) : threeDigits.format(value);
}

/** A change or an end of its interval, with its sign. */
export function signed(value: number): string {
  return Number.isFinite(value) ? signedDigits.format(value) : 'any';
}

/** @param share from 0 to 1; near the ends with a decimal, since 0 and 100% are said of no others. */
export function percent(share: number | null): string {
  if (share !== null && share > 0 && share < 0.01) return `${oneDigit.format(share * 100)}%`;
  return share !== null && share >= 0.99 ? numbers.finePercent(share) : numbers.percent(share);
}

export function rate(perS: number): string {
  return `${short(perS)}/s`;
}

/** Marked if fewer than four answers are beyond it. */
export function percentile(times: Distribution | null, name: PercentileName): string {
  if (times === null) return whole(null);
  const beyond = times.count * (1 - PERCENTILES[name] / 100);
  return `${beyond < BEYOND_MIN ? '~' : ''}${ms(times[name])}`;
}

const list = new Intl.ListFormat('en-GB');

/** The parts of a list in a sentence. */
export function listed(parts: readonly string[]): string {
  return list.format(parts);
}
