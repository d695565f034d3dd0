import type { CodigoTribunal } from '../../contract/enums.ts';
import type { Rng } from './rng.ts';

/** The court segment of a CNJ case number: branch of justice, court, and the first-instance unit. */
export interface CnjSegment {
  /** One digit: 1 STF, 3 STJ, 4 federal, 5 labour, 8 state. */
  readonly branch: number;
  readonly court: number;
  readonly unit: number;
}

/**
 * A case number `NNNNNNN-DD.AAAA.J.TR.OOOO` (CNJ Resolution 65/2008) whose two check digits are right:
 * 98 less the remainder by 97 of the other digits followed by 00.
 */
export function cnjNumber(sequence: number, year: number, { branch, court, unit }: CnjSegment): string {
  const tail = branch * 1_000_000 + court * 10_000 + unit;
  // In two steps: the whole number has 20 digits, more than a double holds.
  const head = (sequence * 10_000 + year) % 97;
  const check = 98 - (((head * 10_000_000 + tail) * 100) % 97);
  return `${padded(sequence, 7)}-${padded(check, 2)}.${year}.${branch}.${padded(court, 2)}.${padded(unit, 4)}`;
}

/** The CNJ number of a case of this court that began some years before its judgment in `year`. */
export function caseNumber(rng: Rng, tribunal: CodigoTribunal, year: number): string {
  const began = Math.max(1998, year - rng.zipf(12, 2));
  // Small sequence numbers of a first-instance unit are the most frequent.
  const sequence = 1 + rng.zipf(6_000_000, 20_000);
  return cnjNumber(sequence, began, segment(rng, tribunal));
}

function segment(rng: Rng, tribunal: CodigoTribunal): CnjSegment {
  switch (tribunal) {
    case 'stf':
      return { branch: 1, court: 0, unit: 0 };
    case 'stj':
      return { branch: 3, court: 0, unit: 0 };
    case 'tst':
      return { branch: 5, court: rng.between(1, 24), unit: rng.between(1, 180) };
    case 'trt3':
      return { branch: 5, court: 3, unit: rng.between(1, 180) };
    case 'tjmg':
      return { branch: 8, court: 13, unit: rng.chance(0.3) ? 0 : rng.between(1, 720) };
    case 'tnu':
      return { branch: 4, court: rng.between(1, 6), unit: rng.between(3300, 7200) };
    case 'trf6':
      return { branch: 4, court: 6, unit: rng.between(3800, 3826) };
  }
}

/** A whole number with zeros before it. */
export function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** A whole number with points between its thousands. */
export function grouped(whole: number): string {
  const digits = String(whole);
  if (digits.length <= 3) return digits;
  return `${grouped(Math.floor(whole / 1000))}.${digits.slice(-3)}`;
}

/** A month's pay: `R$ 2.350,00`. */
export function pay(rng: Rng): string {
  return `R$ ${grouped(900 + 10 * rng.zipf(900, 150))},${rng.chance(0.6) ? '00' : padded(rng.below(100), 2)}`;
}

/** A sum of money, round more often than not: `R$ 12.500,00`. */
export function amount(rng: Rng): string {
  const magnitude = 10 ** rng.below(4);
  const whole = rng.between(10, 99) * 10 * magnitude;
  const cents = rng.chance(0.75) ? '00' : padded(rng.below(100), 2);
  const isRound = rng.chance(0.7);
  return `R$ ${grouped(isRound ? whole : whole + rng.below(10 * magnitude))},${cents}`;
}

const HEX = '0123456789abcdef';

export function hexadecimal(rng: Rng, digits: number): string {
  let text = '';
  for (let index = 0; index < digits; index += 1) text += HEX.charAt(rng.below(16));
  return text;
}
