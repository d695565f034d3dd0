import { lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlainError } from '../../../src/process/fail.ts';
import type { Base } from '../../../src/contract/enums.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { ROOT } from './service.ts';

/** The base that a load on one base goes to; in the faults the others are there to be left in peace. */
export const BIG: Base = 'stj';
/** Of all made-up decisions that are measured, so that words of a sample are words of the data. */
export const SEED = 1;

/** A folder of this user's alone below the temporary one, made when it is not there. @throws PlainError */
export function ownFolder(purpose: string): string {
  const own = join(tmpdir(), `jurisprudencia-${purpose}-${process.getuid?.() ?? 0}`);
  makeFolder(own);
  needOwn(own);
  return own;
}

/** A name below a folder that all users write to may have been taken by somebody else. */
function needOwn(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  const isFolder = lstatSync(folder).isDirectory();
  if (!isFolder || uid !== process.getuid?.() || (mode & 0o077) !== 0) {
    throw new PlainError(`${folder} is not a folder of yours alone; name another with --data`);
  }
}

/** The commands that a user would run, joined by a pipe of the system; the bar is the generator's. */
export async function buildBase(dataDir: string, base: Base, count: number): Promise<void> {
  const script =
    '"$1" src/tools/demo/command.ts "$2" "$3" --seed "$4" | "$1" src/ingest/command.ts "$2" - 2>&1';
  const child = Bun.spawn(['sh', '-c', script, 'sh', process.execPath, base, String(count), String(SEED)], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    // A group of its own, to be ended as one.
    detached: true,
  });
  const end = () => process.kill(-child.pid, 'SIGTERM');
  process.once('exit', end);
  const out = await new Response(child.stdout).text();
  const status = await child.exited;
  process.off('exit', end);
  if (status !== 0 || !out.includes(`${base}: ${count} added`)) {
    throw new PlainError(`${base} could not be built: ${out.trim() || 'the ingest said nothing'}`);
  }
}
