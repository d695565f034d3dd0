/** Thrown out of a reading when the load is to stop. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
  }
}

/** The same chunks; once the signal comes it throws `Interrupted`, also while a chunk is waited for that never comes. */
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
    // After the signal this would wait for the chunk that never comes.
    if (signal.aborted) closed?.catch(() => undefined);
    else await closed;
  }
}

/** The listener is taken away again: one for each chunk would stay for as long as the signal does. */
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
