import { ROW_SQL, compareNames, openRow, type TermEntry, type TermsRow } from '../format/terms.ts';
import type { Connection } from './connection.ts';
import type { TermFilter } from './term-filter.ts';

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
  bytes.sort((a, b) => compareNames(a, a.length, b));
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
