import type { Distribution, PercentileName } from '../histogram.ts';
import { roundedPercentile, type Rounded } from '../rounding.ts';

const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const oneDigit = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 1 });
const twoDigits = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 2 });
const short = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 3 });
const DASH = '–';

/** Numbers as a Brazilian reads them; a dash where there is none. */
export function inteiro(value: number | null | undefined): string {
  return value === null || value === undefined ? DASH : whole.format(value);
}

/** Milliseconds, with as many digits as still say something. */
export function ms(value: number | null | undefined): string {
  if (value === null || value === undefined) return DASH;
  if (value >= 100) return whole.format(value);
  return value >= 10 ? one.format(value) : two.format(value);
}

/** Milliseconds of a second's few requests: two digits are as many as they support. */
export function doisAlgarismos(value: number | null): string {
  return value === null ? DASH : twoDigits.format(value);
}

/** A number on an axis. */
export function curto(value: number): string {
  return value >= 1_000 ? whole.format(value) : short.format(value);
}

/** @param share 0 to 1. Whole percents, but nearly all is not all, and a little is not nothing. */
export function porcento(share: number): string {
  const percent = share * 100;
  if (percent >= 99 && percent < 100) return `${one.format(Math.floor(percent * 10) / 10)}%`;
  if (percent > 0 && percent < 1) return `${oneDigit.format(percent)}%`;
  return `${whole.format(percent)}%`;
}

/** A percentile to the digit that its sample supports; ≈ where the sample does not say how much greater it may be. */
export function percentil(distribution: Distribution | null | undefined, name: PercentileName): string {
  if (distribution === null || distribution === undefined) return DASH;
  return arredondado(roundedPercentile(distribution, name));
}

export function arredondado({ value, decimals, isOpen }: Rounded): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${isOpen ? '≈ ' : ''}${value.toLocaleString('pt-BR', digits)}`;
}

/** A rate of a sweep. */
export function taxa(perSecond: number): string {
  return `${perSecond >= 100 ? whole.format(perSecond) : short.format(perSecond)}/s`;
}

/** How much more or less than before, as a share of it in brackets; empty where there was nothing. */
export function variacao(before: number | null | undefined, after: number | null | undefined): string {
  if (before === null || before === undefined || after === null || after === undefined || before === 0)
    return '';
  const share = (after - before) / before;
  const sign = share > 0 ? '+' : share < 0 ? '−' : '±';
  return `(${sign}${whole.format(Math.abs(share) * 100)}%)`;
}

/** A moment in universal time: the report is read anywhere. */
export function momento(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const text = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' });
  return `${text.format(date)} UTC`;
}
