import Database from 'better-sqlite3';
import { workerData } from 'node:worker_threads';
import { isCancelled } from '../src/engine/cancel.ts';
import type { BaseRequest } from '../src/engine/messages.ts';
import { BASES, isOneOf, type Base } from '../src/contract/vocabulary.ts';
import { failed } from '../src/engine/outcome.ts';
import type { Ran } from '../src/engine/port.ts';
import { Handler } from './handler.ts';

// Opening a database loads the native module. It must be loaded before the thread is ready: terminating a thread while it
// loads the module would crash the process.
new Database(':memory:').close();

// Piscina passes the pool's data after another value. The file is opened at the first request: a thread that throws
// at its start would leave its pool without threads.
const given: unknown = Array.isArray(workerData) ? workerData.at(-1) : workerData;
const handler = isThreadData(given) ? new Handler(given.file, given.base, cancelledOf(given)) : null;

/** The task of a pool's thread. */
export default function run({ serial, batch }: { serial: number; batch: readonly BaseRequest[] }): Ran[] {
  // A thread that waits for its next batch runs no timers, so it collects no garbage by itself.
  if (batch.length === 0) Bun.gc(true);
  return (
    handler?.run(batch, serial) ??
    batch.map(() => failed('unavailable', 'the thread has no valid start data'))
  );
}

function isThreadData(data: unknown): data is { readonly file: string; readonly base: Base } {
  if (typeof data !== 'object' || data === null || !('file' in data) || !('base' in data)) return false;
  return typeof data.file === 'string' && isOneOf(BASES, data.base);
}

function cancelledOf(data: object): ((serial: number) => boolean) | undefined {
  if (!('cancelled' in data) || !(data.cancelled instanceof SharedArrayBuffer)) return undefined;
  const memory = new Int32Array(data.cancelled);
  return (serial) => isCancelled(memory, serial);
}
