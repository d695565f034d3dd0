/** Thrown inside a statement or a loop whose time has run out; never leaves the thread. */
export class BudgetExceeded extends Error {}

/**
 * The time that the request at hand may still take. One budget belongs to each connection: SQLite can only
 * be stopped by a function that it calls itself, and that function must find the budget of the moment.
 */
export class Budget {
  #deadline = Number.POSITIVE_INFINITY;
  #isAbandoned = () => false;
  #calls = 0;

  /**
   * @param deadline on the clock of `performance.now()`, milliseconds.
   * @param isAbandoned tells whether nobody waits any more; as before when not given.
   */
  start(deadline: number, isAbandoned = this.#isAbandoned): void {
    this.#deadline = deadline;
    this.#isAbandoned = isAbandoned;
    this.check();
  }

  /** Throws `BudgetExceeded` once the deadline has passed, or when nobody waits any more. */
  check(): void {
    if (performance.now() >= this.#deadline || this.#isAbandoned()) throw new BudgetExceeded();
  }

  /** Milliseconds left. */
  remaining(): number {
    return this.#deadline - performance.now();
  }

  /** For SQL, called for every match: looks at the clock every eighth time. */
  within(): 1 {
    this.#calls += 1;
    if ((this.#calls & 7) === 0) this.check();
    return 1;
  }
}
