import { openSync, closeSync, readFileSync } from 'node:fs';
import { PlainError } from '../../process/fail.ts';
import { spawnGuarded } from '../../process/guarded.ts';

const POLL_MS = 20;
/** Longer than the slowest start on a busy machine. */
const START_MS_MAX = 60_000;
const END_MS_MAX = 10_000;
const LINES_SHOWN = 5;

/** A process of the cluster, with output to a file. It ends with this process. */
export class Program {
  readonly name: string;
  readonly #log: string;
  readonly #child: Bun.Subprocess;

  constructor(
    name: string,
    command: readonly string[],
    log: string,
    environment: Readonly<Record<string, string>>,
  ) {
    this.name = name;
    this.#log = log;
    const file = openSync(log, 'a', 0o600);
    this.#child = spawnGuarded(command, {
      env: { ...process.env, ...environment },
      stdout: file,
      stderr: file,
    });
    closeSync(file);
  }

  get pid(): number {
    return this.#child.pid;
  }

  get ended(): Promise<unknown> {
    return this.#child.exited;
  }

  /** Waits for a text in the output. @returns all output. @throws PlainError if the process ends first, or takes too long. */
  async says(text: string): Promise<string> {
    const until = performance.now() + START_MS_MAX;
    for (;;) {
      const output = readFileSync(this.#log, 'utf8');
      if (output.includes(text)) return output;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new PlainError(`${this.name} ended: ${lastLines(output)}`);
      if (performance.now() > until) throw new PlainError(`${this.name} does not start; see ${this.#log}`);
      await Bun.sleep(POLL_MS);
    }
  }

  /** Asks the process to end, and kills it if it does not. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => {
      this.#child.kill('SIGKILL');
    }, END_MS_MAX);
    await this.#child.exited;
    clearTimeout(late);
  }
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-LINES_SHOWN).join('\n');
}
