import { setImmediate } from 'node:timers/promises';

/** Interval at which the writing of decisions lets timers and signals run. */
const TURN_EVERY_MS = 100;

/** Ends a read when the load must stop. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
  }
}

/** When this thread's event loop had its last turn. */
let turnedAt = 0;

/** Gives timers and signals a turn. Work that never waits, for instance because its data are always ready, keeps them out. */
export async function giveTurn(): Promise<void> {
  if (performance.now() - turnedAt < TURN_EVERY_MS) return;
  await setImmediate();
  turnedAt = performance.now();
}

/** Passes chunks through. @throws Interrupted on the signal, even if a chunk never comes, or all are ready. */
export async function* interruptible<T>(
  chunks: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      await giveTurn();
      const next = await beforeSignal(iterator.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const closed = iterator.return?.();
    // After the signal, `return` would wait for a chunk that may never come.
    if (signal.aborted) closed?.catch(() => undefined);
    else await closed;
  }
}

/** Removes the listener: otherwise the signal would collect one for each chunk. */
function beforeSignal<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = () => {
    reject(new Interrupted());
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  waiting.then(resolve, reject);
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
  });
}
