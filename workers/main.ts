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

/** Answers a batch, JSON text; without one the thread collects its garbage, which it does not do by itself while it waits. */
export default function run(text: string): Ran[] {
  if (text === '') Bun.gc(true);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Thread` sends it
  const batch = text === '' ? [] : (JSON.parse(text) as BaseRequest[]);
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
