import { writeFileSync } from 'node:fs';
import { explain } from '../../../src/process/fail.ts';
import type { Finding, Row } from './finding.ts';
import { needLinux } from './process.ts';
import { paragraph, table } from './report.ts';

/** Files for this user alone, and an end at once by Ctrl-C. @throws PlainError if this is not Linux. */
export function prepare(): void {
  process.umask(0o077);
  needLinux();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Makes some or all measurements. If one cannot be made, the others still are, and the exit code is 1. */
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

/** Prints all rows. @param json a file for them and all else. */
export function report(
  machine: string,
  sections: Readonly<Record<string, { readonly rows: readonly Row[] }>>,
  json: string | undefined,
  all: object,
): void {
  console.log(`${table(Object.entries(sections))}\n\n${paragraph(machine)}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, ...all }, null, 1)}\n`);
}
