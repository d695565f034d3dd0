import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Base } from '../contract/vocabulary.ts';
import { CANCEL_BYTES, CANCEL_SERIALS, cancelBatch } from './cancel.ts';
import type { BaseReply, BaseRequest } from './messages.ts';
import { failed, type Failed, type Outcome } from './outcome.ts';
import type { Abandonment, BasePort, PortStatus } from './port.ts';
import { ThreadWatch } from './thread-watch.ts';

export interface PiscinaPortOptions {
  /** The base file, opened by the threads and not here. */
  readonly file: string;
  readonly base: Base;
  readonly threads: number;
  /** What a thread runs: the entry in `workers/`, or a test's own. */
  readonly entry?: string | undefined;
  /** Told of each thread that had to be given up, for the log. */
  readonly onLeftBehind?: (leftBehind: number) => void;
}

type Outcomes = readonly (Outcome<BaseReply> | null)[];
/** What crosses to a thread: the batch, and the number by which it can be cancelled. */
interface Task {
  readonly serial: number;
  readonly batch: readonly BaseRequest[];
}
type Pool = Piscina<Task, Outcomes>;

/** Longest wait at the end for a thread that does not finish loading; it is then left to the process's end. */
const LOAD_MS_MAX = 10_000;
/** Statements stop themselves at their budget: a batch this long past it will not stop at all. */
const STUCK_MS = 2_000;
const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 30_000;
const ENTRY = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));

/**
 * The local port: a Piscina pool whose threads each hold their own connections. Every option that has a
 * surprising default is set: no more threads than asked, never ended for idleness, one task at a time each,
 * and no queue of the pool's own, for the base actor admits only what the threads can take.
 *
 * What a pool does not do by itself: one whose threads die while they load stays without threads, and one whose
 * threads die later starts others without a rest, so both are made anew, with backoff; and a thread that a
 * statement keeps past its budget is given up for another one, but counted until it has ended, and no more of them than the pool has threads.
 */
export class PiscinaPort implements BasePort {
  readonly #options: PiscinaPortOptions;
  #watch = this.#createWatch();
  /** Tells threads of batches that nobody waits for any more. */
  readonly #cancelled = new SharedArrayBuffer(CANCEL_BYTES);
  /** Ends the batches under way: a promise that they all waited for would keep every answer that ever was. */
  readonly #underWay = new Set<(failure: Failed) => void>();
  #serial = 0;
  #pool: Pool;
  /** Why the pool has no threads, while it has none. */
  #down: Failed | null = null;
  #backoffMs = BACKOFF_MS_MIN;
  #rebuildTimer: ReturnType<typeof setTimeout> | undefined;
  #started = 0;
  #leftBehind = 0;
  readonly #given = new WeakSet<Worker>();
  /** Threads that have died since the last answer. */
  #deaths = 0;
  #stuck = 0;
  #closed = false;

  constructor(options: PiscinaPortOptions) {
    this.#options = options;
    this.#pool = this.#createPool();
  }

  async run(batch: readonly BaseRequest[], abandoned?: Abandonment): Promise<Outcomes> {
    // While none has loaded, a task would only have the pool start them all at once, each making the others slower.
    if (this.#down === null && !this.#watch.hasLoaded) await this.#watch.loaded();
    const refusal = this.#down ?? this.#overload();
    if (refusal !== null) return batch.map(() => refusal);
    const { promise, resolve } = Promise.withResolvers<Outcomes>();
    const fail = (failure: Failed) => {
      resolve(batch.map(() => failure));
    };
    this.#underWay.add(fail);
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
    }
  }

  status(): PortStatus {
    const threads = this.#down === null ? this.#options.threads : 0;
    return {
      threads,
      // A batch that was given up unanswered still has its thread.
      threads_busy: Math.min(threads, this.#underWay.size + this.#stuck),
      threads_left_behind: this.#leftBehind,
      restarts: Math.max(0, this.#started - this.#options.threads),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rebuildTimer);
    await this.#destroy(this.#pool, this.#watch);
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
      // The others start when they are first needed: a start of six bases is then six threads, not more.
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      maxQueue: threads,
      recordTiming: false,
    });
    // A thread's death reaches the caller as a rejected task; without a listener it would end the process.
    pool.on('error', () => undefined);
    // The pool replaces a thread right after it has said that one is gone.
    pool.on('workerDestroy', () => {
      queueMicrotask(() => {
        this.#started += watch.follow(pool.threads);
      });
    });
    this.#started += watch.follow(pool.threads);
    return pool;
  }

  /** The pool starts another thread at once, and would do so for ever: after some without an answer it rests. */
  #countDeath(reason: string): void {
    this.#deaths += 1;
    if (this.#deaths > this.#options.threads) this.#rebuild(`threads die one after the other: ${reason}`);
  }

  /**
   * Puts another pool in the place of this one, after a rest: once a thread has died while it was loading the
   * pool starts no other, and where they die over and over each new one costs a start.
   */
  #rebuild(reason: string): void {
    if (this.#closed || this.#rebuildTimer !== undefined) return;
    this.#down = failed('unavailable', reason);
    for (const fail of this.#underWay) fail(this.#down);
    this.#rebuildTimer = setTimeout(() => {
      void this.#replacePool();
    }, this.#backoffMs).unref();
    this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MS_MAX);
  }

