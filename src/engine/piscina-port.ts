import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Base } from '../contract/vocabulary.ts';
import { CANCEL_BYTES, CANCEL_SERIALS, cancelBatch } from './cancel.ts';
import { FileLook } from './file-look.ts';
import type { BaseRequest } from './messages.ts';
import { failed, type Failed } from './outcome.ts';
import type { Abandonment, BasePort, Look, Outcomes, PortStatus } from './port.ts';
import { countMs } from './requests.ts';
import { ThreadWatch } from './thread-watch.ts';
import { LATE, within } from './within.ts';
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

/** What a thread gets: the batch, and the number that can cancel it. */
interface Task {
  readonly serial: number;
  readonly batch: readonly BaseRequest[];
}
type Pool = Piscina<Task, Outcomes>;

const NO_THREAD_ANSWERS = 'every thread is blocked by a statement that does not end';
const ENTRY = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));

/**
 * The local port: a Piscina pool whose threads each hold their own connections. Options with a surprising default are
 * set: no more threads than asked, no end for idleness, one task at a time each, and no queue in the pool, because the
 * base actor admits only what the threads can take.
 *
 * The port adds what the pool lacks:
 * - A pool whose threads die while they load stays without threads; one whose threads die later restarts them without a
 *   pause. The port replaces both, with back-off.
 * - A statement may block a thread past its budget. The port abandons that thread for a new one, counts it until it
 *   ends, and abandons at most as many threads as the pool has.
 * - When all remaining threads are blocked too, the port replaces the pool, once for each base file.
 */
export class PiscinaPort implements BasePort {
  readonly #options: PiscinaPortOptions;
  readonly #file: FileLook;
  #watch = this.#createWatch();
  /** Where threads see that a batch was cancelled. */
  readonly #cancelled = new SharedArrayBuffer(CANCEL_BYTES);
  /**
   * The batches under way: the function that fails a batch, and when its budget ends. One promise that all batches
   * await would retain every answer ever given.
   */
  readonly #underWay = new Map<(failure: Failed) => void, number>();
  #serial = 0;
  #pool: Pool;
  /** Why the pool has no threads; null while it has some. */
  #down: Failed | null = null;
  #backoffMs = POOL_BACK_OFF_MS_MIN;
  #rebuildTimer: ReturnType<typeof setTimeout> | undefined;
  #started = 0;
  #leftBehind = 0;
  readonly #given = new WeakSet<Worker>();
  /** Threads that died since the last answer. */
  #deaths = 0;
  #stuck = 0;
  /** Threads abandoned since the last answer. */
  #givenUp = 0;
  /** When the latest batch ended, and whether the threads have collected their garbage since. */
  #idleSince = 0;
  #isTidy = true;
  /** The file that blocked all threads when the pool was last replaced; empty after an answer. */
  #stuckOn = '';
  #closed = false;

  constructor(options: PiscinaPortOptions) {
    this.#options = options;
    this.#file = new FileLook(options.file);
    this.#pool = this.#createPool();
  }

