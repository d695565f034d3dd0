import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import {
  IDLE_MS,
  LATE_MS,
  LEFT_BEHIND_POOLS_MAX,
  POOL_BACK_OFF_MS_MAX,
  POOL_BACK_OFF_MS_MIN,
  STUCK_MS,
  THREAD_END_MS_MAX,
  THREAD_LOAD_MS_MAX,
} from '../config/limits.ts';
import type { Base } from '../contract/vocabulary.ts';
import { CANCEL_BYTES, CANCEL_SERIALS, cancelBatch } from './cancel.ts';
import { FileLook } from './file-look.ts';
import type { BaseRequest } from './messages.ts';
import { failed, type Failed } from './outcome.ts';
import type { Abandonment, BasePort, Look, Outcomes, PortStatus } from './port.ts';
import { countMs } from './requests.ts';
import { ThreadPool, type Task } from './thread-pool.ts';
import { within } from './within.ts';

export interface PiscinaPortOptions {
  /** The base file, opened by the threads and not here. */
  readonly file: string;
  readonly base: Base;
  readonly threads: number;
  /** The file that a thread runs: the entry in `workers/`, or a test's own. */
  readonly entry?: string | undefined;
  /** Called for each abandoned thread with the number of them, for the log. */
  readonly onLeftBehind?: (leftBehind: number) => void;
}

/** A batch that occupies a thread. */
interface Running {
  readonly fail: (failure: Failed) => void;
  /** When its budget ends; unknown while threads load. */
  until: number;
  /** Its statement does not end, and its thread keeps its place in the pool. It has failed already. */
  isStuck: boolean;
}

const NO_THREAD_ANSWERS = 'every thread is blocked by a statement that does not end';
const ENTRY = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));

/**
 * The local port: a pool of threads that each hold their own connections. It adds what the pool lacks:
 * - A pool whose threads die while they load stays without threads; one whose threads die later restarts them without a
 *   pause. The port replaces both, with back-off.
 * - A statement may block a thread past its budget. The port abandons that thread for a new one, counts it until it
 *   ends, and abandons at most as many threads as the pool has.
 * - When all remaining threads are blocked too, the port replaces the pool, once for each base file.
 */
