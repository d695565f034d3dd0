import type { Worker } from 'node:worker_threads';

/** The ends of threads. A thread is loading until its first message. */
export interface ThreadEvents {
  /** A thread ended while loading: its entry throws, or the machine lacks resources. */
  readonly diedLoading: (reason: string) => void;
  /** A thread ended after it had loaded. */
  readonly died: (thread: Worker, reason: string) => void;
}

/**
 * Follows a pool's threads from start to exit. Ending a thread while it loads its native module crashes the whole
 * process, so code that ends threads must first check here.
 */
export class ThreadWatch {
  readonly #events: ThreadEvents;
  readonly #seen = new WeakSet<Worker>();
  readonly #loading = new Set<Worker>();
  readonly #waiting: (() => void)[] = [];
  #hasLoaded = false;

  constructor(events: ThreadEvents) {
    this.#events = events;
  }

  /** Follows threads not seen before. @returns how many there were. */
  follow(threads: readonly Worker[]): number {
    const fresh = threads.filter((thread) => !this.#seen.has(thread));
    for (const thread of fresh) this.#follow(thread);
    return fresh.length;
  }

  get isLoading(): boolean {
    return this.#loading.size > 0;
  }

  /** True once any thread has loaded. */
  get hasLoaded(): boolean {
    return this.#hasLoaded;
  }

  /** Settles once no thread is loading. */
  loaded(): Promise<void> {
    if (this.#loading.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #follow(thread: Worker): void {
    this.#seen.add(thread);
    this.#loading.add(thread);
    // The pool's own thread code sends its first message after the entry has loaded.
    thread.once('message', () => {
      this.#hasLoaded = true;
      this.#settle(thread);
    });
    let reason = 'it ended';
    thread.once('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    thread.once('exit', () => {
      const wasLoading = this.#loading.has(thread);
      this.#settle(thread);
      if (wasLoading) this.#events.diedLoading(reason);
      else this.#events.died(thread, reason);
    });
  }

  #settle(thread: Worker): void {
    if (!this.#loading.delete(thread) || this.#loading.size > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
