import { availableParallelism } from 'node:os';
import { within, type Clock, type Abandonment } from '../clock.ts';

/** How long a key counts as searching after its latest search. */
const ASKER_RECENT_MS = 1_000;
/** Most searches of a key that wait for that; further ones go to the bases' queues, which are bounded. */
const ASKER_WAITING_MAX = 512;

/** An asker with requests, kept a while after the last. */
interface Present {
  running: number;
  /** When it came or went last. */
  at: number;
  /** Functions that let in the waiting requests, oldest first. */
  readonly waiting: Set<() => void>;
}

/**
 * Searches of a key that are answered immediately while other keys search too: one per processor. Beside 64 searches of another key
 * a search took 3.6 times as long with two, and 2.2 with one.
 */
export function searchesAtOnce(): number {
  return availableParallelism();
}

/**
 * While several keys search, limits the concurrent searches of each key; further searches wait here in a queue per key. The
 * bases' queues take turns too, but the main thread and running batches do not.
 */
export class Askers {
  readonly #clock: Clock;
  readonly #atOnce: number;
  /** Ordered by `at`, oldest first. */
  readonly #present = new Map<number, Present>();

  constructor(clock: Clock, atOnce: number) {
    this.#clock = clock;
    this.#atOnce = atOnce;
  }

  /** Remembered askers. */
  get size(): number {
    return this.#present.size;
  }

  /** Waiting searches, and how many askers they belong to. */
  get waiting(): { readonly searches: number; readonly askers: number } {
    const counts = [...this.#present.values()]
      .map(({ waiting }) => waiting.size)
      .filter((count) => count > 0);
    return { searches: counts.reduce((sum, count) => sum + count, 0), askers: counts.length };
  }

  /**
   * `leave` must follow. @returns null if the asker may start now; else a promise that resolves at its turn, after at most
   * `msMax`, or immediately when abandoned.
   */
  enter(asker: number, msMax: number, abandoned?: Abandonment): Promise<void> | null {
    const own = this.#seen(asker);
    const isFull = own.running >= this.#atOnce && own.waiting.size < ASKER_WAITING_MAX;
    if (isFull && this.#isShared() && abandoned?.aborted !== true) return this.#wait(own, msMax, abandoned);
    own.running += 1;
    return null;
  }

  leave(asker: number): void {
    const own = this.#seen(asker);
    own.running -= 1;
    const most = this.#isShared() ? Math.max(0, this.#atOnce - own.running) : Number.POSITIVE_INFINITY;
    for (const enter of [...own.waiting].slice(0, most)) enter();
  }

  async #wait(own: Present, msMax: number, abandoned: Abandonment | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const enter = () => {
      if (!own.waiting.delete(enter)) return;
      own.running += 1;
      resolve(undefined);
    };
    own.waiting.add(enter);
    await within(msMax, promise, this.#clock, abandoned);
    enter();
  }

  #seen(asker: number): Present {
    const own = this.#present.get(asker) ?? { running: 0, at: 0, waiting: new Set() };
    own.at = this.#clock.now();
    this.#present.delete(asker);
    this.#present.set(asker, own);
    return own;
  }

  /** Whether several askers were active recently; forgets inactive ones. */
  #isShared(): boolean {
    const since = this.#clock.now() - ASKER_RECENT_MS;
    for (const [asker, { running, at, waiting }] of this.#present) {
      if (at >= since) break;
      if (running === 0 && waiting.size === 0) this.#present.delete(asker);
    }
    return this.#present.size > 1;
  }
}
