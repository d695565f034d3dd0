import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

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
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${err}${out}`);
  return out;
}
