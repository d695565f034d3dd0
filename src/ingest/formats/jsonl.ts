import { BASES } from '../../contract/vocabulary.ts';
import { checkJson } from '../bounds.ts';
import { Damaged } from '../damaged.ts';
import { parsedJson } from '../json-words.ts';
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
  recognises: (start, names) =>
    FIELDS.filter((name) => names.has(name)).length || Number(BEGINS_WITH_A_FIELD.test(start)),
  isLoadedWhileRead: true,
  async *read({ name, open }) {
    let isFirst = true;
    for await (const line of readLines(open())) {
      const mend = isFirst && line.text !== null ? mendOf(line.text) : null;
      if (mend !== null) throw new Damaged(`${name} is ${mend}`);
      isFirst = false;
      yield { place: line.number, item: () => itemOf(line), sealedBy: () => sealedIn(line) };
    }
  },
};

/** What to do with JSON that is not one decision a line, by its first line; null for a line. */
function mendOf(first: string): string | null {
  if (/^\s*\[/u.test(first)) return "a JSON list, and not one decision a line; convert it with jq -c '.[]'";
  return OPENS.test(first) ? 'indented JSON, and not one decision a line; convert it with jq -c .' : null;
}

/** A brace and at most a member, and then the end of the line where a name must follow. */
const OPENS = /^\s*\{\s*(?:"[^"\\]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+|[[{])\s*,?\s*)?$/u;

/** Parses only a line with a sign of secrecy. A line that is not JSON is rejected later. */
function sealedIn({ text }: Line): string | null {
  if (text === null || !SECRECY_SIGN.test(text)) return null;
  try {
    checkJson(text);
    return sealedBy(parsedJson(text).value);
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
