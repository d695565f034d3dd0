import { Worker } from 'node:worker_threads';
import type { Base } from '../contract/enums.ts';
import { unpack, type PackedBatch } from './packed.ts';
import type { LineBatch } from './prepare.ts';
import type { PreparedBatch } from '../index/write/prepared.ts';

const ENTRY = new URL('./prepare-thread.ts', import.meta.url);

/**
 * Prepares lines in a thread of its own, so that a load takes as long as the slower of preparing and writing and
 * not as both. A thread and not a pool: batches must be answered in the order in which they were given, for what
 * is learnt goes on from one to the next, and a pool does not promise that.
 */
export class Preparing {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<PreparedBatch>[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #failure: unknown = null;

  constructor(base: Base) {
    this.#worker = new Worker(ENTRY, { workerData: base });
    this.#worker.on('message', (packed: PackedBatch) => {
      this.#waiting.shift()?.resolve(unpack(packed));
    });
    this.#worker.on('error', (error) => {
      this.#fail(error);
    });
    this.#worker.on('exit', () => {
      this.#fail(new Error('the thread that prepares decisions has ended'));
      this.#ended.resolve();
    });
  }

  prepare(batch: LineBatch): Promise<PreparedBatch> {
    const waiting = Promise.withResolvers<PreparedBatch>();
    if (this.#failure === null) {
      this.#waiting.push(waiting);
      // A thread of this process is no window.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      this.#worker.postMessage(batch);
    } else {
      waiting.reject(this.#failure);
    }
    return waiting.promise;
  }

  /** Lets the thread end by itself: one that is ended while it loads takes the process with it. */
  close(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
    this.#worker.postMessage(null);
  }

  /** Settles when the thread has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  #fail(failure: unknown): void {
    this.#failure ??= failure;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