export class PiscinaPort implements BasePort {
  readonly #options: PiscinaPortOptions;
  readonly #file: FileLook;
  /** Where threads see that a batch was cancelled. */
  readonly #cancelled = new SharedArrayBuffer(CANCEL_BYTES);
  readonly #abandoned = new Set<Worker>();
  /** One promise that all batches await would retain every answer ever given. */
  readonly #running = new Set<Running>();
  #serial = 0;
  #pool: ThreadPool;
  /** Threads started in pools before this one. */
  #startedBefore = 0;
  /** Why the pool has no threads; null while it has some. */
  #down: Failed | null = null;
  #rebuildTimer: ReturnType<typeof setTimeout> | undefined;
  #backoffMs = POOL_BACK_OFF_MS_MIN;
  /** The file that blocked all threads when the pool was last replaced; empty after an answer. */
  #stuckOn = '';
  /** Threads that died and threads that were abandoned since the last answer. */
  #lost = { died: 0, abandoned: 0 };
  /** When the latest batch ended, if the threads have not collected their garbage since. */
  #idleSince = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(options: PiscinaPortOptions) {
    this.#options = options;
    this.#file = new FileLook(options.file);
    this.#pool = this.#createPool();
  }

  async run(batch: readonly BaseRequest[], abandoned?: Abandonment): Promise<Outcomes> {
    // Before the first thread has loaded, each task makes the pool start another one, and each slows the others down.
    if (this.#down === null && !this.#pool.hasLoaded) await this.#pool.loaded();
    const refusal = this.#down ?? this.#allStuck();
    if (refusal !== null) return batch.map(() => refusal);
    this.#serial = (this.#serial % CANCEL_SERIALS) + 1;
    const serial = this.#serial;
    const cancel = () => {
      cancelBatch(this.#cancelled, serial);
    };
    abandoned?.addEventListener('abort', cancel);
    try {
      return await this.#start({ serial, batch });
    } finally {
      abandoned?.removeEventListener('abort', cancel);
      this.#idleSince = performance.now();
    }
  }

  async look(): Promise<Look> {
    const late = [...this.#running].filter(isLate).length;
    // An abandoned thread has a successor, of which nothing is known before it answers.
    const isHeld = late + this.#lost.abandoned >= this.#options.threads;
    this.#tidy();
    const { fault, identity } = await this.#file.look();
    if (fault === null && this.#allStuck() !== null) this.#leaveStuck(identity);
    return { fault: fault ?? this.#down?.detail ?? (isHeld ? NO_THREAD_ANSWERS : null), identity };
  }

  status(): PortStatus {
    const threads = this.#down === null ? this.#options.threads : 0;
    return {
      threads,
      threads_busy: Math.min(threads, this.#running.size),
      threads_left_behind: this.#abandoned.size,
      restarts: Math.max(0, this.#startedBefore + this.#pool.started - this.#options.threads),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#rebuildTimer);
    await within(THREAD_LOAD_MS_MAX + THREAD_END_MS_MAX, this.#pool.end());
  }

  /** Has each thread collect its garbage once it has been idle for a while. */
  #tidy(): void {
    const isIdle = this.#running.size === 0 && performance.now() - this.#idleSince > IDLE_MS;
    if (!isIdle || this.#down !== null || this.#pool.isLoading) return;
    this.#idleSince = Number.POSITIVE_INFINITY;
    this.#pool.tidy();
  }

  #createPool(): ThreadPool {
    const { file, base, threads, entry = ENTRY } = this.#options;
    const pool: ThreadPool = new ThreadPool({
      entry,
      workerData: { file, base, cancelled: this.#cancelled },
      threads,
      abandoned: this.#abandoned,
      onDiedLoading: (reason) => {
        if (pool === this.#pool) this.#rebuild(`a thread died while it was loading: ${reason}`);
      },
      // The pool restarts a thread at once, and would do so forever.
      onDied: (reason) => {
        if (pool !== this.#pool) return;
        this.#lost.died += 1;
        if (this.#lost.died > threads) this.#rebuild(`threads keep dying: ${reason}`);
      },
    });
    return pool;
  }

  /** Replaces the pool after a back-off: where threads keep dying each new one costs a start. */
  #rebuild(reason: string): void {
    if (this.#isClosed || this.#rebuildTimer !== undefined) return;
    this.#down = failed('unavailable', reason);
    for (const { fail } of this.#running) fail(this.#down);
    this.#rebuildTimer = setTimeout(() => {
      void this.#replacePool();
    }, this.#backoffMs).unref();
    this.#backoffMs = Math.min(this.#backoffMs * 2, POOL_BACK_OFF_MS_MAX);
  }

  async #replacePool(): Promise<void> {
    // The new pool does not wait for a thread of the old one, which may never end.
    void this.#pool.end();
    this.#rebuildTimer = undefined;
    this.#running.clear();
    this.#lost = { died: 0, abandoned: 0 };
    this.#startedBefore += this.#pool.started;
    this.#pool = this.#createPool();
    await within(THREAD_LOAD_MS_MAX, this.#pool.loaded());
    if (this.#rebuildTimer === undefined) this.#down = null;
  }

  /** Has the pool run a batch within its limit. */
  #start(task: Task): Promise<Outcomes> {
    const { batch } = task;
    const { promise, resolve } = Promise.withResolvers<Outcomes>();
    const abort = new AbortController();
    const running: Running = {
      fail: (failure) => {
        cancelLimit();
        resolve(batch.map(() => failure));
      },
      until: Number.POSITIVE_INFINITY,
      isStuck: false,
    };
    this.#running.add(running);
    const answered = this.#pool.run(task, abort.signal);
    const cancelLimit = this.#limit(running, batch, abort);
    const answer = (outcomes: Outcomes) => {
      this.#running.delete(running);
      cancelLimit();
      if (this.#down === null) {
        this.#lost = { died: 0, abandoned: 0 };
        this.#stuckOn = '';
        this.#backoffMs = POOL_BACK_OFF_MS_MIN;
      }
      resolve(outcomes);
    };
    answered.then(answer, (error: unknown) => {
      this.#running.delete(running);
      running.fail(failed('unavailable', error instanceof Error ? error.message : String(error)));
    });
    return promise;
  }

  /** Fails a batch that runs well past its longest budget. The time in which threads load does not count. */
  #limit(running: Running, batch: readonly BaseRequest[], abort: AbortController): () => void {
    const budget = Math.max(0, ...batch.map((request) => request.budget_ms + countMs(request)));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCancelled = false;
    const arm = () => {
      if (isCancelled) return;
      running.until = performance.now() + budget;
      timer = setTimeout(() => {
        running.fail(failed('deadline', 'a statement did not end with its budget'));
        this.#giveUp(running, abort);
      }, budget + STUCK_MS);
    };
    // A thread whose first task never ends never reports that it has loaded.
    if (this.#pool.isLoading) void within(THREAD_LOAD_MS_MAX, this.#pool.loaded()).then(arm);
    else arm();
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }

  /**
   * The last resort: asks the thread to end, which it does after its statement, and another starts. When too many are
   * abandoned already, the thread keeps its place in the pool.
   */
  #giveUp(running: Running, abort: AbortController): void {
    if (this.#abandoned.size >= this.#options.threads || this.#pool.isLoading) {
      running.isStuck = true;
      return;
    }
    this.#lost.abandoned += this.#pool.abandonBy(() => {
      abort.abort();
    });
    this.#options.onLeftBehind?.(this.#abandoned.size);
  }

  /** Replaces the pool and abandons all its threads, once for each file that blocked them. */
  #leaveStuck(identity: string): void {
    const isTooMany = this.#abandoned.size >= LEFT_BEHIND_POOLS_MAX * this.#options.threads;
    if (identity === this.#stuckOn || isTooMany || this.#down !== null) return;
    this.#stuckOn = identity;
    this.#pool.abandonAll();
    this.#options.onLeftBehind?.(this.#abandoned.size);
    this.#rebuild(NO_THREAD_ANSWERS);
  }

  /** The failure of every batch while all threads are blocked; null otherwise. */
  #allStuck(): Failed | null {
    const stuck = [...this.#running].filter(({ isStuck }) => isStuck).length;
    return stuck < this.#options.threads ? null : failed('unavailable', NO_THREAD_ANSWERS);
  }
}

/** True for a batch well past its budget. */
function isLate({ until }: Running): boolean {
  return performance.now() > until + LATE_MS;
}
