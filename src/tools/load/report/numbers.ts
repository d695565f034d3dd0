const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
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

/** A number on an axis. */
export function curto(value: number): string {
  return value >= 1_000 ? whole.format(value) : short.format(value);
}

/** @param share 0 to 1. */
export function porcento(share: number): string {
  return `${short.format(Math.round(share * 1_000) / 10)}%`;
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
  return `(${sign}${porcento(Math.abs(share))})`;
}

/** A moment in universal time: the report is read anywhere. */
export function momento(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const text = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' });
  return `${text.format(date)} UTC`;
}
