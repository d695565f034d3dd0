import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { PlainError } from '../../../src/process/fail.ts';
import type { Row } from './report.ts';

/**
 * Writes results into a page, between `<!-- MARK:begin -->` and `<!-- MARK:end -->`, and formats the page.
 * Sections not measured again stay, with their own head. A head also applies to the sections below it, up to the next head.
 * @param head version, commit, day and machine, as one line. @throws PlainError if the page or its marks are missing.
 */
export async function writeSections(
  page: string,
  mark: string,
  head: string,
  sections: Iterable<readonly [name: string, { readonly rows: readonly Row[] }]>,
): Promise<void> {
  await rewrite(page, mark, (before) => {
    const all = sectionsIn(before);
    for (const [name, { rows }] of sections) all.set(name, { head, body: bodyOf(rows) });
    const parts: string[] = [];
    let above = '';
    for (const [name, { head: own, body }] of all) {
      parts.push(`### ${name}`);
      if (own !== above) parts.push(own);
      parts.push(body);
      above = own;
    }
    return parts.join('\n\n');
  });
}

/** The head and the cells of all rows of each section of a page, by section name. */
export function readSections(
  page: string,
  mark: string,
): ReadonlyMap<string, { head: string; rows: string[][] }> {
  const [, text = ''] = textOf(page).split(`<!-- ${mark}:begin -->`);
  const sections = sectionsIn(text.split(`<!-- ${mark}:end -->`)[0] ?? '');
  return new Map(
    Array.from(sections, ([name, { head, body }]) => {
      const lines = body.matchAll(/^\| (?!-)(.*) \|$/gmu);
      return [name, { head, rows: Array.from(lines, ([, cells = '']) => cells.split(' | ').map(unescaped)) }];
    }),
  );
}

/**
 * Puts figures into the last cells of the table between the marks, row by row.
 * @throws PlainError where the page or its marks are missing.
 */
export async function writeLastCells(page: string, mark: string, figures: readonly string[]): Promise<void> {
  await rewrite(page, mark, (before) => {
    const lines = before.trim().split('\n');
    const first = lines.findIndex((line) => /^\|[ :|-]+\|$/u.test(line)) + 1;
    return lines
      .map((line, at) => {
        const figure = figures[at - first];
        return at < first || figure === undefined
          ? line
          : line.replace(/\|[^|]*\|$/u, `| ${escaped(figure)} |`);
      })
      .join('\n');
  });
}

export async function rewrite(page: string, mark: string, change: (before: string) => string): Promise<void> {
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

function sectionsIn(text: string): Map<string, { head: string; body: string }> {
  const found = new Map<string, { head: string; body: string }>();
  let head = '';
  for (const section of text.split(/^### /mu).slice(1)) {
    const [name = '', first = '', ...rest] = section.trim().split('\n\n');
    const isHead = first.startsWith('Version ');
    if (isHead) head = first;
    found.set(name, { head, body: (isHead ? rest : [first, ...rest]).join('\n\n') });
  }
  return found;
}

function bodyOf(rows: readonly Row[]): string {
  const lines = rows.map(({ measure, aim, reached, ok }) =>
    lineOf([measure.replace(/^ +/u, '… '), aim, reached, okText(ok)]),
  );
  return [lineOf(['what', 'aim', 'measured', 'aim reached']), lineOf(Array(4).fill('---')), ...lines].join(
    '\n',
  );
}

export function lineOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => (cell === '---' ? cell : escaped(cell))).join(' | ')} |`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\|*_`]|<(?=[A-Za-z/!?])/gu, String.raw`\$&`);
}

function unescaped(cell: string): string {
  return cell.trim().replaceAll(/\\([\\|*_`<])/gu, '$1');
}

function okText(ok: boolean | null): string {
  if (ok === null) return '';
  return ok ? 'yes' : 'no';
}
