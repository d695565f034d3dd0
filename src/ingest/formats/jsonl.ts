import { BASES } from '../../contract/enums.ts';
import { FIELDS } from '../canonical.ts';
import { readLines, type Line } from '../lines.ts';
import type { Formato, Item } from './format.ts';

/** Spaces before it on its own line alone, so that no run of blank lines is read again from each of them. */
const BEGINS_WITH_A_FIELD = new RegExp(String.raw`^[ \t]*\{\s*"(?:${FIELDS.join('|')})"\s*:`, 'mu');

/** The canonical format: one decision a line. */
export const jsonl: Formato = {
  name: 'jsonl',
  about: 'canonical JSON Lines',
  bases: BASES,
  recognises: (start) => BEGINS_WITH_A_FIELD.test(start),
  isLoadedWhileRead: true,
  changedAt: () => null,
  async *read({ open }) {
    for await (const line of readLines(open())) yield { place: line.number, item: () => itemOf(line) };
  },
};

/** The line goes on as it came, to be parsed once, where it is prepared. */
function itemOf({ text, reason }: Line): Item {
  if (text === null) return { kind: 'reject', reason: reason ?? 'not readable', text };
  const came = { text: () => text, size: 0 };
  return { kind: 'linha', linha: text, isTextoCut: false, formerChave: null, extras: null, came };
}
