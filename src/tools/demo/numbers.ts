import { cnjCheck, withPoints } from '../../contract/case-numbers.ts';
import type { Rng } from './rng.ts';

/** Limits of the numbers of branch of justice, court and first-instance unit. */
export type CnjSegment = readonly (readonly [low: number, high: number])[];

/** A CNJ number with right check digits, of a case that began some years before the judgment in `year`. */
export function caseNumber(rng: Rng, segment: CnjSegment, year: number): string {
  const began = Math.max(1998, year - rng.zipf(12, 2));
  // Small sequence numbers are the most frequent.
  const sequence = padded(1 + rng.zipf(6_000_000, 20_000), 7);
  const [branch = 0, court = 0, unit = 0] = segment.map(([low, high]) => rng.between(low, high));
  const tail = [began, branch, padded(court, 2), padded(unit, 4)];
  return `${sequence}-${cnjCheck(sequence + tail.join(''))}.${tail.join('.')}`;
}

/** A month's pay: `R$ 2.350,00`. */
export function pay(rng: Rng): string {
  return `R$ ${withPoints(String(900 + 10 * rng.zipf(900, 150)))},${cents(rng, 0.6)}`;
}

/** A sum of money, round more often than not: `R$ 12.500,00`. */
export function amount(rng: Rng): string {
  const magnitude = 10 ** rng.below(4);
  const whole = rng.between(10, 99) * 10 * magnitude;
  const sum = rng.chance(0.7) ? whole : whole + rng.below(10 * magnitude);
  return `R$ ${withPoints(String(sum))},${cents(rng, 0.75)}`;
}

function cents(rng: Rng, none: number): string {
  return rng.chance(none) ? '00' : padded(rng.below(100), 2);
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
