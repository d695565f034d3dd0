import Database from 'better-sqlite3';
import { workerData } from 'node:worker_threads';
import type { BaseRequest } from '../src/engine/messages.ts';
import { BASES, isOneOf, type Base } from '../src/contract/vocabulary.ts';
import { failed } from '../src/engine/outcome.ts';
import type { Ran } from '../src/engine/port.ts';
import { Handler } from './handler.ts';

// Opening a database loads the native module. It must be loaded before the thread is ready: terminating a thread while it
// loads the module would crash the process.
new Database(':memory:').close();

// Piscina passes the pool's data after another value. The file is opened at the first request: a thread that throws at its
// start counts as one that cannot be loaded.
const given: unknown = Array.isArray(workerData) ? workerData.at(-1) : workerData;
const handler = isThreadData(given) ? new Handler(given.file, given.base, isAbandonedOf(given)) : null;

/** Answers a batch; an empty one has the thread collect its garbage, which it does not do by itself while it waits. */
export default function run(batch: readonly BaseRequest[]): Ran[] {
  if (batch.length === 0) Bun.gc(true);
  return handler?.run(batch) ?? batch.map(() => failed('unavailable', 'the thread has no valid start data'));
}

function isThreadData(data: unknown): data is { readonly file: string; readonly base: Base } {
  if (typeof data !== 'object' || data === null || !('file' in data) || !('base' in data)) return false;
  return typeof data.file === 'string' && isOneOf(BASES, data.base);
}

function isAbandonedOf(data: object): (() => boolean) | undefined {
  if (!('cancelled' in data) || !(data.cancelled instanceof Int32Array)) return undefined;
  const { cancelled } = data;
  return () => Atomics.load(cancelled, 0) === 1;
}
