import { availableParallelism } from 'node:os';
import { ASKER_RECENT_MS, ASKER_WAITING_MAX, AT_ONCE_PER_PROCESSOR } from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import type { Abandonment } from '../engine/port.ts';

/** One asker, for as long as it has requests, and a while longer. */
interface Present {
  running: number;
  /** When it came or went last. */
  at: number;
  /** Lets in the requests that wait, the oldest first. */
  readonly waiting: Set<() => void>;
}

/**
 * While several keys search, only so many searches of each are answered at once; further ones wait here, behind their own
 * key's. The bases' queues have turns too, but not the main thread, nor the threads for what they run already.
 */
export class Askers {
  readonly #clock: Clock;
  readonly #atOnce: number;
  /** Who came or went longest ago first. */
  readonly #present = new Map<number, Present>();

  constructor(clock: Clock, atOnce = AT_ONCE_PER_PROCESSOR * availableParallelism()) {
    this.#clock = clock;
    this.#atOnce = atOnce;
  }

  /** Askers that are remembered. */
  get size(): number {
    return this.#present.size;
  }

  /** Searches that wait for their turn, and the askers whose they are. */
  get waiting(): { readonly searches: number; readonly askers: number } {
    const counts = [...this.#present.values()]
      .map(({ waiting }) => waiting.size)
      .filter((count) => count > 0);
    return { searches: counts.reduce((sum, count) => sum + count, 0), askers: counts.length };
  }

  /**
   * `leave` must follow. @returns null where the asker's turn is now; else a promise of it, which comes after `msMax` at the
   * latest, and at once where nobody waits any more.
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
    const most = this.#isShared() ? this.#atOnce - own.running : Number.POSITIVE_INFINITY;
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
    const cancelTimer = this.#clock.after(msMax, enter);
    abandoned?.addEventListener('abort', enter);
    await promise;
    cancelTimer();
    abandoned?.removeEventListener('abort', enter);
  }

  #seen(asker: number): Present {
    const own = this.#present.get(asker) ?? { running: 0, at: 0, waiting: new Set() };
    own.at = this.#clock.now();
    this.#present.delete(asker);
    this.#present.set(asker, own);
    return own;
  }

  /** Whether several asked lately; forgets those who did not. */
  #isShared(): boolean {
    const since = this.#clock.now() - ASKER_RECENT_MS;
    for (const [asker, { running, at, waiting }] of this.#present) {
      if (at >= since) break;
      if (running === 0 && waiting.size === 0) this.#present.delete(asker);
    }
    return this.#present.size > 1;
  }
}
