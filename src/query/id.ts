import { BASES, ID_PATTERN, isOneOf, type Base } from '../contract/vocabulary.ts';

const ID = new RegExp(ID_PATTERN, 'u');

/** A decision's place, from an id of the form `<base>:<number>`; null when there can be no such decision. */
export function readId(id: string): { base: Base; numero: number } | null {
  const [, base, digits] = ID.exec(id) ?? [];
  if (!isOneOf(BASES, base) || digits === undefined) return null;
  // Numbers are given one by one from 1: none has ever left the range in which a double is exact.
  const numero = Number(digits);
  return Number.isSafeInteger(numero) ? { base, numero } : null;
}