  async #replacePool(): Promise<void> {
    // A thread of the old pool that never tells what became of it must not keep the new one waiting.
    void this.#destroy(this.#pool, this.#watch);
    this.#rebuildTimer = undefined;
    this.#deaths = 0;
    this.#watch = this.#createWatch();
    this.#pool = this.#createPool();
    await loadedOrLate(this.#watch);
    if (this.#rebuildTimer === undefined) this.#down = null;
  }

  /** Ends a pool, once none of its threads is loading: see `ThreadWatch`. */
  async #destroy(pool: Pool, watch: ThreadWatch): Promise<void> {
    if (await loadedOrLate(watch)) await pool.destroy();
  }

  /** Has the pool run a batch, within its limit. @returns what takes the limit back. */
  #start(task: Task, resolve: (outcomes: Outcomes) => void, fail: (failure: Failed) => void): () => void {
    const abort = new AbortController();
    const running = this.#pool.run(task, { signal: abort.signal });
    if (this.#started < this.#options.threads) this.#started += this.#watch.follow(this.#pool.threads);
    const answer = (outcomes: Outcomes) => {
      if (this.#down === null) {
        this.#deaths = 0;
        this.#backoffMs = BACKOFF_MS_MIN;
      }
      resolve(outcomes);
    };
    running.then(answer, (error: unknown) => {
      fail(failed('unavailable', error instanceof Error ? error.message : String(error)));
    });
    return this.#limit(task.batch, () => {
      this.#giveUp(running, abort);
      fail(failed('deadline', 'a statement did not end with its budget'));
    });
  }

  /** Calls back when a batch is well past its longest budget; the time in which threads load does not count. */
  #limit(batch: readonly BaseRequest[], onReached: () => void): () => void {
    const budget = Math.max(0, ...batch.map(budgetOf));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isTakenBack = false;
    const arm = () => {
      if (!isTakenBack) timer = setTimeout(onReached, budget + STUCK_MS);
    };
    if (this.#watch.isLoading) void this.#watch.loaded().then(arm);
    else arm();
    return () => {
      isTakenBack = true;
      clearTimeout(timer);
    };
  }

  /**
   * The last resort: the thread is told to end, which it does when its statement ends, and another starts. One
   * that cannot be told so, being the last of as many as may be left behind, keeps its place in the pool.
   */
  #giveUp(running: Promise<Outcomes>, abort: AbortController): void {
    if (this.#leftBehind >= this.#options.threads || this.#watch.isLoading) {
      this.#stuck += 1;
      const end = () => {
        this.#stuck -= 1;
      };
      running.then(end, end);
      return;
    }
    const given = new Set(this.#pool.threads);
    abort.abort();
    for (const thread of this.#pool.threads) given.delete(thread);
    for (const thread of given) {
      this.#given.add(thread);
      this.#leftBehind += 1;
      thread.once('exit', () => {
        this.#leftBehind -= 1;
      });
    }
    this.#options.onLeftBehind?.(this.#leftBehind);
  }

  #overload(): Failed | null {
    if (this.#stuck < this.#options.threads) return null;
    return failed('overloaded', `${this.#leftBehind} threads left behind and every other one stuck`);
  }
}

/** Waits for a pool's threads to load. @returns false when one takes longer than any should. */
async function loadedOrLate(watch: ThreadWatch): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, LOAD_MS_MAX, false);
  });
  const isLoaded = await Promise.race([watch.loaded().then(() => true), late]);
  clearTimeout(timer);
  return isLoaded;
}

function budgetOf(request: BaseRequest): number {
  return request.budget_ms + (request.kind === 'search' ? (request.count_ms ?? 0) : 0);
}
