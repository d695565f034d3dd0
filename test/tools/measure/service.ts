import { join } from 'node:path';
import { PlainError } from '../../../src/process/fail.ts';
import { ProcessProbe } from './process.ts';
import { spawnGuarded } from '../../../src/process/guarded.ts';

export const ROOT = join(import.meta.dirname, '../../..');

/** The service as a process of its own, watched from outside. */
export interface ServiceChild {
  readonly url: string;
  readonly pid: number;
  readonly probe: ProcessProbe;
  /** Everything that it printed before it served. */
  readonly greeting: string;
  /** Lines that it wrote to its log, the last ones. */
  log(): readonly string[];
  /** @throws PlainError when the process has ended by itself. */
  needRunning(): void;
  stop(): Promise<void>;
}

const START_MS_MAX = 120_000;
const STOP_MS_MAX = 20_000;
const LOG_LINES_MAX = 50;

/** As `bun start`, the image and the unit have it. */
export const RAM_SIZE = { BUN_JSC_forceRAMSize: '1000000000' };

/**
 * What no measurement wants in its way; the windows, the queues and the threads are left as they are. Nothing is kept, for
 * who measures asks the same again and again, and wants to know what it takes to answer it.
 */
const ENVIRONMENT = {
  ...RAM_SIZE,
  PORT: '0',
  ADMIN_PORT: '0',
  LOG_LEVEL: 'warn',
  SLOW_MS: '0',
  IP_REQUESTS: '100000000',
  IDLE_TIMEOUT_S: '255',
  BASES_RESULT_CACHE_MB: '0',
};

/** For who measures the service as its users have it: an empty variable is none. */
export const AS_SHIPPED = { BASES_RESULT_CACHE_MB: '' };

/** The bases' settings of this command's own environment, so that others than the defaults can be measured. */
export function basesEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => name.startsWith('BASES_'));
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']));
}

/** Starts the service on a data folder and a free port. @throws PlainError when it does not come up. */
export async function startChild(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceChild> {
  const child = spawnGuarded([process.execPath, join(ROOT, 'src/main.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...ENVIRONMENT,
      ...basesEnvironment(),
      ...environment,
      DATA_DIR: dataDir,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const lines: string[] = [];
  void keepLines(child.stderr, lines);
  const greeting = await greetingOf(child, lines);
  const stop = async () => {
    child.kill('SIGTERM');
    if ((await bounded(child.exited, STOP_MS_MAX)) !== null) return;
    child.kill('SIGKILL');
    await child.exited;
  };
  return {
    url: /Serving at (\S+)/u.exec(greeting)?.[1] ?? '',
    pid: child.pid,
    probe: new ProcessProbe(child.pid),
    greeting,
    log: () => lines,
    needRunning: () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new PlainError(ended(child, lines));
    },
    stop,
  };
}

/** What it prints until it serves; its output is read on after that, so that it never waits for a reader. */
async function greetingOf(child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>, lines: string[]): Promise<string> {
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let out = '';
  const until = performance.now() + START_MS_MAX;
  while (!out.includes('Ctrl-C stops it.')) {
    const read = await bounded(reader.read(), until - performance.now());
    if (read === null || read.value === undefined) {
      child.kill('SIGKILL');
      await child.exited;
      throw new PlainError(read === null ? 'the service did not start in time' : ended(child, lines));
    }
    out += decoder.decode(read.value, { stream: true });
  }
  reader.releaseLock();
  void keepLines(child.stdout, []);
  return out;
}

/** Null when the promise is not decided in time. */
async function bounded<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      resolve(null);
    }, ms);
  });
  const first = await Promise.race([promise, late]);
  clearTimeout(timer);
  return first;
}

function ended(child: Bun.Subprocess, lines: readonly string[]): string {
  const how = child.signalCode ?? `status ${child.exitCode}`;
  return `the service ended by itself (${how}): ${lines.slice(-3).join(' | ') || 'it said nothing'}`;
}

async function keepLines(stream: ReadableStream<Uint8Array>, lines: string[]): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    lines.splice(0, Math.max(0, lines.length - LOG_LINES_MAX));
  }
}
