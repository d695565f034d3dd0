// Not the package's main module, which loads its limiters for every database: 15 ms of a start.
import MemoryStorage from 'rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js';

/**
 * The per-IP speed limit, before all other checks (spec sections 7 and 8). A count lives for one window, so memory is
 * bounded by the addresses of one window. The package counts; its limiter around that answers with a promise, which
 * would cost every request a turn of the event loop.
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
