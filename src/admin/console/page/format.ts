import { NO_VALUE, numbersIn } from './numbers.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
const TYPES: Readonly<Record<string, string>> = {
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
const numbers = numbersIn('pt-BR');
export const {
  number: formatNumber,
  whole: formatWhole,
  percent: formatPercent,
  finePercent: formatFinePercent,
} = numbers;
const plain = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const clock = new Intl.DateTimeFormat('pt-BR', CLOCK);
const exact = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', ...CLOCK });
const dayAndClock = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short' });

/** An axis number, without trailing zeros. */
export function formatTick(value: number) {
  return plain.format(value);
}

export function formatCount(count: number | null, singular: string, plural: string) {
  return `${formatWhole(count)} ${count === 1 ? singular : plural}`;
}

/** Bytes in the unit that leaves one to three digits before the comma. */
export function formatBytes(bytes: number) {
  const at = bytes < 1e3 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1e3 ** at;
  return `${(value >= 100 || at === 0 ? numbers.whole : numbers.one)(value)} ${UNITS[at]}`;
}

/** A duration in a single unit. */
export function formatElapsed(seconds: number) {
  const past = Math.max(0, Math.round(seconds));
  if (past < 60) return `${past} s`;
  if (past < 3_600) return `${Math.floor(past / 60)} min`;
  return past < 86_400 ? `${Math.floor(past / 3_600)} h` : `${Math.floor(past / 86_400)} d`;
}

/** @param seconds since 1970. */
export function formatTime(seconds: number) {
  return clock.format(new Date(seconds * 1_000));
}

export function formatExactly(iso: string) {
  return exact.format(new Date(iso));
}

export function formatMoment(iso: string | null | undefined) {
  return iso === null || iso === undefined ? NO_VALUE : dayAndClock.format(new Date(iso));
}

/** A calendar day, `YYYY-MM-DD`, in Brazilian form. */
export function formatDay(date: string | null | undefined) {
  return date === null || date === undefined ? NO_VALUE : date.split('-').toReversed().join('/');
}

/** Names of bases; if more than two, their number. */
export function listed(names: readonly string[]) {
  return names.length > 2 ? `${names.length} bases` : names.join(' e ');
}

/** The name of a type of decision; an unknown type stays as written. */
export function typeName(tipo: string) {
  return TYPES[tipo] ?? tipo;
}
