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

/** A section of a word list: a heading, and the lines below it. */
export interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** The parts of a list under headings in brackets, in order, without comments. */
export function readSections(file: string): readonly Section[] {
  return parts(file, /^\[(?=.*\]$)/mu).map(({ heading, lines }) => ({
    heading: heading.slice(0, -1),
    lines,
  }));
}

/** The lines of every section whose heading has one of `tags` among its words. */
export function tagged(sections: readonly Section[], tags: readonly string[]): readonly string[] {
  return sections
    .filter(({ heading }) => heading.split(' ').some((tag) => tags.includes(tag)))
    .flatMap(({ lines }) => lines);
}

/** The first section whose heading, a regular expression, matches the class of a case. */
export function matching(sections: readonly Section[], className: string): Section | undefined {
  return sections.find(({ heading }) => new RegExp(heading, 'u').test(className));
}

/** A member of a list: `@` opens it, and each line starts with a letter for the kind of content. */
export interface Entry {
  readonly title: string;
  /** The content of all lines with a letter. */
  readonly list: (letter: string, separator: string | RegExp) => readonly string[];
}

/** The members of such a list. */
export function readEntries(file: string): readonly Entry[] {
  return parts(file, /^@ /mu).map(({ heading, lines }) => ({
    title: heading,
    list: (letter, separator) =>
      lines
        .filter((line) => line.startsWith(`${letter} `))
        .flatMap((line) => line.slice(2).trim().split(separator)),
  }));
}

function parts(file: string, opening: RegExp): readonly Section[] {
  const [, ...texts] = readData(`${file}.txt`)
    .replaceAll(/^# .*\n/gmu, '')
    .split(opening);
  return texts.map((text) => {
    const [heading = '', ...lines] = text.trim().split('\n');
    return { heading, lines: lines.filter((line) => line !== '') };
  });
}
