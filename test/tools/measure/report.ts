import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { writeFileSync, readFileSync } from 'node:fs';
import { explain } from '../../../src/process/fail.ts';
import { needLinux } from './process.ts';
import { join, resolve } from 'node:path';
import { ROOT } from '../../support/run.ts';

const WIDTHS = { measure: 33, aim: 12, reached: 28, ok: 3 };
export const TABLE_WIDTH = 80;
const GIB = 2 ** 30;

/** Rows grouped under headings, each line within 80 columns. */
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

/** The machine's processor, kernel and Bun. Processors and kernels have names of any length. */
export function machineName(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = (totalmem() / GIB).toFixed(1);
  return `${availableParallelism()} cores (${model}), ${memory} GiB, Linux ${release()}, Bun ${Bun.version}`;
}

/** The same with the load average before the run, which shows other work on the machine. */
export function machineText(): string {
  const load = (loadavg()[0] ?? Number.NaN).toFixed(1);
  return `${machineName()}; load average before the start ${load}`;
}

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

/** Wraps a text at blanks, keeping its indent. */
function wrapped(text: string, width: number): string[] {
  const indent = ' '.repeat(text.length - text.trimStart().length);
  return (indent + Bun.wrapAnsi(text.trim(), width - indent.length, { hard: true })).split('\n');
}

/** A row of the table; `ok` is null without an aim. */
export interface Row {
  readonly measure: string;
  readonly aim: string;
  readonly reached: string;
  readonly ok: boolean | null;
}

export function info(measure: string, reached: string): Row {
  return { measure, aim: '', reached, ok: null };
}

export function aimed(measure: string, value: number, most: number, unit: string, reached: string): Row {
  return { measure, aim: `<= ${most}${unit}`, reached, ok: value <= most };
}

/** The result of a measurement: rows, and further data for the JSON. */
export interface Finding {
  readonly rows: readonly Row[];
  readonly details: unknown;
  /** Nothing was measured; the single row gives the reason. */
  readonly isMissing?: true;
}

/** Makes new files private to this user, and lets Ctrl-C end the process at once. @throws PlainError if this is not Linux. */
export function prepare(): void {
  process.umask(0o077);
  needLinux();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Runs some or all measurements. If one fails, the others still run, and the exit code is 1. */
export async function measureAll<Given>(
  measures: Readonly<Record<string, (given: Given) => Promise<Finding>>>,
  only: readonly string[] | undefined,
  given: Given,
): Promise<Record<string, Finding>> {
  const findings: Record<string, Finding> = {};
  for (const [name, measure] of Object.entries(measures)) {
    if (only !== undefined && !only.includes(name)) continue;
    try {
      findings[name] = await measure(given);
    } catch (error) {
      process.exitCode = 1;
      const reached = `not measured: ${explain(error)}`;
      const rows = [{ measure: name, aim: '', reached, ok: false }];
      findings[name] = { rows, details: null, isMissing: true };
    }
  }
  return findings;
}

export function measuredIn(findings: Readonly<Record<string, Finding>>): [string, Finding][] {
  return Object.entries(findings).filter(([, { isMissing }]) => isMissing !== true);
}

/** Prints all rows. @param json a file for the rows and their further data. */
export function report(
  machine: string,
  sections: Readonly<Record<string, { readonly rows: readonly Row[] }>>,
  json: string | undefined,
  all: object,
): void {
  console.log(`${table(Object.entries(sections))}\n\n${paragraph(machine)}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, ...all }, null, 1)}\n`);
}

/**
 * What all figures of a run belong to: version, commit, day and machine, as one line of a page.
 * @param more other things that the figures depend on, such as the load generator.
 */
export function runHead(now: Date, more = ''): string {
  const git = Bun.spawnSync(['git', 'rev-parse', '--short', 'HEAD'], { cwd: ROOT, stderr: 'ignore' });
  const commit = git.success ? ` (commit ${git.stdout.toString().trim()})` : '';
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const day = now.toISOString().slice(0, 10);
  return `Version ${version}${commit}, ${day}, on ${machineName()}${more}.`;
}

/** The page that `--docs` names; by default one of `docs/`. */
export function docsPage(name: string, given: string | true = true): string {
  return given === true ? join(ROOT, 'docs', name) : resolve(given);
}
