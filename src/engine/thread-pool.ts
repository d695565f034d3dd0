import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { BaseRequest } from './messages.ts';
import type { Outcomes } from './port.ts';

/** What a thread gets: the batch, and the number that can cancel it. */
export interface Task {
  readonly serial: number;
  readonly batch: readonly BaseRequest[];
}

export interface ThreadPoolOptions {
  /** The file that a thread runs. */
  readonly entry: string;
  readonly workerData: object;
  readonly threads: number;
  /** Abandoned threads that have not ended. */
  readonly abandoned: Set<Worker>;
  /** A thread ended while loading: its entry throws, or the machine lacks resources. The pool starts no other. */
  readonly onDiedLoading: (reason: string) => void;
  /** A thread ended after it had loaded. The pool starts another at once. */
  readonly onDied: (reason: string) => void;
}

/**
 * A Piscina pool and the state of its threads: loading until its first message, then running, abandoned or ended. Options
 * with a surprising default are set: no more threads than asked, no end for idleness, one task at a time each, and no queue
 * in the pool, because the base actor admits only what the threads can take.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #pool: Piscina<Task, Outcomes>;
  readonly #states = new Map<Worker, 'loading' | 'running'>();
  readonly #waiting: (() => void)[] = [];
  /** Threads started in all. */
  started = 0;
  /** True once any thread has loaded. */
  hasLoaded = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    const { entry, workerData, threads } = options;
    this.#pool = new Piscina({
      filename: entry,
      workerData,
      // The others start when needed, so that six bases start with six threads.
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      maxQueue: threads,
      recordTiming: false,
    });
    // A thread's death rejects its task; without a listener the event would end the process.
    this.#pool.on('error', () => undefined);
    // The pool replaces a thread right after this event.
    this.#pool.on('workerDestroy', () => {
      queueMicrotask(() => {
        this.#follow();
      });
    });
    this.#follow();
  }

  /** Ending a thread while it loads its native module crashes the whole process: check this before. */
  get isLoading(): boolean {
    return [...this.#states.values()].includes('loading');
  }

  /** Settles once no thread is loading. */
  async loaded(): Promise<void> {
    if (this.isLoading) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  run(task: Task, signal?: AbortSignal): Promise<Outcomes> {
    const running = this.#pool.run(task, signal === undefined ? {} : { signal });
    // The pool may have started a thread for this task, or in the place of an abandoned one.
    this.#follow();
    return running;
  }

  /** Has each thread collect its garbage. */
  tidy(): void {
    for (const _ of this.#pool.threads) this.run({ serial: 0, batch: [] }).catch(() => undefined);
  }

  /** Abandons the threads that the pool gives up when `act` is called. @returns how many these are. */
  abandonBy(act: () => void): number {
    const before = this.#pool.threads;
    act();
    const given = before.filter((thread) => !this.#pool.threads.includes(thread));
    for (const thread of given) this.#options.abandoned.add(thread);
    return given.length;
  }

  abandonAll(): void {
    for (const thread of this.#pool.threads) this.#options.abandoned.add(thread);
  }

  async end(): Promise<void> {
    await this.loaded();
    await this.#pool.destroy();
  }

  #follow(): void {
    for (const thread of this.#pool.threads) {
      if (this.#states.has(thread)) continue;
      this.started += 1;
      this.#states.set(thread, 'loading');
      let reason = 'it ended';
      // Piscina's own thread code sends its first message after the entry has loaded.
      thread.once('message', () => {
        this.hasLoaded = true;
        this.#states.set(thread, 'running');
        this.#noteLoaded();
      });
      thread.once('error', (error) => {
        reason = error instanceof Error ? error.message : String(error);
      });
      thread.once('exit', () => {
        this.#noteEnd(thread, reason);
      });
    }
  }

  #noteEnd(thread: Worker, reason: string): void {
    const state = this.#states.get(thread);
    this.#states.delete(thread);
    this.#noteLoaded();
    const isAbandoned = this.#options.abandoned.delete(thread);
    if (state === 'loading') this.#options.onDiedLoading(reason);
    else if (!isAbandoned) this.#options.onDied(reason);
  }

  #noteLoaded(): void {
    if (!this.isLoading) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
