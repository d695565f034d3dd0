import { ROW_SQL, compareNames, openRow, type TermEntry, type TermsRow } from '../format/terms.ts';
import type { Connection } from './connection.ts';

const encoder = new TextEncoder();
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * The words one edit away: a letter more, less or another, or two swapped. In groups: first a letter less and swaps, then
 * words with the same first letters, where errors are rare and which are neighbours in the dictionary.
 */
export function* oneEditAway(word: string): Generator<string[]> {
  const letters = [...word];
  const at = (from: number, to: number) => letters.slice(from, to).join('');
  const end = letters.length;
  const without = letters.map((_, place) => at(0, place) + at(place + 1, end));
  const swapped = letters
    .slice(1)
    .map((letter, place) => at(0, place) + letter + at(place, place + 1) + at(place + 2, end));
  const changedAt = (place: number) =>
    LETTERS.flatMap((letter) => [
      at(0, place) + letter + at(place, end),
      at(0, place) + letter + at(place + 1, end),
    ]);
  const late = () => letters.slice(1).flatMap((_, place) => changedAt(place + 2));
  // Each group is made on its turn: a long word has thousands of names.
  const groups = [() => [...without, ...swapped], late, () => changedAt(1), () => changedAt(0)];
  for (const group of groups) {
    yield [...new Set(group())].filter((other) => other !== word).toSorted();
  }
}

/** The names, ascending, that the dictionary has. Each row is read once. @throws BudgetExceeded */
export function* heldNames(connection: Connection, names: readonly string[]): Generator<[string, TermEntry]> {
  const bytes = names.map((name) => encoder.encode(name));
  let at = 0;
  while (at < names.length) {
    connection.budget.check();
    const wanted = bytes[at];
    const found = wanted && connection.statement<TermsRow>(ROW_SQL).get(wanted);
    if (wanted === undefined || found === undefined) return;
    const row = openRow(found, wanted);
    const isHere = (name: Uint8Array | undefined) =>
      name !== undefined && (row.next === null || compareNames(name, name.length, row.next) < 0);
    let sought: Uint8Array | undefined = wanted;
    while (sought !== undefined && isHere(sought)) {
      if (!row.advance()) break;
      let order = compareNames(row.name, row.length, sought);
      while (order > 0) {
        at += 1;
        sought = bytes[at];
        if (!isHere(sought) || sought === undefined) break;
        order = compareNames(row.name, row.length, sought);
      }
      if (order !== 0) row.skip();
      else {
        yield [names[at] ?? '', row.entry()];
        at += 1;
        sought = bytes[at];
      }
    }
    while (isHere(bytes[at])) at += 1;
  }
}
