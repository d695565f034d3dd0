import { readFileSync } from 'node:fs';

/** The element at a valid index. @throws if the index is outside the list, which is a bug. */
export function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`no element ${index} in a list of ${list.length}`);
  return item;
}

/** Reads a file in `data/demo`. */
export function readData(file: string): string {
  return readFileSync(new URL(`../../../data/demo/${file}`, import.meta.url), 'utf8');
}

/** A section of a word list: a heading in brackets, and the lines below it. */
export interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** The sections of a word list, in order, without comments. */
export function readSections(file: string): readonly Section[] {
  const [, ...texts] = readData(`${file}.txt`)
    .replaceAll(/^# .*\n/gmu, '')
    .split(/^\[(?=.*\]$)/mu);
  return texts.map((text) => {
    const [heading = '', ...lines] = text.split('\n').filter((line) => line !== '');
    return { heading: heading.slice(0, -1), lines };
  });
}

/** The items of a section's lines that begin with a letter, which tells their kind. */
export function lettered({ lines }: Section, letter: string, separator: string | RegExp): readonly string[] {
  const own = lines.filter((line) => line.startsWith(`${letter} `));
  return own.flatMap((line) => line.slice(2).trim().split(separator));
}
