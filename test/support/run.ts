import { join } from 'node:path';
import { PlainError } from '../../src/process/fail.ts';
import { spawnGuarded } from './guarded.ts';

/** The checkout. */
export const ROOT = join(import.meta.dirname, '../..');
/** Longer than the slowest start on a busy machine. */
const START_MS_MAX = 120_000;
const STOP_MS_MAX = 20_000;
const LINES_SHOWN = 3;
/** The exit code of a command that a signal ended. */
const SIGNALLED = 128;

/** A process whose output is kept as it comes. If it reads no input, it ends with this process, even if this one is killed. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  readonly out: () => string;
  readonly err: () => string;
  /** Whether it has ended and its output is complete. */
  readonly hasEnded: () => boolean;
  /** Resolves then; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Ends it with SIGTERM, and with SIGKILL if that takes too long. */
  readonly stop: () => Promise<void>;
  /** @throws PlainError if it has ended by itself. */
  readonly needRunning: () => void;
  /** Waits for a text in its output. @returns its standard output. @throws PlainError if it ends before, or takes too long. */
  readonly says: (wanted: string) => Promise<string>;
}

export interface Setting {
  /** In addition to `PATH`. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array | undefined;
}

/** Starts a program. */
export function startProgram(command: readonly string[], setting: Setting = {}): Child {
  return programOf(command, setting).kept;
}

function programOf(command: readonly string[], { environment = {}, cwd = ROOT, input }: Setting) {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const options = { cwd, env, stdout: 'pipe', stderr: 'pipe' } as const;
  const child =
    input === undefined
      ? spawnGuarded(command, options)
      : Bun.spawn([...command], { ...options, stdin: Buffer.from(input as string) });
  const text = { out: '', err: '' };
  let heard = Promise.withResolvers<void>();
  const keep = async (stream: ReadableStream<Uint8Array>, name: keyof typeof text) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text[name] += decoder.decode(chunk, { stream: true });
      heard.resolve();
      heard = Promise.withResolvers();
    }
  };
  let hasEnded = false;
  const ended = Promise.all([child.exited, keep(child.stdout, 'out'), keep(child.stderr, 'err')]).then(() => {
    hasEnded = true;
    return child.exitCode;
  });
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
  };
  const needRunning = () => {
    if (child.exitCode === null && child.signalCode === null) return;
    const how = child.signalCode ?? `status ${child.exitCode}`;
    const last = (text.err || text.out).trim().split('\n').slice(-LINES_SHOWN).join(' | ');
    throw new PlainError(`${command.slice(1, 3).join(' ')} ended by itself (${how}): ${last || 'no output'}`);
  };
  const stop = async () => {
    kill('SIGTERM');
    const late = setTimeout(kill, STOP_MS_MAX, 'SIGKILL');
    await child.exited;
    clearTimeout(late);
  };
  const kept: Child = {
    pid: child.pid,
    out: () => text.out,
    err: () => text.err,
    hasEnded: () => hasEnded,
    ended,
    kill,
    stop,
    [Symbol.asyncDispose]: stop,
    needRunning,
    says: async (wanted) => {
      const late = setTimeout(kill, START_MS_MAX, 'SIGKILL');
      try {
        while (!(text.out + text.err).includes(wanted)) {
          if (hasEnded) needRunning();
          await Promise.race([heard.promise, ended]);
        }
        return text.out;
      } finally {
        clearTimeout(late);
      }
    },
  };
  return { kept, child };
}

/**
 * Starts a command of the project: `bun src/SCRIPT`.
 * @param before shell commands, such as a limit, for the process, which then takes the shell's place.
 */
export function startScript(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  before?: string,
): Child {
  const command = commandOf(script, args);
  const all = before === undefined ? command : ['bash', '-c', `${before}; exec "$0" "$@"`, ...command];
  return startProgram(all, { environment });
}

function commandOf(script: string, args: readonly string[]): string[] {
  return [process.execPath, join(ROOT, 'src', script), ...args];
}

export interface ChildService extends Child {
  readonly url: string;
  readonly adminUrl: string;
}

/** Starts `bun src/main.ts` on free ports, and waits until it serves. */
export async function startMain(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  before?: string,
): Promise<ChildService> {
  const settings = { PORT: '0', ADMIN_PORT: '0', ...environment, DATA_DIR: dataDir };
  const child = startScript('main.ts', [], settings, before);
  const out = await child.says('Ctrl-C stops it.');
  const after = (name: string) => new RegExp(`${name} at (\\S+)`, 'u').exec(out)?.[1] ?? '';
  return { ...child, url: after('Serving'), adminUrl: after('Administration') };
}

export interface Finished {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** A command of the project to its end. */
export async function run(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input?: Setting['input'],
): Promise<Finished> {
  const child = startProgram(commandOf(script, args), { environment, input });
  return { exitCode: (await child.ended) ?? SIGNALLED, out: child.out(), err: child.err() };
}

export interface Ran {
  readonly text: string;
  /** User and system time of the program and of the processes that it waited for, milliseconds. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** The most that the program held, including the pages of files that it had mapped. */
  readonly memoryMb: number;
}

/** Runs a program to its end. @throws PlainError if it fails. */
export async function runProgram(command: readonly string[], setting: Setting = {}): Promise<Ran> {
  const startedAt = performance.now();
  const { kept, child } = programOf(command, setting);
  const status = await kept.ended;
  const wallMs = performance.now() - startedAt;
  const text = kept.out();
  if (status !== 0) {
    const said = `${kept.err().trim()} ${text.trim()}`.trim().slice(-600);
    throw new PlainError(`${command.slice(0, 3).join(' ')} failed: ${said || `status ${status}`}`);
  }
  const usage = child.resourceUsage();
  const cpuMs = Number(usage?.cpuTime.total ?? Number.NaN) / 1000;
  return { text, cpuMs, wallMs, memoryMb: (usage?.maxRSS ?? Number.NaN) / 1_000_000 };
}

/** A process that has the lock of a data folder, and keeps it until it is killed. */
export async function lockHolder(dataDir: string): Promise<Child> {
  const source = `
    import { takeLock } from ${JSON.stringify(join(ROOT, 'src/process/lock.ts'))};
    // Unreferenced, the garbage collector would release it.
    const release = takeLock(${JSON.stringify(dataDir)});
    console.log('held');
    setInterval(() => release, 60_000);`;
  const child = startProgram([process.execPath, '-e', source]);
  await child.says('held');
  return child;
}

/** What a crash or an unhandled rejection leaves on standard error. */
export const CRASH = /unhandled|uncaught|panic|\n\s+at /iu;
