import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { PlainError } from '../../../src/process/fail.ts';
import type { Row } from './finding.ts';

/** What one measurement leaves in a page. */
export interface Section {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Markdown below the table: a further table, a picture. */
  readonly below?: readonly string[];
}

/**
 * Writes what was measured into a page, between `<!-- MARK:begin -->` and `<!-- MARK:end -->`, and formats the page.
 * Sections that a run before left there stay only if their head is the same: figures of one version, commit, machine
 * and day. @param head that line. @throws PlainError where the page or its marks are missing.
 */
export async function writeSections(
  page: string,
  mark: string,
  head: string,
  sections: readonly Section[],
): Promise<void> {
  await rewrite(page, mark, (before) => {
    const all = new Map(sectionsUnder(head, before));
    for (const section of sections) all.set(section.name, sectionText(section));
    return [head, ...all.values()].join('\n\n');
  });
}

/**
 * Puts figures into the last cells of the table between the marks, row by row; a null leaves its cell as it is.
 * @throws PlainError where the page or its marks are missing.
 */
export async function writeLastCells(
  page: string,
  mark: string,
  figures: readonly (string | null)[],
): Promise<void> {
  await rewrite(page, mark, (before) => {
    const lines = before.trim().split('\n');
    const first = lines.findIndex((line) => /^\|[ :|-]+\|$/u.test(line)) + 1;
    return lines
      .map((line, at) => {
        const figure = figures[at - first] ?? null;
        return at < first || figure === null ? line : line.replace(/\|[^|]*\|$/u, `| ${escaped(figure)} |`);
      })
      .join('\n');
  });
}

async function rewrite(page: string, mark: string, change: (before: string) => string): Promise<void> {
  const text = textOf(page);
  const [begin, end] = [`<!-- ${mark}:begin -->`, `<!-- ${mark}:end -->`];
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  if (from < begin.length || to < from) throw new PlainError(`${page} lacks the marks ${begin} and ${end}`);
  const changed = `${text.slice(0, from)}\n\n${change(text.slice(from, to))}\n\n${text.slice(to)}`;
  const style = (await resolveConfig(page)) ?? {};
  writeFileSync(page, await format(changed, { ...style, parser: 'markdown' }));
}

function textOf(page: string): string {
  try {
    return readFileSync(page, 'utf8');
  } catch {
    throw new PlainError(`there is no page ${page} to write the tables into`);
  }
}

/** The sections of an earlier run with the same head, by name. */
function sectionsUnder(head: string, before: string): [name: string, text: string][] {
  const [first = '', ...sections] = before.trim().split(/\n(?=### )/u);
  // Whoever edits the page may have wrapped the line.
  if (first.trim().replaceAll(/\s+/gu, ' ') !== head) return [];
  return sections.map((text) => [/^### (.*)/u.exec(text)?.[1]?.trim() ?? '', text.trim()]);
}

function sectionText({ name, rows, below = [] }: Section): string {
  const lines = rows.map(({ measure, aim, reached, ok }) =>
    lineOf([measure.replace(/^ +/u, '… '), aim, reached, okText(ok)]),
  );
  const table = [lineOf(['what', 'aim', 'measured', 'aim reached']), lineOf(Array(4).fill('---')), ...lines];
  return [`### ${name}`, table.join('\n'), ...below].join('\n\n');
}

export function lineOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => (cell === '---' ? cell : escaped(cell))).join(' | ')} |`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\|*_`]|<(?=[A-Za-z/!?])/gu, String.raw`\$&`);
}

function okText(ok: boolean | null): string {
  if (ok === null) return '';
  return ok ? 'yes' : 'no';
}
