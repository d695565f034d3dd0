import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Base } from '../contract/vocabulary.ts';
import type { BaseRequest } from './messages.ts';
import { failed, type Failed } from './outcome.ts';
import type { Outcomes } from './port.ts';
import type { Abandonment } from '../clock.ts';

/** What is this much overdue is given up: a batch after its budget, the end of a thread, a look at a file that may hang. */
export const OVERDUE_MS = 2_000;

/** Requests for a thread, with their sender. */
export interface Batch {
  readonly requests: readonly BaseRequest[];
  readonly abandoned: Abandonment | undefined;
  readonly answer: (outcomes: Outcomes) => void;
}

export interface ThreadOptions {
  readonly file: string;
  readonly base: Base;
  /** The module whose default export answers a batch. */
  readonly entry: string;
  /** It has loaded, or its batch has ended. @param isAnswer false if it has loaded, or its entry has thrown. */
  readonly onIdle: (thread: Thread, isAnswer: boolean) => void;
  /** Its batch runs well past its longest budget: its statement does not end. */
  readonly onStuck: (thread: Thread) => void;
  /** It has ended. */
  readonly onEnd: (thread: Thread, reason: string) => void;
}

/**
 * One thread, as a Piscina pool of one. It loads, and then is idle or busy with one batch. A busy thread reads no messages, so it
 * sees in shared memory that nobody waits for its batch any more.
 */
export class Thread {
  readonly #options: ThreadOptions;
  /** Takes a batch as JSON text, which costs the main thread less than a structured clone. */
  readonly #pool: Piscina<string, Outcomes>;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #loaded = Promise.withResolvers<boolean>();
  #batch: Batch | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  state: 'loading' | 'idle' | 'busy' = 'loading';

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { file, base, entry } = options;
    this.#pool = new Piscina({
      filename: entry,
      workerData: { file, base, cancelled: this.#cancelled },
      // A pool of at least one thread would replace a dead one at once, and so forever.
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      recordTiming: false,
    });
    // A thread's death rejects its task; without a listener the event would end the process.
    this.#pool.on('error', () => undefined);
    // The pool starts its thread for the first task.
    this.tidy();
    for (const worker of this.#pool.threads) this.#follow(worker);
  }

  /** True once it has loaded, false if it has ended before. */
  get loaded(): Promise<boolean> {
    return this.#loaded.promise;
  }

  /** Runs a batch on an idle thread. */
  run(batch: Batch): void {
    const { requests, abandoned } = batch;
    const budgetMs = Math.max(0, ...requests.map(({ budget_ms }) => budget_ms));
    this.state = 'busy';
    this.#batch = batch;
    this.#timer = setTimeout(() => {
      this.#options.onStuck(this);
    }, budgetMs + OVERDUE_MS);
    // No listener is called for what was aborted before.
    Atomics.store(this.#cancelled, 0, abandoned?.aborted === true ? 1 : 0);
    abandoned?.addEventListener('abort', this.#cancel);
    void this.#send(requests);
  }

  /** Fails its batch, which it may go on with. */
  fail(failure: Failed): void {
    this.#answer(this.#batch?.requests.map(() => failure) ?? []);
  }

  /** Has it collect its garbage. */
  tidy(): void {
    this.#pool.run('').catch(() => undefined);
  }

  /** Ends it after its statement. Ending a thread while it loads its native module crashes the process, so not before. */
  async end(): Promise<void> {
    if (await this.#loaded.promise) await this.#pool.destroy();
  }

  #follow(worker: Worker): void {
    let reason = 'it ended';
    // Piscina's own thread code sends its first message after the entry has loaded.
    worker.once('message', () => {
      this.#loaded.resolve(true);
      this.#rest(false);
    });
    worker.once('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.once('exit', () => {
      this.#loaded.resolve(false);
      this.fail(failed('unavailable', reason));
      this.#options.onEnd(this, reason);
    });
  }

  async #send(requests: readonly BaseRequest[]): Promise<void> {
    try {
      this.#answer(await this.#pool.run(JSON.stringify(requests)));
      this.#rest(true);
    } catch (error) {
      // The end of the thread fails its batch.
      if (this.#pool.threads.length === 0) return;
      this.fail(failed('unavailable', error instanceof Error ? error.message : String(error)));
      this.#rest(false);
    }
  }

  #rest(isAnswer: boolean): void {
    this.state = 'idle';
    this.#options.onIdle(this, isAnswer);
  }

  #answer(outcomes: Outcomes): void {
    clearTimeout(this.#timer);
    this.#batch?.abandoned?.removeEventListener('abort', this.#cancel);
    this.#batch?.answer(outcomes);
    this.#batch = null;
  }

  readonly #cancel = (): void => {
    Atomics.store(this.#cancelled, 0, 1);
  };
}
