// Not by the package's own door, which loads its limiters for every database: 15 ms of a start.
import MemoryStorage from 'rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js';

/**
 * The per-IP speed limit, before everything else (spec sections 7 and 8). Its counts live for one window, so
 * what it keeps is bounded by what one window brings. The counting is the package's own; its limiter around that
 * answers by a promise, for which every request would wait a turn.
 */
export class IpLimit {
  readonly #counts = new MemoryStorage();
  readonly #requests: number;
  readonly #windowSeconds: number;

  constructor(requests: number, windowSeconds: number) {
    this.#requests = requests;
    this.#windowSeconds = windowSeconds;
  }

  /** Counts one request. @returns null when it may pass, else the seconds to wait. */
  refuse(client: string): number | null {
    const { consumedPoints, msBeforeNext } = this.#counts.incrby(client, 1, this.#windowSeconds);
    return consumedPoints <= this.#requests ? null : Math.max(1, Math.ceil(msBeforeNext / 1000));
  }
}
