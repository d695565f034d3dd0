const NO_VALUE = '–';
/** @type {readonly (readonly [number, string])[]} */
const UNITS = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
];
/** @type {Readonly<Record<string, string>>} */
const TIPOS = {
  acordao: 'acórdão',
  decisao_monocratica: 'decisão monocrática',
  decisao_presidencia: 'decisão da Presidência',
  decisao_vice_presidencia: 'decisão da Vice-Presidência',
  decisao_corregedoria: 'decisão da Corregedoria',
  sumula: 'súmula',
  orientacao_jurisprudencial: 'orientação jurisprudencial',
  precedente_normativo: 'precedente normativo',
  informativo: 'informativo',
};
const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const clock = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short' });

/** A number with about three digits that matter. @param {number | null | undefined} value */
export function formatNumber(value) {
  if (value === null || value === undefined) return NO_VALUE;
  const size = Math.abs(value);
  if (size >= 100 || value === 0) return whole.format(value);
  return (size >= 10 ? one : two).format(value);
}

/** @param {number | null | undefined} value */
export function formatWhole(value) {
  return value === null || value === undefined ? NO_VALUE : whole.format(value);
}

/** A fraction as a percentage. @param {number | null} share from 0 to 1. */
export function formatPercent(share) {
  return share === null ? NO_VALUE : `${whole.format(share * 100)}%`;
}

/**
 * A fraction that is near one end: all of it is 100%, and nearly all is not.
 * @param {number | null} share from 0 to 1.
 */
export function formatFinePercent(share) {
  if (share === null) return NO_VALUE;
  const tenths = Math.floor(share * 1_000 + 1e-9) / 10;
  return share === 1 || share === 0 ? formatPercent(share) : `${one.format(tenths)}%`;
}

/** A count with its noun. @param {number | null} count @param {string} singular @param {string} plural */
export function formatCount(count, singular, plural) {
  return `${formatWhole(count)} ${count === 1 ? singular : plural}`;
}

/** Bytes in the unit that leaves one to three digits before the comma. @param {number} bytes */
export function formatBytes(bytes) {
  const at = UNITS.findIndex(([size]) => bytes >= size);
  const [size, name] = UNITS[at] ?? [1, 'B'];
  const value = bytes / size;
  return `${(value >= 100 || size === 1 ? whole : one).format(value)} ${name}`;
}

/** How long, in one unit. @param {number} seconds */
export function formatElapsed(seconds) {
  const past = Math.max(0, Math.round(seconds));
  if (past < 60) return `${past} s`;
  if (past < 3_600) return `${Math.floor(past / 60)} min`;
  return past < 86_400 ? `${Math.floor(past / 3_600)} h` : `${Math.floor(past / 86_400)} d`;
}

/** @param {number} seconds since 1970. */
export function formatTime(seconds) {
  return clock.format(new Date(seconds * 1_000));
}

/** @param {string | null | undefined} iso */
export function formatMoment(iso) {
  return iso === null || iso === undefined ? NO_VALUE : dayAndClock.format(new Date(iso));
}

/** A calendar day, `YYYY-MM-DD`, as it is written in Brazil. @param {string | null | undefined} date */
export function formatDay(date) {
  return date === null || date === undefined ? NO_VALUE : date.split('-').toReversed().join('/');
}

/** Names of bases; of more than two their number. @param {readonly string[]} names */
export function listed(names) {
  return names.length > 2 ? `${names.length} bases` : names.join(' e ');
}

/** The name of a type of decision; a new one stays as it is written. @param {string} tipo */
export function typeName(tipo) {
  return TIPOS[tipo] ?? tipo;
}
