import { LRUCache } from 'lru-cache';
import { systemClock, type Clock } from '../clock.ts';

/**
 * The per-IP speed limit, before all other checks. A client's window begins with the first request. The count is removed at the
 * end of the window, so the clients within a window bound the memory.
 */
export class IpLimit {
  readonly #windows: LRUCache<string, { requests: number }>;
  readonly #requests: number;

  constructor(requests: number, windowSeconds: number, clock: Pick<Clock, 'now'> = systemClock) {
    this.#requests = requests;
    this.#windows = new LRUCache({
      ttl: windowSeconds * 1_000,
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: clock,
    });
  }

  /** Counts one request. @returns null when it may pass, else the seconds to wait. */
  refuse(client: string): number | null {
    const window = this.#windows.get(client);
    if (window === undefined) this.#windows.set(client, { requests: 1 });
    else window.requests += 1;
    if ((window?.requests ?? 1) <= this.#requests) return null;
    return Math.max(1, Math.ceil(this.#windows.getRemainingTTL(client) / 1_000));
  }
}
