import { readFileSync, readdirSync } from 'node:fs';
import { PlainError } from '../../../src/process/fail.ts';

export interface Holdings {
  /** Anonymous memory: without the pages of files, which the system may take back. */
  readonly anonMiB: number;
  readonly threads: number;
  readonly descriptors: number;
}

const KIB_PER_MIB = 1024;
const NS_PER_MS = 1e6;

/** Reads Linux's figures of a running process; NaN for one that has ended. */
export class ProcessProbe {
  readonly #folder: string;
  /** Linux's number of this thread equals its process's. */
  readonly #main: string;
  /** CPU time of each thread at the last reading, nanoseconds. */
  readonly #threads = new Map<string, number>();
  #ms = 0;

  constructor(pid: number) {
    this.#main = String(pid);
    this.#folder = `/proc/${pid}`;
  }

  /**
   * CPU time since the first call, milliseconds, summed over threads: the process's ticks of
   * 10 ms are too coarse for slices of 100 ms. A thread's time between the last call and its end is missing.
   */
  fineCpuMs(): number {
    const isFirst = this.#threads.size === 0;
    for (const thread of namesIn(`${this.#folder}/task`)) {
      const ns = this.#ranNs(thread);
      if (!isFirst) this.#ms += (ns - (this.#threads.get(thread) ?? 0)) / NS_PER_MS;
      this.#threads.set(thread, ns);
    }
    return this.#ms;
  }

  /** CPU time of its main thread since it started, milliseconds. */
  mainCpuMs(): number {
    return this.#ranNs(this.#main) / NS_PER_MS;
  }

  #ranNs(thread: string): number {
    return Number(readOrEmpty(`${this.#folder}/task/${thread}/schedstat`).split(' ')[0] ?? 0);
  }

  holdings(): Holdings {
    const status = readOrEmpty(`${this.#folder}/status`);
    const of = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(status)?.[1] ?? Number.NaN);
    return {
      anonMiB: of('RssAnon') / KIB_PER_MIB,
      threads: of('Threads'),
      descriptors: namesIn(`${this.#folder}/fd`).length,
    };
  }
}

/** @throws PlainError where the system lacks the figures. */
export function needLinux(): void {
  if (process.platform !== 'linux')
    throw new PlainError('the figures are read from /proc, which only Linux has');
}

export function descriptorsMax(): number {
  const limit = /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return limit === undefined ? 1024 : Number(limit);
}

/** A thread may end between its listing and its reading. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
