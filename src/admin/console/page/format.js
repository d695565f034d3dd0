const NO_VALUE = '–';
const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const clock = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short' });

/** A number with about three digits that matter. */
export function numero(value) {
  if (value === null || value === undefined) return NO_VALUE;
  const size = Math.abs(value);
  if (size >= 100 || value === 0) return whole.format(value);
  return (size >= 10 ? one : two).format(value);
}

export function inteiro(value) {
  return value === null || value === undefined ? NO_VALUE : whole.format(value);
}

/** A share from 0 to 1. */
export function porcento(share) {
  return share === null ? NO_VALUE : `${whole.format(share * 100)}%`;
}

/** @param seconds since 1970. */
export function hora(seconds) {
  return clock.format(new Date(seconds * 1_000));
}

export function momento(iso) {
  return iso === null || iso === undefined ? NO_VALUE : dayAndClock.format(new Date(iso));
}

/** A calendar day, `YYYY-MM-DD`, as it is written in Brazil. */
export function dia(date) {
  return date === null || date === undefined ? NO_VALUE : date.split('-').toReversed().join('/');
}
