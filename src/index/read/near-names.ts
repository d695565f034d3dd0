import { ROW_SQL, compareNames, openRow, type TermEntry, type TermsRow } from '../format/terms.ts';
import type { Connection } from './connection.ts';
import type { TermFilter } from './term-filter.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * The words one edit away (a letter inserted, removed or replaced, or two swapped), and the word itself; some come twice. In
 * groups: first removals and swaps, then the words with the most first letters in common: errors are rare in first letters, and
 * such words are neighbours in the dictionary.
 */
export function* oneEditAway(word: string): Generator<string[]> {
  const letters = [...word];
  const heads = letters.map((_, at) => letters.slice(0, at).join('')).concat(word);
  const tails = heads.map((head) => word.slice(head.length));
  const changedAt = (at: number) =>
    LETTERS.flatMap((letter) => {
      const head = `${heads[at] ?? ''}${letter}`;
      return [head + (tails[at] ?? ''), head + (tails[at + 1] ?? '')];
    });
  const without = letters.map((_, at) => `${heads[at] ?? ''}${tails[at + 1] ?? ''}`);
  const swapped = letters
    .slice(1)
    .map((letter, at) => `${heads[at] ?? ''}${letter}${letters[at] ?? ''}${tails[at + 2] ?? ''}`);
  // Groups are made one by one: a long word has thousands of names.
  yield [...without, ...swapped];
  yield letters.slice(1).flatMap((_, at) => changedAt(at + 2));
  yield changedAt(1);
  yield changedAt(0);
}

/** The names that the dictionary has, each once. Each row is read once. @throws BudgetExceeded */
export function* heldNames(
  connection: Connection,
  filter: TermFilter,
  names: readonly string[],
): Generator<[string, TermEntry]> {
  const bytes = names
    .filter((name) => filter.mayHave(name))
    .map((name) => encoder.encode(name))
    .toSorted((a, b) => compareNames(a, a.length, b));
  let at = 0;
  while (at < bytes.length) {
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
        yield [decoder.decode(sought), row.entry()];
        at += 1;
        sought = bytes[at];
      }
    }
    while (isHere(bytes[at])) at += 1;
  }
}
