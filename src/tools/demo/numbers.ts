import type { Rng } from './rng.ts';
import { grouped } from './words.ts';

/** Limits of the numbers of branch of justice, court and first-instance unit. */
export type CnjSegment = readonly (readonly [low: number, high: number])[];

/**
 * A case number `NNNNNNN-DD.AAAA.J.TR.OOOO` (CNJ Resolution 65/2008) whose two check digits are right:
 * 98 less the remainder by 97 of the other digits followed by 00.
 */
export function cnjNumber(sequence: number, year: number, segment: readonly number[]): string {
  const [branch = 0, court = 0, unit = 0] = segment;
  const tail = [branch, padded(court, 2), padded(unit, 4)];
  const check = 98n - (BigInt(`${sequence}${year}${tail.join('')}00`) % 97n);
  return `${padded(sequence, 7)}-${padded(check, 2)}.${year}.${tail.join('.')}`;
}

/** Of a case that began some years before the judgment in `year`. */
export function caseNumber(rng: Rng, segment: CnjSegment, year: number): string {
  const began = Math.max(1998, year - rng.zipf(12, 2));
  // Small sequence numbers are the most frequent.
  const sequence = 1 + rng.zipf(6_000_000, 20_000);
  const court = segment.map(([low, high]) => rng.between(low, high));
  return cnjNumber(sequence, began, court);
}

/** A month's pay: `R$ 2.350,00`. */
export function pay(rng: Rng): string {
  return `R$ ${grouped(900 + 10 * rng.zipf(900, 150))},${cents(rng, 0.6)}`;
}

/** A sum of money, round more often than not: `R$ 12.500,00`. */
export function amount(rng: Rng): string {
  const magnitude = 10 ** rng.below(4);
  const whole = rng.between(10, 99) * 10 * magnitude;
  return `R$ ${grouped(rng.chance(0.7) ? whole : whole + rng.below(10 * magnitude))},${cents(rng, 0.75)}`;
}

function cents(rng: Rng, none: number): string {
  return rng.chance(none) ? '00' : padded(rng.below(100), 2);
}

function padded(value: number | bigint, width: number): string {
  return String(value).padStart(width, '0');
}
