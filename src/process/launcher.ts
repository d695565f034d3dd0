import { readFileSync } from 'node:fs';
import { codeOf } from './fail.ts';

/** Interval of the check that npm is still running. */
const LOOK_MS = 250;

/** npm, a shell, `bun run`, and one more. */
const ANCESTORS_MAX = 4;

/**
 * Detects the end of npm. `npx` starts its command in a shell and sends SIGTERM only to that shell. Debian's `sh` then ends
 * without passing the signal on. On systems without /proc, `sh` replaces itself with the command.
 * @param onGone called once, after the end of npm.
 */
export function onLauncherGone(onGone: () => void): void {
  if (!isBelowNpm({ otherwise: false })) return;
  const timer = setInterval(() => {
    if (isBelowNpm({ otherwise: true })) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  timer.unref();
}

/** @param otherwise the result if /proc cannot be read, for example without free file descriptors. */
function isBelowNpm({ otherwise }: { readonly otherwise: boolean }): boolean {
  try {
    let found = processOf(process.pid);
    for (let level = 0; level < ANCESTORS_MAX && found !== null && found.parent > 1; level += 1) {
      found = processOf(found.parent);
      // npm's process name begins like this: `npm exec bun@1.4.5`.
      if (found?.name.startsWith('npm') === true) return true;
    }
    return false;
  } catch {
    return otherwise;
  }
}

/** Null for a process that no longer runs. @throws other system errors. */
function processOf(pid: number): { readonly name: string; readonly parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const { name = '', parent } = /^\d+ \((?<name>.*)\) \S (?<parent>\d+) /su.exec(stat)?.groups ?? {};
    return { name, parent: Number(parent) };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(codeOf(error))) return null;
    throw error;
  }
}
