/** Thrown in a loop when the time runs out; never leaves the thread. */
export class BudgetExceeded extends Error {}

/** CPU time of this thread, milliseconds. A call takes some microseconds. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** How long a reading of the CPU time is reused. */
const READING_MS = 1;

/** The time that the current request may still take. Each connection has one. */
export class Budget {
  readonly #now: () => number;
  readonly #worked: () => number;
  #deadline = Number.POSITIVE_INFINITY;
  #workEnds = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #readWork = 0;
  /** When to read the CPU time again: it grows no faster than the clock. */
  #readNextAt = Number.POSITIVE_INFINITY;
  #isAbandoned = () => false;

  /** Both in milliseconds. */
  constructor(now: () => number = () => performance.now(), worked: () => number = workedMs) {
    this.#now = now;
    this.#worked = worked;
  }

  /**
   * @param deadline on the clock of `performance.now()`, milliseconds.
   * @param workMs CPU time that the request may take until then.
   * @param isAbandoned whether nobody waits any more; unchanged if not given.
   */
  start(deadline: number, workMs = Number.POSITIVE_INFINITY, isAbandoned = this.#isAbandoned): void {
    this.#deadline = deadline;
    this.#isAbandoned = isAbandoned;
    const now = this.#now();
    this.#workEnds = Number.isFinite(workMs) ? this.#workedAt(now) + workMs : Number.POSITIVE_INFINITY;
    this.#readNextAt = now + workMs;
    this.check();
  }

  /** @throws BudgetExceeded after the deadline, when the CPU time runs out, or when nobody waits any more. */
  check(): void {
    const now = this.#now();
    if (now >= this.#deadline || this.#isAbandoned()) throw new BudgetExceeded();
    if (now < this.#readNextAt) return;
    const left = this.#workEnds - this.#worked();
    if (left <= 0) throw new BudgetExceeded();
    this.#readNextAt = now + left;
  }

  /** The CPU time used, at most `READING_MS` too high. */
  #workedAt(now: number): number {
    if (now - this.#readAt >= READING_MS) {
      this.#readAt = now;
      this.#readWork = this.#worked();
    }
    return this.#readWork + (now - this.#readAt);
  }

  /** Milliseconds. */
  remaining(): number {
    const now = this.#now();
    const work =
      this.#workEnds === Number.POSITIVE_INFINITY ? this.#workEnds : this.#workEnds - this.#worked();
    return Math.min(this.#deadline - now, work);
  }
}
