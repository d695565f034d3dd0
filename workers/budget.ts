/** Thrown inside a statement or a loop whose time has run out; never leaves the thread. */
export class BudgetExceeded extends Error {}

/**
 * The time that the request at hand may still take. One budget belongs to each connection: SQLite can only
 * be stopped by a function that it calls itself, and that function must find the budget of the moment.
 */
export class Budget {
  #deadline = Number.POSITIVE_INFINITY;
  #calls = 0;

  /** @param deadline on the clock of `performance.now()`, milliseconds. */
  start(deadline: number): void {
    this.#deadline = deadline;
    this.check();
  }

  /** Throws `BudgetExceeded` once the deadline has passed. */
  check(): void {
    if (performance.now() >= this.#deadline) throw new BudgetExceeded();
  }

  /** Milliseconds left. */
  remaining(): number {
    return this.#deadline - performance.now();
  }

  /** For SQL, called for every match: looks at the clock every 64th time. */
  within(): 1 {
    this.#calls += 1;
    if ((this.#calls & 63) === 0) this.check();
    return 1;
  }
}
