import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { STUCK_MS } from '../config/limits.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { BaseRequest } from './messages.ts';
import { failed, type Failed } from './outcome.ts';
import type { Abandonment, Outcomes } from './port.ts';

const LOOP = fileURLToPath(new URL('../../workers/loop.ts', import.meta.url));

/** Requests for a thread, with their sender. */
export interface Batch {
  readonly requests: readonly BaseRequest[];
  readonly abandoned: Abandonment | undefined;
  readonly answer: (outcomes: Outcomes) => void;
}

/** What a thread sends: nothing once it has loaded, then for each batch its outcomes, or what its entry has thrown. */
export interface ThreadReply {
  readonly outcomes?: Outcomes;
  readonly error?: string;
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
  /** It has ended. @param wasLoading its entry throws, or the machine lacks resources. */
  readonly onEnd: (thread: Thread, reason: string, wasLoading: boolean) => void;
}

/**
 * One thread of a pool. It loads, and then is idle or busy with one batch; it is stuck if its batch has failed and does not
 * end. A busy thread reads no messages, so it sees in shared memory that nobody waits for its batch any more.
 */
export class Thread {
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #loaded = Promise.withResolvers<boolean>();
  #batch: Batch | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  state: 'loading' | 'idle' | 'busy' | 'stuck' = 'loading';
  /** When the budget of its batch ends. */
  until = Number.POSITIVE_INFINITY;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { file, base, entry, onEnd } = options;
    this.#worker = new Worker(LOOP, { workerData: { file, base, entry, cancelled: this.#cancelled } });
    this.#worker.on('message', (reply: ThreadReply) => {
      this.#take(reply);
    });
    let reason = 'it ended';
    this.#worker.once('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    this.#worker.once('exit', () => {
      const wasLoading = this.state === 'loading';
      this.#loaded.resolve(false);
      this.fail(failed('unavailable', reason));
      onEnd(this, reason, wasLoading);
    });
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
    this.until = performance.now() + budgetMs;
    this.#timer = setTimeout(() => {
      this.#options.onStuck(this);
    }, budgetMs + STUCK_MS);
    Atomics.store(this.#cancelled, 0, 0);
    abandoned?.addEventListener('abort', this.#cancel);
    this.#send(requests);
  }

  /** Fails its batch, which it may go on with. */
  fail(failure: Failed): void {
    this.#answer(this.#batch?.requests.map(() => failure) ?? []);
  }

  /** Has an idle thread collect its garbage. */
  tidy(): void {
    this.#send([]);
  }

  /** Ends it after its statement. Ending a thread while it loads its native module crashes the process, so not before. */
  async end(): Promise<void> {
    if (await this.#loaded.promise) await this.#worker.terminate();
  }

  #take({ outcomes, error }: ThreadReply): void {
    this.#loaded.resolve(true);
    if (outcomes !== undefined) this.#answer(outcomes);
    else if (error !== undefined) this.fail(failed('unavailable', error));
    this.state = 'idle';
    this.until = Number.POSITIVE_INFINITY;
    this.#options.onIdle(this, outcomes !== undefined);
  }

  #send(requests: readonly BaseRequest[]): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(requests);
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
