import { existsInCalendar } from '../contract/calendar.ts';
import { TIPOS_DA_BASE } from '../contract/catalog.ts';
import type { BaseCobertura } from '../contract/cobertura.ts';
import { BASES, isOneOf } from '../contract/vocabulary.ts';

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/u;

/** True for the content of a coverage file; the bases' reports are not checked yet. */
export function isStored(stored: unknown): stored is { readonly bases: readonly unknown[] } {
  if (!isObject(stored)) return false;
  const { versao, bases } = stored;
  return versao === 1 && Array.isArray(bases);
}

/**
 * True for a base's stored report. The check is written by hand because the file is read at every start, and a schema would
 * load the schema library. A test compares this check with the contract's schema.
 */
export function isWhole(stored: unknown): stored is BaseCobertura {
  if (!isObject(stored)) return false;
  const { base, calculado, total, tipos, calculado_em, ...rest } = stored;
  const { periodo_do_julgamento, periodo_da_publicacao, ...others } = rest;
  const isBase = isOneOf(BASES, base);
  const isCalculated = isBase && calculado === true && isMoment(calculado_em);
  const isCounted = typeof total === 'number' && Number.isInteger(total) && total >= 0;
  const areTipos =
    isBase && Array.isArray(tipos) && tipos.every((tipo) => isOneOf(TIPOS_DA_BASE[base], tipo));
  const arePeriods = [periodo_do_julgamento, periodo_da_publicacao].every(isPeriodOrNone);
  const isAll = Object.keys(others).length === 0;
  return isCalculated && isCounted && (tipos === undefined || areTipos) && arePeriods && isAll;
}

function isPeriodOrNone(period: unknown): boolean {
  if (!isObject(period)) return period === undefined;
  const { de, ate, ...others } = period;
  return isDayOrNone(de) && isDayOrNone(ate) && Object.keys(others).length === 0;
}

function isDayOrNone(day: unknown): boolean {
  return day === null || (typeof day === 'string' && existsInCalendar(day));
}

function isMoment(moment: unknown): boolean {
  if (typeof moment !== 'string' || !MOMENT.test(moment)) return false;
  return existsInCalendar(moment.slice(0, 10)) && !Number.isNaN(Date.parse(moment));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
