import type { Distribution, PercentileName } from '../histogram.ts';
import { roundedPercentile, type Rounded } from '../rounding.ts';

const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const oneDigit = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 1 });
const short = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 3 });
export const DASH = '–';

/** Numbers in Brazilian format; a dash if there is none. */
export function formatWhole(value: number | null | undefined): string {
  return value === null || value === undefined ? DASH : whole.format(value);
}

/** Milliseconds with a useful number of digits. */
export function ms(value: number | null | undefined): string {
  if (value === null || value === undefined) return DASH;
  if (value >= 100) return whole.format(value);
  return value >= 10 ? one.format(value) : two.format(value);
}

export function formatShort(value: number): string {
  return value >= 1_000 ? whole.format(value) : short.format(value);
}

/** Whole percents, with one decimal near 0 and 100. @param share 0 to 1. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent >= 99 && percent < 100) return `${one.format(Math.floor(percent * 10) / 10)}%`;
  if (percent > 0 && percent < 1) return `${oneDigit.format(percent)}%`;
  return `${whole.format(percent)}%`;
}

/** A percentile, rounded as the sample supports; ≈ if there is no upper bound. */
export function formatPercentile(
  distribution: Distribution | null | undefined,
  name: PercentileName,
): string {
  if (distribution === null || distribution === undefined) return DASH;
  return formatRounded(roundedPercentile(distribution, name));
}

export function formatRounded({ value, decimals, isOpen }: Rounded): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${isOpen ? '≈ ' : ''}${value.toLocaleString('pt-BR', digits)}`;
}

export function formatRate(perSecond: number): string {
  return `${perSecond >= 100 ? whole.format(perSecond) : short.format(perSecond)}/s`;
}

/** The relative change in brackets; empty without an earlier value. */
export function formatChange(change: number, before: number | null): string {
  if (before === null || before === 0) return '';
  return `(${signOf(change)}${whole.format((Math.abs(change) / before) * 100)}%)`;
}

/** The difference between two shares. @param change −1 to 1. */
export function formatPoints(change: number): string {
  const points = Math.abs(change) * 100;
  return `${signOf(change)}${points < 10 ? one.format(points) : whole.format(points)} pontos percentuais`;
}

function signOf(change: number): string {
  return change > 0 ? '+' : change < 0 ? '−' : '±';
}

/** A time in UTC, because readers may be in any time zone. */
export function formatMoment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const text = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' });
  return `${text.format(date)} UTC`;
}