  async run(batch: readonly BaseRequest[], abandoned?: Abandonment): Promise<Outcomes> {
    // Before the first thread has loaded, each task makes the pool start another one, and each slows the others down.
    if (this.#down === null && !this.#watch.hasLoaded) await this.#watch.loaded();
    const refusal = this.#down ?? this.#allStuck();
    if (refusal !== null) return batch.map(() => refusal);
    const { promise, resolve } = Promise.withResolvers<Outcomes>();
    const fail = (failure: Failed) => {
      resolve(batch.map(() => failure));
    };
    this.#underWay.set(fail, Number.POSITIVE_INFINITY);
    this.#serial = (this.#serial % CANCEL_SERIALS) + 1;
    const serial = this.#serial;
    const cancel = () => {
      cancelBatch(this.#cancelled, serial);
    };
    abandoned?.addEventListener('abort', cancel);
    const takeBack = this.#start({ serial, batch }, resolve, fail);
    try {
      return await promise;
    } finally {
      takeBack();
      abandoned?.removeEventListener('abort', cancel);
      this.#underWay.delete(fail);
      this.#idleSince = performance.now();
      this.#isTidy = false;
    }
  }

  async look(): Promise<Look> {
    const late = [...this.#underWay.values()].filter(isLate).length;
    // An abandoned thread has a successor, of which nothing is known before it answers.
    const isHeld = late + this.#stuck + this.#givenUp >= this.#options.threads;
    this.#tidy();
    const { fault, identity } = await this.#file.look();
    if (fault === null && this.#allStuck() !== null) this.#leaveStuck(identity);
    return { fault: fault ?? this.#down?.detail ?? (isHeld ? NO_THREAD_ANSWERS : null), identity };
  }

  status(): PortStatus {
    const threads = this.#down === null ? this.#options.threads : 0;
    return {
      threads,
      // A batch that failed unanswered still occupies its thread.
      threads_busy: Math.min(threads, this.#underWay.size + this.#stuck),
      threads_left_behind: this.#leftBehind,
      restarts: Math.max(0, this.#started - this.#options.threads),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rebuildTimer);
    // A thread must not be ended while it loads: see `ThreadWatch`.
    if ((await within(THREAD_LOAD_MS_MAX, this.#watch.loaded())) !== LATE)
      await within(THREAD_END_MS_MAX, this.#pool.destroy());
  }

  /** Has each thread collect its garbage once it has been idle for a while. */
  #tidy(): void {
    const isIdle = this.#underWay.size === 0 && performance.now() - this.#idleSince > IDLE_MS;
    if (this.#isTidy || !isIdle || this.#down !== null || this.#watch.isLoading) return;
    this.#isTidy = true;
    for (const _ of this.#pool.threads) this.#pool.run({ serial: 0, batch: [] }).catch(() => undefined);
  }

  #createWatch(): ThreadWatch {
    const watch: ThreadWatch = new ThreadWatch({
      diedLoading: (reason) => {
        if (watch === this.#watch) this.#rebuild(`a thread died while it was loading: ${reason}`);
      },
      died: (thread, reason) => {
        if (watch === this.#watch && !this.#given.has(thread)) this.#countDeath(reason);
      },
    });
    return watch;
  }

  #createPool(): Pool {
    const { file, base, threads, entry = ENTRY } = this.#options;
    const watch = this.#watch;
    const pool: Pool = new Piscina({
      filename: entry,
      workerData: { file, base, cancelled: this.#cancelled },
      // The others start when needed, so that six bases start with six threads.
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      maxQueue: threads,
      recordTiming: false,
    });
    // A thread's death rejects its task; without a listener the event would end the process.
    pool.on('error', () => undefined);
    // The pool replaces a thread right after this event.
    pool.on('workerDestroy', () => {
      queueMicrotask(() => {
        this.#started += watch.follow(pool.threads);
      });
    });
    this.#started += watch.follow(pool.threads);
    return pool;
  }

  /** The pool restarts a thread at once, and would do so forever. After some deaths without an answer the port backs off. */
  #countDeath(reason: string): void {
    this.#deaths += 1;
    if (this.#deaths > this.#options.threads) this.#rebuild(`threads keep dying: ${reason}`);
  }

  /**
   * Replaces the pool after a back-off: once a thread died while loading the pool starts no other, and where threads
   * keep dying each new one costs a start.
   */
  #rebuild(reason: string): void {
    if (this.#closed || this.#rebuildTimer !== undefined) return;
    this.#down = failed('unavailable', reason);
    for (const fail of this.#underWay.keys()) fail(this.#down);
    this.#rebuildTimer = setTimeout(() => {
      void this.#replacePool();
    }, this.#backoffMs).unref();
    this.#backoffMs = Math.min(this.#backoffMs * 2, POOL_BACK_OFF_MS_MAX);
  }

  async #replacePool(): Promise<void> {
    // The new pool does not wait for a thread of the old one, which may never end.
    const old = this.#pool;
    void this.#watch.loaded().then(() => old.destroy());
    this.#rebuildTimer = undefined;
    this.#deaths = 0;
    this.#stuck = 0;
    this.#givenUp = 0;
    this.#watch = this.#createWatch();
    this.#pool = this.#createPool();
    await within(THREAD_LOAD_MS_MAX, this.#watch.loaded());
    if (this.#rebuildTimer === undefined) this.#down = null;
  }

  /** Has the pool run a batch within its limit. @returns a function that cancels the limit. */
  #start(task: Task, resolve: (outcomes: Outcomes) => void, fail: (failure: Failed) => void): () => void {
    const abort = new AbortController();
    const running = this.#pool.run(task, { signal: abort.signal });
    // The pool may have started a thread for this task, or in the place of an abandoned one.
    this.#started += this.#watch.follow(this.#pool.threads);
    const answer = (outcomes: Outcomes) => {
      if (this.#down === null) {
        this.#deaths = 0;
        this.#givenUp = 0;
        this.#stuckOn = '';
        this.#backoffMs = POOL_BACK_OFF_MS_MIN;
      }
      resolve(outcomes);
    };
    running.then(answer, (error: unknown) => {
      fail(failed('unavailable', error instanceof Error ? error.message : String(error)));
    });
    return this.#limit(task.batch, fail, () => {
      this.#giveUp(running, abort);
      fail(failed('deadline', 'a statement did not end with its budget'));
    });
  }

  /** Calls `onReached` when a batch runs well past its longest budget; the time in which threads load does not count. */
  #limit(batch: readonly BaseRequest[], fail: (failure: Failed) => void, onReached: () => void): () => void {
    const budget = Math.max(0, ...batch.map((request) => request.budget_ms + countMs(request)));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isTakenBack = false;
    const arm = () => {
      if (isTakenBack) return;
      this.#underWay.set(fail, performance.now() + budget);
      timer = setTimeout(onReached, budget + STUCK_MS);
    };
    // A thread whose first task never ends never reports that it has loaded.
    if (this.#watch.isLoading) void within(THREAD_LOAD_MS_MAX, this.#watch.loaded()).then(arm);
    else arm();
    return () => {
      isTakenBack = true;
      clearTimeout(timer);
    };
  }

  /**
   * The last resort: asks the thread to end, which it does after its statement, and another starts. When too many are
   * abandoned already, the thread keeps its place in the pool.
   */
  #giveUp(running: Promise<Outcomes>, abort: AbortController): void {
    if (this.#leftBehind >= this.#options.threads || this.#watch.isLoading) {
      this.#keep(running);
      return;
    }
    const given = new Set(this.#pool.threads);
    abort.abort();
    for (const thread of this.#pool.threads) given.delete(thread);
    this.#givenUp += given.size;
    this.#leaveBehind(given);
  }

  #keep(running: Promise<Outcomes>): void {
    const pool = this.#pool;
    this.#stuck += 1;
    const end = () => {
      if (pool === this.#pool) this.#stuck -= 1;
    };
    running.then(end, end);
  }

  /** Replaces the pool and abandons all its threads, once for each file that blocked them. */
  #leaveStuck(identity: string): void {
    const isTooMany = this.#leftBehind >= LEFT_BEHIND_POOLS_MAX * this.#options.threads;
    if (identity === this.#stuckOn || isTooMany || this.#down !== null) return;
    this.#stuckOn = identity;
    this.#leaveBehind(this.#pool.threads);
    this.#rebuild(NO_THREAD_ANSWERS);
  }

  #leaveBehind(threads: Iterable<Worker>): void {
    for (const thread of threads) {
      this.#given.add(thread);
      this.#leftBehind += 1;
      thread.once('exit', () => {
        this.#leftBehind -= 1;
      });
    }
    this.#options.onLeftBehind?.(this.#leftBehind);
  }

  /** The failure of every batch while all threads are blocked; null otherwise. */
  #allStuck(): Failed | null {
    return this.#stuck < this.#options.threads ? null : failed('unavailable', NO_THREAD_ANSWERS);
  }
}

/** True for a batch well past its budget. */
function isLate(until: number): boolean {
  return performance.now() > until + LATE_MS;
}
