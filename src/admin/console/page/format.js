const NO_VALUE = '–';
const UNITS = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
];
const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const clock = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short' });

/** A number with about three digits that matter. */
export function formatNumber(value) {
  if (value === null || value === undefined) return NO_VALUE;
  const size = Math.abs(value);
  if (size >= 100 || value === 0) return whole.format(value);
  return (size >= 10 ? one : two).format(value);
}

export function formatWhole(value) {
  return value === null || value === undefined ? NO_VALUE : whole.format(value);
}

/** A share from 0 to 1. */
export function formatPercent(share) {
  return share === null ? NO_VALUE : `${whole.format(share * 100)}%`;
}

/** A share from 0 to 1 that is near one end: all of it is 100%, and nearly all is not. */
export function formatFinePercent(share) {
  if (share === null) return NO_VALUE;
  const tenths = Math.floor(share * 1_000 + 1e-9) / 10;
  return share === 1 || share === 0 ? formatPercent(share) : `${one.format(tenths)}%`;
}

/** A count with its noun. */
export function formatCount(count, singular, plural) {
  return `${formatWhole(count)} ${count === 1 ? singular : plural}`;
}

/** Bytes in the unit that leaves one to three digits before the comma. */
export function formatBytes(bytes) {
  const at = UNITS.findIndex(([size]) => bytes >= size);
  const [size, name] = UNITS[at] ?? [1, 'B'];
  const value = bytes / size;
  return `${(value >= 100 || size === 1 ? whole : one).format(value)} ${name}`;
}

/** How long, in one unit. */
export function formatElapsed(seconds) {
  const past = Math.max(0, Math.round(seconds));
  if (past < 60) return `${past} s`;
  if (past < 3_600) return `${Math.floor(past / 60)} min`;
  return past < 86_400 ? `${Math.floor(past / 3_600)} h` : `${Math.floor(past / 86_400)} d`;
}

/** @param seconds since 1970. */
export function formatTime(seconds) {
  return clock.format(new Date(seconds * 1_000));
}

export function formatMoment(iso) {
  return iso === null || iso === undefined ? NO_VALUE : dayAndClock.format(new Date(iso));
}

/** A calendar day, `YYYY-MM-DD`, as it is written in Brazil. */
export function formatDay(date) {
  return date === null || date === undefined ? NO_VALUE : date.split('-').toReversed().join('/');
}

/** Names of bases; of more than two their number. */
export function listed(names) {
  return names.length > 2 ? `${names.length} bases` : names.join(' e ');
}
