import { availableParallelism } from 'node:os';
import type { Clock } from './clock.ts';
import { SLOT_SPARE_MS } from '../config/limits.ts';
import { Ledger } from './ledger.ts';

/** A base with expensive requests that wait. */
export interface Lane {
  /** The next one; null where none waits, or none may start. */
  readonly next: () => Turn | null;
  /** Starts the next one. @returns how long it may take at most, and when it has ended. */
  readonly start: () => { readonly limitMs: number; readonly ended: Promise<unknown> };
}

/** What decides whose turn it is: what the asker has had lately, and then by when the request must have ended. */
export interface Turn {
  readonly spent: number;
  readonly deadline: number;
}

/** Permits to run one expensive request each, of those that several processes have in common. */
export interface Permits {
  /** @param granted called when there is one, at once or later. */
  take(granted: () => void): void;
  give(): void;
}

/** Of a process that shares them with no other. */
const OWN: Permits = {
  take: (granted) => {
    granted();
  },
  give: () => undefined,
};

/** How many expensive requests run at once. @param setting 0 for one fewer than there are processors, and one at least. */
export function expensiveAtOnce(setting: number): number {
  return setting === 0 ? Math.max(1, availableParallelism() - 1) : setting;
}

/**
 * The expensive work of all bases of a process: only so many requests run at once, and the next is of the asker who has
 * had least of this work lately, and of that one the request that must end first: so one search after the other is whole,
 * and not a part of each. A search that is expensive takes a
 * processor from other such searches, and leaves the others to all else.
 */
export class ExpensiveWork {
  readonly #clock: Clock;
  readonly #permits: Permits;
  readonly ledger = new Ledger();
  readonly #lanes: Lane[] = [];
  #atOnce: number;
  #running = 0;
  #isAsking = false;

  constructor(clock: Clock, atOnce: number, permits = OWN) {
    this.#clock = clock;
    this.#atOnce = atOnce;
    this.#permits = permits;
  }

  /** Changes how many run at once. Those that run already stay. */
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

  add(lane: Lane): void {
    this.#lanes.push(lane);
  }

  /** Starts what may run. A lane calls this when a request may start that could not before. */
  drain(): void {
    while (this.#running < this.#atOnce && !this.#isAsking && this.isWaiting) {
      this.#isAsking = true;
      this.#permits.take(() => {
        this.#isAsking = false;
        this.#start();
      });
    }
  }

  #start(): void {
    const lane = this.#next();
    if (lane === null) {
      this.#permits.give();
      return;
    }
    this.#run(lane);
    this.drain();
  }

  #next(): Lane | null {
    let next: Lane | null = null;
    let first: Turn | null = null;
    for (const lane of this.#lanes) {
      const turn = lane.next();
      if (turn === null || (first !== null && !isBefore(turn, first))) continue;
      next = lane;
      first = turn;
    }
    return next;
  }

  /** A request that does not end in its time, because the thread is blocked, does not keep the others waiting. */
  #run(lane: Lane): void {
    this.#running += 1;
    let isRunning = true;
    const end = () => {
      if (!isRunning) return;
      isRunning = false;
      cancelTimer();
      this.#running -= 1;
      this.#permits.give();
      this.drain();
    };
    const { limitMs, ended } = lane.start();
    const cancelTimer = this.#clock.after(limitMs + SLOT_SPARE_MS, end);
    void ended.then(end, end);
  }
}

function isBefore(one: Turn, other: Turn): boolean {
  return one.spent === other.spent ? one.deadline < other.deadline : one.spent < other.spent;
}
