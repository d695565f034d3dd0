/** Thrown in a loop when the time runs out; never leaves the thread. */
export class BudgetExceeded extends Error {}

/** CPU time of this thread, milliseconds. A call takes some microseconds. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The time that the current request may still take. Each connection has one. */
export class Budget {
  readonly #now: () => number;
  readonly #worked: () => number;
  /** On the clock of `performance.now()`, milliseconds. */
  deadline = Number.POSITIVE_INFINITY;
  #workEnds = Number.POSITIVE_INFINITY;
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
    const now = this.#now();
    this.deadline = deadline;
    this.#isAbandoned = isAbandoned;
    this.#workEnds = Number.isFinite(workMs) ? this.#worked() + workMs : workMs;
    this.#readNextAt = now + workMs;
    this.check();
  }

  /** @throws BudgetExceeded after the deadline, when the CPU time runs out, or when nobody waits any more. */
  check(): void {
    const now = this.#now();
    if (now >= this.deadline || this.#isAbandoned()) throw new BudgetExceeded();
    if (now < this.#readNextAt) return;
    const left = this.#workEnds - this.#worked();
    if (left <= 0) throw new BudgetExceeded();
    this.#readNextAt = now + left;
  }
}
