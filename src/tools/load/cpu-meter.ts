const EVERY_MS = 1_000;
const US_PER_MS = 1_000;

/** CPU time of this process as a fraction of a core, over the whole time and in the busiest second. */
export interface CpuShare {
  readonly mean: number;
  readonly max: number;
}

/** Measures this process each second, from construction until `stop`. */
export class CpuMeter {
  readonly #start = look();
  readonly #timer: ReturnType<typeof setInterval>;
  #last = this.#start;
  #max = 0;

  constructor() {
    this.#timer = setInterval(() => {
      const now = look();
      this.#max = Math.max(this.#max, share(this.#last, now));
      this.#last = now;
    }, EVERY_MS);
  }

  stop(): CpuShare {
    clearInterval(this.#timer);
    const mean = share(this.#start, look());
    return { mean, max: Math.max(mean, this.#max) };
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

function share(from: Look, to: Look): number {
  return (to.cpuMs - from.cpuMs) / Math.max(1, to.atMs - from.atMs);
}
