import { availableParallelism } from 'node:os';
import { Ledger } from './ledger.ts';

/** A base with expensive requests that wait. */
export interface ExpensiveQueue {
  /** The next one; null if none waits, or none may start. */
  readonly next: () => Turn | null;
  /** Starts the next one. The promise settles when it has ended, or nobody waits for it any more. */
  readonly start: () => Promise<unknown>;
}

/** What decides whose turn it is: what the asker has had lately, and then when the request must end. */
export interface Turn {
  readonly spent: number;
  readonly deadline: number;
}

/** How many expensive requests run at once. @param setting 0 for one fewer than there are processors, and one at least. */
export function expensiveAtOnce(setting: number): number {
  return setting === 0 ? Math.max(1, availableParallelism() - 1) : setting;
}

/**
 * The expensive work of all bases of a process: only so many requests run at once, so that other processors stay free. The
 * next is from the asker who has had least of this work lately, and of that one the request that must end first: so one
 * search after the other is complete, instead of a part of each.
 */
export class ExpensiveWork {
  readonly ledger = new Ledger();
  readonly #queues: ExpensiveQueue[] = [];
  #atOnce: number;
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Those that run already stay. */
  set atOnce(atOnce: number) {
    this.#atOnce = atOnce;
    this.drain();
  }

  /** True while another request could start at once. */
  get isFree(): boolean {
    return this.#running < this.#atOnce && !this.isWaiting;
  }

  /** True while a request waits that may start. */
  get isWaiting(): boolean {
    return this.#next() !== null;
  }

  add(queue: ExpensiveQueue): void {
    this.#queues.push(queue);
  }

  /** Starts what may run. A queue calls this when a request may start that could not before. */
  drain(): void {
    const end = () => {
      this.#running -= 1;
      this.drain();
    };
    for (let next = this.#next(); next !== null && this.#running < this.#atOnce; next = this.#next()) {
      this.#running += 1;
      void next.start().then(end, end);
    }
  }

  #next(): ExpensiveQueue | null {
    let next: ExpensiveQueue | null = null;
    let first: Turn | null = null;
    for (const queue of this.#queues) {
      const turn = queue.next();
      if (turn === null || (first !== null && !isBefore(turn, first))) continue;
      next = queue;
      first = turn;
    }
    return next;
  }
}

function isBefore(one: Turn, other: Turn): boolean {
  return one.spent === other.spent ? one.deadline < other.deadline : one.spent < other.spent;
}
