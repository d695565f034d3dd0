import { readFileSync } from 'node:fs';
import { at } from './bounds.ts';

/** A file of `data/demo`, without its comments. */
export function readList(file: string): string {
  const text = readFileSync(new URL(`../../../data/demo/${file}.txt`, import.meta.url), 'utf8');
  return text.replaceAll(/^# .*\n/gmu, '');
}

/** The sections of a file of `data/demo`, in order, by the names in brackets before them. */
export function readSections(file: string): ReadonlyMap<string, string> {
  const [, ...parts] = readList(file).split(/^\[(\w+)\]\n/mu);
  const sections = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2) {
    sections.set(at(parts, index), `${at(parts, index + 1).trim()}\n`);
  }
  return sections;
}

/** One section. @throws if it is missing, which is a bug of the lists. */
export function section(sections: ReadonlyMap<string, string>, name: string): string {
  const text = sections.get(name);
  if (text === undefined) throw new Error(`the word lists of data/demo have no [${name}]`);
  return text;
}

/** The members of a list separated by bars. */
export function barred(text: string): readonly string[] {
  return text.trim().split(/\|\s*/u);
}

/** The members of a list separated by spaces. */
export function spaced(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}
