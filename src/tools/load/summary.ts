import { bug } from '../../bug.ts';
import { compare, doubtsOf } from './comparison.ts';
import { ms, percent, rate } from './format.ts';
import { shownStep } from './knee.ts';
import { planRows } from './plan-rows.ts';
import type { Run, Step } from './result.ts';
import { baseTable, comparisonTable, latencyTable, outcomeTable, sweepTable, type Table } from './tables.ts';
import { BASE_COLUMNS, comparisonText, kneeText, slowestText, verdictText } from './words.ts';

const SUMMARY_WIDTH = 80;
const MARGIN = 2;
/** The outcomes that are named even if nothing had them. */
const ALWAYS_NAMED = 4;

/** The summary of a run for a terminal of 80 columns. @param before an earlier run to compare it with, or null. */
export function summary(run: Run, before: Run | null = null): string {
  const step = shownStep(run);
  const all = [{ label: '', run, step }];
  const parts = [
    planLines(run),
    run.steps.length === 1 ? [] : [...wrapped(kneeText(run)), '', ...tableLines(sweepTable(all))],
    [
      ...wrapped(`at ${rate(step.rate_per_s)}: ${outcomes(outcomeTable(all))}`),
      ...tableLines(latencyTable(all)),
    ],
    step.bases.length === 0
      ? []
      : [...tableLines(baseTable(all)), ...wrapped(`${BASE_COLUMNS}. ${slowestText(step)}`.trim())],
    wrapped(generatorText(step)),
    run.warnings.flatMap(({ text }) => wrapped(`warning: ${text}`)),
    before === null ? [] : comparisonLines(before, run),
    run.verdicts.flatMap((verdict) =>
      wrapped(
        `fail-if ${verdict.condition}: ${verdict.is_met ? 'MET' : 'not met'} (${verdictText(verdict)})`,
      ),
    ),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function planLines(run: Run): string[] {
  const rows = planRows(run);
  const width = Math.max(...rows.map(([name]) => name.length)) + MARGIN;
  return rows.flatMap(([name, value]) => wrapped(`${name.padEnd(width)}${value}`));
}

function outcomes({ rows }: Table): string {
  return rows
    .filter(([, count], at) => at < ALWAYS_NAMED || count !== '0')
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function generatorText({ generator, cache_reported, cache_hits }: Step): string {
  const late = generator.lateness_ms;
  const cached =
    cache_reported === 0
      ? 'not reported by the service'
      : `${percent(cache_hits / cache_reported)} of ${cache_reported} answers came from it`;
  return `result cache: ${cached}; generator: ${percent(generator.cpu_share)} of a core; late by ${ms(late?.p50)} ms (p50), ${ms(late?.p99)} ms (p99)`;
}

function comparisonLines(before: Run, run: Run): string[] {
  const name = before.name === '' ? before.started_at : before.name;
  return [
    ...wrapped(`compared with ${name}: ${comparisonText(compare(before, run))}`),
    ...tableLines(comparisonTable(before, run)),
    ...doubtsOf(before, run).flatMap((text) => wrapped(`warning: ${text}`)),
  ];
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
