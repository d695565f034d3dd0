import { readFileSync } from 'node:fs';

const LOOK_MS = 250;
/** npm, a shell, `bun run`, and one more. */
const ANCESTORS_MAX = 4;

/**
 * `npx` starts its command in a shell and passes SIGTERM on to that shell alone. One that stays between them, as Debian's
 * `sh` does, dies of it and tells nobody: whoever was started by npm looks whether npm is still there.
 * @param tell called once npm has gone. Where there is no /proc, `sh` is a shell that gives its place to the command.
 */
export function onLauncherGone(tell: () => void): void {
  if (!isBelowNpm({ otherwise: false })) return;
  const timer = setInterval(() => {
    if (isBelowNpm({ otherwise: true })) return;
    clearInterval(timer);
    tell();
  }, LOOK_MS);
  timer.unref();
}

/** @param otherwise what to say where it cannot be known, for want of descriptors. */
function isBelowNpm({ otherwise }: { readonly otherwise: boolean }): boolean {
  try {
    let found = processOf(process.pid);
    for (let level = 0; level < ANCESTORS_MAX && found !== null && found.parent > 1; level += 1) {
      found = processOf(found.parent);
      // It names its process after itself and its command: `npm exec bun@1.4.5`.
      if (found?.name.startsWith('npm') === true) return true;
    }
    return false;
  } catch {
    return otherwise;
  }
}

/** Null for a process that is no longer there. @throws the system's error where there is no saying. */
function processOf(pid: number): { readonly name: string; readonly parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const { name = '', parent } = /^\d+ \((?<name>.*)\) \S (?<parent>\d+) /su.exec(stat)?.groups ?? {};
    return { name, parent: Number(parent) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code)))
      return null;
    throw error;
  }
}
