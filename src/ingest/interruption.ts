/** Ends a read when the load must stop. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
  }
}

/** Passes chunks through. @throws Interrupted on the signal, even while it waits for a chunk. */
export async function* interruptible<T>(
  chunks: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
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

/** Removes its listener: otherwise the signal would collect one for each chunk. */
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
