import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import type { Row } from './finding.ts';

const WIDTHS = { measure: 33, aim: 12, reached: 28, ok: 3 };
export const TABLE_WIDTH = 80;
const GIB = 2 ** 30;

/** The rows below a heading each, no line wider than a terminal of 80 columns. */
export function table(
  sections: Iterable<readonly [name: string, { readonly rows: readonly Row[] }]>,
): string {
  const lines = [line('measure', 'aim', 'reached', 'ok'), '-'.repeat(TABLE_WIDTH)];
  for (const [name, { rows }] of sections) {
    lines.push(name.toUpperCase());
    for (const { measure, aim, reached, ok } of rows) {
      const [first = '', ...rest] = wrapped(reached, WIDTHS.reached);
      const [name1 = '', ...name2] = wrapped(measure, WIDTHS.measure);
      lines.push(line(name1, aim, first, okText(ok)));
      for (let at = 0; at < Math.max(rest.length, name2.length); at += 1) {
        lines.push(line(name2[at] === undefined ? '' : `  ${name2[at]}`, '', rest[at] ?? '', ''));
      }
    }
  }
  return lines.join('\n');
}

/** What the figures are reached on. Processors and kernels have names of any length. */
export function machineName(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = (totalmem() / GIB).toFixed(1);
  return `${availableParallelism()} cores (${model}), ${memory} GiB, Linux ${release()}, Bun ${Bun.version}`;
}

/** The same with the load average, asked before the run: it tells of a machine that has other things to do. */
export function machineText(): string {
  const load = (loadavg()[0] ?? Number.NaN).toFixed(1);
  return `${machineName()}; load average before the start ${load}`;
}

/** A text in lines of the table's width. */
export function paragraph(text: string): string {
  return wrapped(text, TABLE_WIDTH).join('\n');
}

function okText(ok: boolean | null): string {
  if (ok === null) return '';
  return ok ? 'ok' : 'NOT';
}

function line(measure: string, aim: string, reached: string, ok: string): string {
  const cells = [measure.padEnd(WIDTHS.measure), aim.padEnd(WIDTHS.aim), reached.padEnd(WIDTHS.reached), ok];
  return cells.join(' ').trimEnd();
}

/** A text in lines of a width, broken at blanks where there are some; an indent stays. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const at = blank > rest.length - rest.trimStart().length ? blank : width;
    lines.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  lines.push(rest);
  return lines;
}
