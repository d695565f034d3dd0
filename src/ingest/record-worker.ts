import { Worker } from 'node:worker_threads';
import type { Base } from '../contract/vocabulary.ts';
import { unpack, type PackedBatch } from './packed.ts';
import type { LineBatch } from './record-maker.ts';
import type { RecordBatch } from '../index/write/record-batch.ts';

const ENTRY = new URL('./record-thread.ts', import.meta.url);

/**
 * Makes records in a second thread, in parallel with the writes. One thread and not a pool, because the answers must come
 * in order: word numbers continue from one batch to the next.
 */
export class RecordWorker {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<RecordBatch>[] = [];
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
      this.#fail(new Error('the record thread has ended'));
      this.#ended.resolve();
    });
  }

  recordsOf(batch: LineBatch): Promise<RecordBatch> {
    const waiting = Promise.withResolvers<RecordBatch>();
    if (this.#failure === null) {
      this.#waiting.push(waiting);
      // This is a worker thread and not a window.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      this.#worker.postMessage(batch);
    } else {
      waiting.reject(this.#failure);
    }
    return waiting.promise;
  }

  /** Asks the thread to end. Terminating a thread while it loads its modules would crash the process. */
  close(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
    this.#worker.postMessage(null);
  }

  /** Resolves when the thread has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  #fail(failure: unknown): void {
    this.#failure ??= failure;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
