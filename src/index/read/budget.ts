/** Thrown inside a loop whose time has run out; never leaves the thread. */
export class BudgetExceeded extends Error {}

/** What this thread has taken of a processor, milliseconds. Asking takes some microseconds. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** A reading of the work is good enough to begin with for so long. */
const READING_MS = 1;

/** The time that the request at hand may still take. One budget belongs to each connection. */
export class Budget {
  readonly #now: () => number;
  readonly #worked: () => number;
  #deadline = Number.POSITIVE_INFINITY;
  #workEnds = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #readWork = 0;
  /** When the work is looked at next: it cannot be more than the time that has passed. */
  #lookAt = Number.POSITIVE_INFINITY;
  #isAbandoned = () => false;

  /** @param worked what the thread has taken of a processor so far. Both in milliseconds; tests have others. */
  constructor(now: () => number = () => performance.now(), worked: () => number = workedMs) {
    this.#now = now;
    this.#worked = worked;
  }

  /**
   * @param deadline on the clock of `performance.now()`, milliseconds.
   * @param workMs what it may take of a processor until then.
   * @param isAbandoned tells whether nobody waits any more; as before when not given.
   */
  start(deadline: number, workMs = Number.POSITIVE_INFINITY, isAbandoned = this.#isAbandoned): void {
    this.#deadline = deadline;
    this.#isAbandoned = isAbandoned;
    const now = this.#now();
    this.#workEnds = Number.isFinite(workMs) ? this.#workedAt(now) + workMs : Number.POSITIVE_INFINITY;
    this.#lookAt = now + workMs;
    this.check();
  }

  /** Throws `BudgetExceeded` once the deadline has passed or the work is used up, or when nobody waits any more. */
  check(): void {
    const now = this.#now();
    if (now >= this.#deadline || this.#isAbandoned()) throw new BudgetExceeded();
    if (now < this.#lookAt) return;
    const left = this.#workEnds - this.#worked();
    if (left <= 0) throw new BudgetExceeded();
    this.#lookAt = now + left;
  }

  /** The work that was done by now, up to `READING_MS` too much. */
  #workedAt(now: number): number {
    if (now - this.#readAt >= READING_MS) {
      this.#readAt = now;
      this.#readWork = this.#worked();
    }
    return this.#readWork + (now - this.#readAt);
  }

  /** Milliseconds that it may take at the most. */
  remaining(): number {
    const now = this.#now();
    const work =
      this.#workEnds === Number.POSITIVE_INFINITY ? this.#workEnds : this.#workEnds - this.#worked();
    return Math.min(this.#deadline - now, work);
  }
}
