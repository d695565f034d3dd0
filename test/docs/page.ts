import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/run.ts';

/** The commands of package.json. */
export const { scripts } = JSON.parse(pageText('package.json')) as { scripts: Record<string, string> };

export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** The text under a heading, lower headings included. @throws if the page has no such heading. */
export function section(page: string, heading: string): string {
  const text = `\n${pageText(page)}`;
  const at = text.indexOf(`\n${heading}\n`);
  if (at < 0) throw new Error(`${page} has no "${heading}"`);
  const level = heading.indexOf(' ');
  const rest = text.slice(at + heading.length + 2);
  return rest.split(new RegExp(`^#{1,${level}} `, 'mu'))[0] ?? '';
}

/** The names in code in the first cell of each row of the tables under a heading. */
export function firstCells(page: string, heading: string): string[] {
  const cells = section(page, heading)
    .split('\n')
    .flatMap((line) => /^\| (`[^|]+`) +\|/u.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => cell.match(/(?<=`)[^`]+(?=`)/gu)?.filter((_, at) => at % 2 === 0) ?? []);
}
