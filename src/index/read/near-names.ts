import { compareNames, isBelow, type RowReader, type TermEntry } from '../format/terms.ts';
import type { Budget } from './budget.ts';
import type { Connection } from './connection.ts';
import type { TermFilter } from './term-filter.ts';
import { rowOf } from './terms.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const [A, Z] = [0x61, 0x7a];
const ANY_LETTER = Buffer.of(A);

/**
 * The words one edit away (a letter inserted, removed or replaced, or two swapped), and the word itself, if the filter passes
 * them, in UTF-8; some come twice. In groups: first removals and swaps, then the words with the most first letters in common:
 * errors are rare in first letters, and such words are neighbours in the dictionary. @throws BudgetExceeded
 */
export function* oneEditAway(word: string, filter: TermFilter, budget: Budget): Generator<Uint8Array[]> {
  const whole = encoder.encode(word);
  const starts = [0];
  for (const letter of word) starts.push((starts.at(-1) ?? 0) + Buffer.byteLength(letter));
  const letters = starts.length - 1;
  const part = (from: number, to = letters) => whole.subarray(starts[from], starts[Math.min(to, letters)]);

  const without: Uint8Array[] = [];
  for (let at = 0; at < letters; at += 1) {
    budget.check();
    const [head, letter, next] = [part(0, at), part(at, at + 1), part(at + 1, at + 2)];
    without.push(Buffer.concat([head, part(at + 1)]));
    if (at + 1 < letters) without.push(Buffer.concat([head, next, letter, part(at + 2)]));
  }
  yield without.filter((name) => filter.mayHave(name));

  function changed(from: number, to: number): Uint8Array[] {
    const names: Uint8Array[] = [];
    for (let at = from; at < to; at += 1) {
      budget.check();
      const head = part(0, at);
      for (const tail of at < letters ? [at, at + 1] : [at]) {
        const name = Buffer.concat([head, ANY_LETTER, part(tail)]);
        for (let letter = A; letter <= Z; letter += 1) {
          name[head.length] = letter;
          if (filter.mayHave(name)) names.push(Buffer.from(name));
        }
      }
    }
    return names;
  }
  yield changed(2, letters + 1);
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
