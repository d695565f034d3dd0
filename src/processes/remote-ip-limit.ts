import { CLIENTS_MAX } from '../config/limits.ts';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../engine/clock.ts';
import type { Counted, Counts } from './messages.ts';

/** One client in its window, as far as this process knows. */
interface Window {
  /** On the clock's `now`. */
  endsAt: number;
  /** Requests in all processes, as the parent last told, and those here that it was told of since. */
  counted: number;
  /** Requests here that it was not told of yet. */
  untold: number;
}

/**
 * The per-IP speed limit over all processes: the parent adds up what each of them counts. Nobody waits for that, so what
 * comes to several of them in the moment between two messages may pass together and exceed the limit by that much.
 */
export class RemoteIpLimit {
  readonly #clock: Clock;
  readonly #requests: number;
  readonly #windowMs: number;
  readonly #onNeed: () => void;
  readonly #windows = new LRUCache<string, Window>({ max: CLIENTS_MAX });
  readonly #untold = new Set<string>();
  #sent: readonly string[] = [];

  constructor(clock: Clock, requests: number, windowSeconds: number, onNeed: () => void) {
    this.#clock = clock;
    this.#requests = requests;
    this.#windowMs = windowSeconds * 1_000;
    this.#onNeed = onNeed;
  }

  get isWaiting(): boolean {
    return this.#untold.size > 0;
  }

  /** Counts one request. @returns null when it may pass, else the seconds to wait. */
  refuse(client: string): number | null {
    const now = this.#clock.now();
    const window = this.#windowOf(client, now);
    window.untold += 1;
    if (!this.#untold.has(client)) {
      this.#untold.add(client);
      this.#onNeed();
    }
    if (window.counted + window.untold <= this.#requests) return null;
    return Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
  }

  /** What has been counted, on its way to the parent. */
  take(): Counts['clients'] {
    this.#sent = [...this.#untold];
    this.#untold.clear();
    return this.#sent.map((client) => {
      const window = this.#windowOf(client, this.#clock.now());
      const { untold } = window;
      window.counted += untold;
      window.untold = 0;
      return [client, untold];
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
      window = { endsAt: now + this.#windowMs, counted: 0, untold: 0 };
      this.#windows.set(client, window);
    } else if (now >= window.endsAt) {
      window.endsAt = now + this.#windowMs;
      window.counted = 0;
    }
    return window;
  }
}
