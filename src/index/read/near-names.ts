import { compareNames, isBelow, type RowReader, type TermEntry } from '../format/terms.ts';
import type { Budget } from './budget.ts';
import type { Connection } from './connection.ts';
import { hashOf, type TermFilter } from './term-filter.ts';
import { rowOf } from './terms.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const [A, Z] = [0x61, 0x7a];
const ANY_LETTER = Buffer.of(A);

/**
 * The words one edit away (a letter inserted, removed or replaced, or two swapped), and the word itself, if the filter passes
 * them, in UTF-8; some come twice. In groups: first removals and swaps, then the words with the most first letters in common:
 * errors are rare in first letters, and such words are neighbours in the dictionary. A word has hundreds of such words, so each
 * is written over the one before and hashed from the changed letter on. @throws BudgetExceeded
 */
export function* oneEditAway(word: string, filter: TermFilter, budget: Budget): Generator<Uint8Array[]> {
  const letters = [...word].map((letter) => encoder.encode(letter));
  const without = letters.map((_, at) => letters.toSpliced(at, 1));
  const swapped = letters
    .slice(1)
    .map((letter, at) => letters.toSpliced(at, 2, letter, letters[at] ?? letter));
  yield [...without, ...swapped].map((parts) => Buffer.concat(parts)).filter((name) => filter.mayHave(name));

  const whole = Buffer.concat(letters);
  function changed(from: number, to: number): Uint8Array[] {
    const names: Uint8Array[] = [];
    let start = Buffer.concat(letters.slice(0, from)).length;
    for (let at = from; at < to; at += 1) {
      budget.check();
      const hash = hashOf(whole, start);
      const length = letters[at]?.length ?? 0;
      for (const tail of length === 0 ? [start] : [start, start + length]) {
        const name = Buffer.concat([whole.subarray(0, start), ANY_LETTER, whole.subarray(tail)]);
        for (let letter = A; letter <= Z; letter += 1) {
          name[start] = letter;
          if (filter.mayHave(name, hashOf(name, name.length, start, hash))) names.push(Buffer.from(name));
        }
      }
      start += length;
    }
    return names;
  }
  yield changed(2, letters.length + 1);
  yield changed(1, 2);
  yield changed(0, 1);
}

/** The names that the dictionary has, each once. Each row is read once. @throws BudgetExceeded */
export function* heldNames(
  connection: Connection,
  terms: number,
  names: readonly Uint8Array[],
): Generator<[string, TermEntry]> {
  let row: RowReader | null = null;
  for (const name of names.toSorted((a, b) => compareNames(a, a.length, b))) {
    if (row === null || !isBelow(name, row.next)) {
      connection.budget.check();
      row = rowOf(connection, name, terms);
    }
    const entry = row?.find(name) ?? null;
    if (entry !== null) yield [decoder.decode(name), entry];
  }
}
