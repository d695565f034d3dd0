export const LATE = Symbol('late');

/** Waits at most `ms` for some work. Late work continues, and its result is ignored. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => {
    // If the event loop was blocked, the work may have ended too: its events run first, and its result counts.
    setImmediate(resolve, LATE);
  }, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
