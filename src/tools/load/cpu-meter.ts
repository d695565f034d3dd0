/** CPU time per generator thread as a fraction of the elapsed time. */
export interface CpuShare {
  readonly mean: number;
  /** The fraction in the busiest second. */
  readonly max: number;
}

const EVERY_MS = 1_000;
const US_PER_MS = 1_000;

/** Measures this process each second, from construction until `stop`. */
export class CpuMeter {
  readonly #threads: number;
  readonly #start = look();
  readonly #timer: ReturnType<typeof setInterval>;
  #last = this.#start;
  #max = 0;

  /** @param threads that share the work. */
  constructor(threads: number) {
    this.#threads = threads;
    this.#timer = setInterval(() => {
      this.#tick();
    }, EVERY_MS);
  }

  stop(): CpuShare {
    clearInterval(this.#timer);
    const mean = this.#share(this.#start, look());
    return { mean, max: Math.max(mean, this.#max) };
  }

  #tick(): void {
    const now = look();
    this.#max = Math.max(this.#max, this.#share(this.#last, now));
    this.#last = now;
  }

  #share(from: Look, to: Look): number {
    return (to.cpuMs - from.cpuMs) / Math.max(1, to.atMs - from.atMs) / this.#threads;
  }
}

interface Look {
  readonly atMs: number;
  readonly cpuMs: number;
}

function look(): Look {
  const { user, system } = process.cpuUsage();
  return { atMs: performance.now(), cpuMs: (user + system) / US_PER_MS };
}
