import { BASES } from '../../contract/vocabulary.ts';
import { checkJson } from '../bounds.ts';
import { FIELDS, readLines, type Line } from '../lines.ts';
import { SECRECY_SIGN, sealedBy } from '../secrecy.ts';
import type { Formato, Item } from './format.ts';

/** Allows spaces on the same line only, so that a run of blank lines does not take quadratic time. */
const BEGINS_WITH_A_FIELD = new RegExp(String.raw`^[ \t]*\{\s*"(?:${FIELDS.join('|')})"\s*:`, 'mu');

/** The canonical format: one decision a line. */
export const jsonl: Formato = {
  name: 'jsonl',
  about: 'canonical JSON Lines',
  bases: BASES,
  recognises: (start) => BEGINS_WITH_A_FIELD.test(start),
  isLoadedWhileRead: true,
  async *read({ open }) {
    for await (const line of readLines(open())) {
      yield { place: line.number, item: () => itemOf(line), sealedBy: () => sealedIn(line) };
    }
  },
};

/** Parses only a line with a sign of secrecy. A line that is not JSON is rejected later. */
function sealedIn({ text }: Line): string | null {
  if (text === null || !SECRECY_SIGN.test(text)) return null;
  try {
    checkJson(text);
    return sealedBy(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Passes the line unparsed; the record maker parses it. */
function itemOf({ text, reason }: Line): Item {
  if (text === null) return { kind: 'reject', reason: reason ?? 'not readable', text };
  const raw = { text: () => text, size: 0 };
  return { kind: 'linha', linha: text, isTextoCut: false, texts: [], extras: null, raw };
}
