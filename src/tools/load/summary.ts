import { bug } from '../../bug.ts';
import { reportOf, type Section } from './report.ts';
import type { Run } from './result.ts';
import type { Table } from './tables.ts';

const SUMMARY_WIDTH = 80;
const MARGIN = 2;

/** The report of a run for a terminal of 80 columns. @param before an earlier run to compare it with, or null. */
export function summary(run: Run, before: Run | null = null): string {
  const { plan, rates, percentiles, bases, warnings, comparison, verdicts } = reportOf(run, before);
  const parts = [
    planLines(plan),
    ...[rates, percentiles, bases].map(sectionLines),
    warnings.flatMap((text) => wrapped(`warning: ${text}`)),
    sectionLines(comparison),
    verdicts.flatMap(({ condition, is_met, text }) =>
      wrapped(`fail-if ${condition}: ${is_met ? 'MET' : 'not met'} (${text})`),
    ),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function planLines({ rows }: Table): string[] {
  const width = Math.max(...rows.map(([name = '']) => name.length)) + MARGIN;
  return rows.flatMap(([name = '', value = '']) => wrapped(`${name.padEnd(width)}${value}`));
}

function sectionLines(section: Section | null): string[] {
  return section === null ? [] : [...section.texts.flatMap(wrapped), ...tableLines(section.table)];
}

/** Aligns the first column left, the rest right, with narrower gaps if the table is too wide. Long names of columns take two lines. */
function tableLines({ caption, head, rows }: Table): string[] {
  const heads = [0, 1].map((line) => head.map((name) => twoLines(name)[line] ?? bug('a third line')));
  const lines = [...heads, ...rows];
  const widths = head.map((_, at) => Math.max(...lines.map((cells) => cellOf(cells, at).length)));
  const width = widths.reduce((sum, one) => sum + MARGIN + one, -MARGIN);
  const gap = ' '.repeat(width > SUMMARY_WIDTH ? 1 : MARGIN);
  const texts = lines.map((cells) =>
    widths
      .map((wide, at) => (at === 0 ? cellOf(cells, at).padEnd(wide) : cellOf(cells, at).padStart(wide)))
      .join(gap)
      .trimEnd(),
  );
  return [...wrapped(caption), ...texts.filter((line) => line !== '')];
}

function cellOf(cells: readonly string[], at: number): string {
  return cells[at] ?? bug('a row that is too short');
}

/** The first word of several above the others. */
function twoLines(name: string): string[] {
  const at = name.indexOf(' ');
  return at < 0 ? ['', name] : [name.slice(0, at), name.slice(at + 1)];
}

/** Wraps a text to the summary's width. A longer word stays whole. */
function wrapped(text: string): string[] {
  if (text === '') return [];
  return Bun.wrapAnsi(text, SUMMARY_WIDTH - MARGIN)
    .split('\n')
    .map((line, at) => (at === 0 ? line : `${' '.repeat(MARGIN)}${line}`));
}
