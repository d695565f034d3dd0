import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { spawnGuarded } from '../../../src/process/guarded.ts';
import { until } from './support-poll.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A program of the project as a process of its own, whose output is kept as it comes. */
export interface Child {
  readonly pid: number;
  out(): string;
  err(): string;
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'SIGSTOP' | 'SIGCONT'): void;
  hasEnded(): boolean;
  /** Resolves when the process has ended and its output is whole; null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

/**
 * Starts `bun src/SCRIPT`.
 * @param before shell commands that set the stage (a limit, a mask) for the process, which then takes the shell's
 *   place.
 */
export function startChild(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  before = 'true',
): Child {
  const command = [process.execPath, join(ROOT, 'src', script), ...args];
  const child = spawnGuarded(['bash', '-c', `${before}; exec "$0" "$@"`, ...command], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let out = '';
  let err = '';
  const read = async (stream: ReadableStream<Uint8Array>, take: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }));
  };
  const reading = Promise.all([
    read(child.stdout, (text) => (out += text)),
    read(child.stderr, (text) => (err += text)),
  ]);
  let hasEnded = false;
  const ended = Promise.all([child.exited, reading]).then(() => {
    hasEnded = true;
    return child.exitCode;
  });
  return {
    pid: child.pid,
    out: () => out,
    err: () => err,
    kill: (signal) => {
      child.kill(signal);
    },
    hasEnded: () => hasEnded,
    ended,
  };
}

export interface ChildService extends Child {
  readonly url: string;
}

/** Starts `bun src/main.ts` and waits until it serves. */
export async function startChildService(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  before = 'true',
): Promise<ChildService> {
  const child = startChild(
    'main.ts',
    [],
    { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', ...environment },
    before,
  );
  await until('the service served', () => child.hasEnded() || child.out().includes('Ctrl-C stops it.'));
  const url = /Serving at (\S+)/.exec(child.out())?.[1];
  if (url === undefined) throw new Error(`the service did not start: ${child.out()}${child.err()}`);
  return { ...child, url };
}

/** Open descriptors of a process. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** What others see of a process: its command line and its title. */
export function commandLineOf(pid: number): string {
  return ['cmdline', 'comm'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')).join('\n');
}

/** What a crash or a promise that nobody heard leaves on standard error. */
export const CRASH = /unhandled|uncaught|panic|\n\s+at /iu;
