import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runProgram } from './run.ts';

/** Builds the program for people into a folder, as `bun run program` does. @returns its path. */
export async function buildProgram(folder: string): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { program: string };
  };
  const [, , ...options] = scripts.program.split(' ');
  const program = join(folder, 'jurisprudencia');
  const placed = options.map((one) => (one.startsWith('--outfile=') ? `--outfile=${program}` : one));
  await runProgram([process.execPath, ...placed]);
  return program;
}
