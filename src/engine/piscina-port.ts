import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Base } from '../contract/vocabulary.ts';
import { CANCEL_BYTES, CANCEL_SERIALS, cancelBatch } from './cancel.ts';
import { FileLook } from './file-look.ts';
import type { BaseReply, BaseRequest } from './messages.ts';
import { failed, type Failed, type Outcome } from './outcome.ts';
import type { Abandonment, BasePort, Look, PortStatus } from './port.ts';
import { ThreadWatch } from './thread-watch.ts';
import { LATE, within } from './within.ts';

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

/** Longest wait at the end for a thread that does not finish loading, or does not end; it is then left to the process's end. */
const LOAD_MS_MAX = 10_000;
const END_MS_MAX = 2_000;
/** Statements stop themselves at their budget: a batch this long past it will not stop at all. */
const STUCK_MS = 2_000;
/** And this long past it, whoever asks for something else of the same thread waits in vain. */
const LATE_MS = 1_000;
/** Threads left behind in all, as many times as the pool has; beyond that only a restart of the service helps. */
const LEFT_BEHIND_POOLS_MAX = 4;
const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 30_000;
const NO_THREAD_ANSWERS = 'every thread is kept by a statement that does not end';
const ENTRY = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));

/**
 * The local port: a Piscina pool whose threads each hold their own connections. Every option that has a
 * surprising default is set: no more threads than asked, never ended for idleness, one task at a time each,
 * and no queue of the pool's own, for the base actor admits only what the threads can take.
 *
 * What a pool does not do by itself: one whose threads die while they load stays without threads, and one whose
 * threads die later starts others without a rest, so both are made anew, with backoff; and a thread that a
 * statement keeps past its budget is given up for another one, but counted until it has ended, and no more of them than
 * the pool has threads. Where all that are left are kept so too, the pool is made anew, and again when the file is another.
 */
export class PiscinaPort implements BasePort {
  readonly #options: PiscinaPortOptions;
  readonly #file: FileLook;
  #watch = this.#createWatch();
  /** Tells threads of batches that nobody waits for any more. */
  readonly #cancelled = new SharedArrayBuffer(CANCEL_BYTES);
  /**
   * The batches under way, by what ends them: a promise that they all waited for would keep every answer that ever was.
   * Each with when its budget is over.
   */
  readonly #underWay = new Map<(failure: Failed) => void, number>();
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
  /** Threads given up since the last answer. */
  #givenUp = 0;
  /** The file that all threads were stuck on when the pool was made anew, since the last answer. */
  #stuckOn = '';
  #closed = false;

  constructor(options: PiscinaPortOptions) {
    this.#options = options;
    this.#file = new FileLook(options.file);
    this.#pool = this.#createPool();
  }

  async run(batch: readonly BaseRequest[], abandoned?: Abandonment): Promise<Outcomes> {
    // While none has loaded, a task would only have the pool start them all at once, each making the others slower.
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
    }
  }

  async look(): Promise<Look> {
    const late = [...this.#underWay.values()].filter(isLate).length;
    // One that was given up has another in its place, of which nothing is known before an answer comes.
    const isHeld = late + this.#stuck + this.#givenUp >= this.#options.threads;
    const { fault, identity } = await this.#file.look();
    if (fault === null && this.#allStuck() !== null) this.#leaveStuck(identity);
    return { fault: fault ?? this.#down?.detail ?? (isHeld ? NO_THREAD_ANSWERS : null), identity };
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
    // None of its threads may be ended while it loads: see `ThreadWatch`.
    if ((await within(LOAD_MS_MAX, this.#watch.loaded())) !== LATE)
      await within(END_MS_MAX, this.#pool.destroy());
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
    for (const fail of this.#underWay.keys()) fail(this.#down);
    this.#rebuildTimer = setTimeout(() => {
      void this.#replacePool();
    }, this.#backoffMs).unref();
    this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MS_MAX);
  }

  async #replacePool(): Promise<void> {
    // A thread of the old pool that never tells what became of it must not keep the new one waiting.
    const old = this.#pool;
    void this.#watch.loaded().then(() => old.destroy());
    this.#rebuildTimer = undefined;
    this.#deaths = 0;
    this.#stuck = 0;
    this.#givenUp = 0;
    this.#watch = this.#createWatch();
    this.#pool = this.#createPool();
    await within(LOAD_MS_MAX, this.#watch.loaded());
    if (this.#rebuildTimer === undefined) this.#down = null;
  }

  /** Has the pool run a batch, within its limit. @returns what takes the limit back. */
  #start(task: Task, resolve: (outcomes: Outcomes) => void, fail: (failure: Failed) => void): () => void {
    const abort = new AbortController();
    const running = this.#pool.run(task, { signal: abort.signal });
    // It starts one when it is needed, also in the place of one that was given up.
    this.#started += this.#watch.follow(this.#pool.threads);
    const answer = (outcomes: Outcomes) => {
      if (this.#down === null) {
        this.#deaths = 0;
        this.#givenUp = 0;
        this.#stuckOn = '';
        this.#backoffMs = BACKOFF_MS_MIN;
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

  /** Calls back when a batch is well past its longest budget; the time in which threads load does not count. */
  #limit(batch: readonly BaseRequest[], fail: (failure: Failed) => void, onReached: () => void): () => void {
    const budget = Math.max(0, ...batch.map(budgetOf));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isTakenBack = false;
    const arm = () => {
      if (isTakenBack) return;
      this.#underWay.set(fail, performance.now() + budget);
      timer = setTimeout(onReached, budget + STUCK_MS);
    };
    // A thread whose first task does not end has not said that it has loaded, and never will.
    if (this.#watch.isLoading) void within(LOAD_MS_MAX, this.#watch.loaded()).then(arm);
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

  /** Makes the pool anew without its threads, once for each file that they were all stuck on. */
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

  /** Why no batch is taken, when none can be. */
  #allStuck(): Failed | null {
    return this.#stuck < this.#options.threads ? null : failed('unavailable', NO_THREAD_ANSWERS);
  }
}

/** True for a batch whose budget has long been over. */
function isLate(until: number): boolean {
  return performance.now() > until + LATE_MS;
}

function budgetOf(request: BaseRequest): number {
  return request.budget_ms + (request.kind === 'search' ? (request.count_ms ?? 0) : 0);
}
