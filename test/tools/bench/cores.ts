import { readFileSync } from 'node:fs';
import { PlainError } from '../../../src/process/fail.ts';

/** The cores that this process may run on, by their numbers. */
export function allowedCores(): number[] {
  return coresOf(/^Cpus_allowed_list:\s+(\S+)/mu.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '');
}

/** The numbers in a list of Linux, such as `0-3,8`. */
export function coresOf(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}

/**
 * Keeps this process, and all that it starts from now on, to some of the cores, so that figures of machines with
 * more of them can be compared. @throws PlainError if that is not possible.
 */
export function keepToCores(count: number): void {
  const cores = allowedCores();
  if (cores.length <= count || pin(process.pid, cores.slice(0, count))) return;
  throw new PlainError(
    `cannot keep to ${count} of ${cores.length} cores: install util-linux, or ask for --cores ${cores.length}`,
  );
}

/** Lets all threads of a process run on these cores only. @returns whether that was possible. */
export function pin(pid: number, cores: readonly number[]): boolean {
  if (Bun.which('taskset') === null) return false;
  return Bun.spawnSync(['taskset', '-apc', cores.join(','), String(pid)]).exitCode === 0;
}
