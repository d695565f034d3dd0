import { CLIENTS_MAX } from '../config/limits.ts';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../engine/clock.ts';
import type { Counted, Counts } from './messages.ts';

/** One client in its window, as far as this process knows. */
interface Window {
  /** On the clock's `now`. */
  endsAt: number;
  /** Requests in all processes, from the last report of the parent, and those here that were reported since. */
  counted: number;
  /** Requests here that were not reported yet. */
  unreported: number;
}

/**
 * The per-IP speed limit over all processes: the parent adds up what each of them counts. Nobody waits for that, so what
 * comes to several of them in the moment between two messages may pass together: at most the limit in each process.
 */
export class RemoteIpLimit {
  readonly #clock: Clock;
  readonly #requests: number;
  readonly #windowMs: number;
  readonly #onNeed: () => void;
  readonly #windows = new LRUCache<string, Window>({ max: CLIENTS_MAX });
  readonly #unreported = new Set<string>();
  #sent: readonly string[] = [];

  constructor(clock: Clock, requests: number, windowSeconds: number, onNeed: () => void) {
    this.#clock = clock;
    this.#requests = requests;
    this.#windowMs = windowSeconds * 1_000;
    this.#onNeed = onNeed;
  }

  get isWaiting(): boolean {
    return this.#unreported.size > 0;
  }

  /** Counts one request. @returns null when it may pass, else the seconds to wait. */
  refuse(client: string): number | null {
    const now = this.#clock.now();
    const window = this.#windowOf(client, now);
    window.unreported += 1;
    if (!this.#unreported.has(client)) {
      this.#unreported.add(client);
      this.#onNeed();
    }
    if (window.counted + window.unreported <= this.#requests) return null;
    return Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
  }

  /** What has been counted, on its way to the parent. */
  take(): Counts['clients'] {
    this.#sent = [...this.#unreported];
    this.#unreported.clear();
    return this.#sent.map((client) => {
      const window = this.#windowOf(client, this.#clock.now());
      const { unreported } = window;
      window.counted += unreported;
      window.unreported = 0;
      return [client, unreported];
    });
  }

  /** The parent's answer to what was taken, client by client. */
  settle(answers: Counted['clients']): void {
    const now = this.#clock.now();
    for (const [at, client] of this.#sent.entries()) {
      const answer = answers[at];
      if (answer === undefined) continue;
      const window = this.#windowOf(client, now);
      [window.counted] = answer;
      window.endsAt = now + answer[1];
    }
    this.#sent = [];
  }

  #windowOf(client: string, now: number): Window {
    let window = this.#windows.get(client);
    if (window === undefined) {
      window = { endsAt: now + this.#windowMs, counted: 0, unreported: 0 };
      this.#windows.set(client, window);
    } else if (now >= window.endsAt) {
      window.endsAt = now + this.#windowMs;
      window.counted = 0;
    }
    return window;
  }
}
