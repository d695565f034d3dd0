import { compareNames, isBelow, type RowReader, type TermEntry } from '../format/terms.ts';
import type { Connection } from './connection.ts';
import type { TermFilter } from './term-filter.ts';
import { rowOf } from './terms.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const NAMES_PER_CHECK = 16;

/**
 * The words one edit away (a letter inserted, removed or replaced, or two swapped), and the word itself; some come twice. In
 * groups: first removals and swaps, then the words with the most first letters in common: errors are rare in first letters, and
 * such words are neighbours in the dictionary.
 */
export function* oneEditAway(word: string): Generator<Iterable<string>> {
  const letters = [...word];
  let end = 0;
  const heads = ['', ...letters.map((letter) => word.slice(0, (end += letter.length)))];
  const tails = heads.map((head) => word.slice(head.length));
  // Made one by one: a long word has thousands.
  function* changed(from: number, to: number): Generator<string> {
    for (let at = from; at < to; at += 1) {
      for (const letter of LETTERS) {
        const head = `${heads[at] ?? ''}${letter}`;
        yield head + (tails[at] ?? '');
        yield head + (tails[at + 1] ?? '');
      }
    }
  }
  const without = letters.map((_, at) => `${heads[at] ?? ''}${tails[at + 1] ?? ''}`);
  const swapped = letters
    .slice(1)
    .map((letter, at) => `${heads[at] ?? ''}${letter}${letters[at] ?? ''}${tails[at + 2] ?? ''}`);
  yield [...without, ...swapped];
  yield changed(2, letters.length + 1);
  yield changed(1, 2);
  yield changed(0, 1);
}

/** The names that the dictionary has, each once. Each row is read once. @throws BudgetExceeded */
export function* heldNames(
  connection: Connection,
  filter: TermFilter,
  names: Iterable<string>,
): Generator<[string, TermEntry]> {
  const bytes: Uint8Array[] = [];
  let seen = 0;
  for (const name of names) {
    if (seen % NAMES_PER_CHECK === 0) connection.budget.check();
    seen += 1;
    if (filter.mayHave(name)) bytes.push(encoder.encode(name));
  }
  let row: RowReader | null = null;
  for (const name of bytes.toSorted((a, b) => compareNames(a, a.length, b))) {
    if (row === null || !isBelow(name, row.next)) {
      connection.budget.check();
      row = rowOf(connection, name, filter.terms);
    }
    const entry = row?.find(name) ?? null;
    if (entry !== null) yield [decoder.decode(name), entry];
  }
}
