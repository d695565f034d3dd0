import Database from 'better-sqlite3';
import { workerData } from 'node:worker_threads';
import { isCancelled } from '../src/engine/cancel.ts';
import type { BaseReply, BaseRequest } from '../src/engine/messages.ts';
import { BASES, isOneOf, type Base } from '../src/contract/vocabulary.ts';
import { failed, type Outcome } from '../src/engine/outcome.ts';
import { Handler } from './handler.ts';

// The library loads its native module at the first database that is opened. It must be loaded before the
// thread says that it is ready, for a thread that is ended while it loads it takes the whole process with it.
new Database(':memory:').close();

// Piscina hands on what the pool was given behind a value of its own. The path is all a thread needs, and the
// file is opened when first asked for: a thread that throws while it loads would leave its pool without threads.
const given: unknown = Array.isArray(workerData) ? workerData.at(-1) : workerData;
const handler = isThreadData(given) ? new Handler(given.file, given.base, cancelledOf(given)) : null;

/** What a pool's thread runs. */
export default function run({
  serial,
  batch,
}: {
  serial: number;
  batch: readonly BaseRequest[];
}): (Outcome<BaseReply> | null)[] {
  return (
    handler?.run(batch, serial) ?? batch.map(() => failed('unavailable', 'the thread was given no base file'))
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
