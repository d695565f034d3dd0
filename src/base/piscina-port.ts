import { Piscina } from 'piscina';
import type { Base } from '../contract/enums.ts';
import type { BaseReply, BaseRequest } from './messages.ts';
import { failed, type Outcome } from './outcome.ts';
import type { BasePort } from './port.ts';

export interface PiscinaPortOptions {
  /** The base file, opened by the threads and not here. */
  readonly file: string;
  readonly base: Base;
  readonly threads: number;
  /** What a thread runs: the entry in `workers/`, or a test's own. */
  readonly entry?: string;
}

/** Longest wait at the end for a thread that does not finish loading. */
const LOAD_MS_MAX = 5_000;
const ENTRY = new URL('../../workers/main.ts', import.meta.url).href;

/**
 * The local port: a Piscina pool whose threads each hold their own connection. Every option that has a
 * surprising default is set: as many threads as asked and no more, never ended for idleness, one task at a
 * time each, and no queue of the pool's own, for the base actor admits only what the threads can take.
 */
export class PiscinaPort implements BasePort {
  readonly #pool: Piscina<readonly BaseRequest[], (Outcome<BaseReply> | null)[]>;
  /** Settled once every thread has loaded, or has died of it. */
  readonly #loaded: Promise<unknown>;

  constructor({ file, base, threads, entry = ENTRY }: PiscinaPortOptions) {
    this.#pool = new Piscina({
      filename: entry,
      workerData: { file, base },
      minThreads: threads,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      maxQueue: threads,
      recordTiming: false,
    });
    // A thread's death reaches the caller as a rejected task; without a listener it would end the process.
    this.#pool.on('error', () => undefined);
    // The pool gives each thread one task at a time, so as many empty batches as threads are one for each.
    this.#loaded = Promise.allSettled(Array.from({ length: threads }, () => this.#pool.run([])));
  }

  async run(batch: readonly BaseRequest[]): Promise<readonly (Outcome<BaseReply> | null)[]> {
    try {
      return await this.#pool.run(batch);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return batch.map(() => failed('unavailable', detail));
    }
  }

  /**
   * Waits for threads that are still loading: one that is ended while it loads its native module takes the
   * whole process with it.
   */
  async close(): Promise<void> {
    await Promise.race([this.#loaded, new Promise((resolve) => setTimeout(resolve, LOAD_MS_MAX).unref())]);
    await this.#pool.destroy();
  }
}
