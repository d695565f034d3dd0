import { BASES, ID_PATTERN, isOneOf, type Base } from '../contract/vocabulary.ts';

const ID = new RegExp(ID_PATTERN, 'u');

/** Parses an id, `<base>:<number>`; null if no decision can have this id. */
export function readId(id: string): { base: Base; docId: number } | null {
  const [, base, digits] = ID.exec(id) ?? [];
  if (!isOneOf(BASES, base) || digits === undefined) return null;
  // Numbers are given in sequence from 1, so all are exact integers in a double.
  const docId = Number(digits);
  return Number.isSafeInteger(docId) ? { base, docId } : null;
}
