import { join } from 'node:path';
import { ROOT, runProgram } from '../support/run.ts';

/** Node itself: `bun --bun` puts a link of that name to Bun before it. The npm that starts all of this brings it. */
export function nodePath(): string {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('bun-node'));
  const node = Bun.which('node', { PATH: folders.join(':') });
  if (node === null) throw new Error('these tests need Node 20 or later on the PATH');
  return node;
}

export const DENO = join(ROOT, 'node_modules/.bin/deno');

/** What a command printed, which must end well. */
export async function printed(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return (await runProgram(command, { cwd, environment: { HOME: cwd, ...env } })).text;
}
