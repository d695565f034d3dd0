export const LATE = Symbol('late');

/** Waits for some work so long at the most; what is late goes on, and nobody hears of its end. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => {
    // Where it was this thread that stood still, the work may be done by now.
    setImmediate(resolve, LATE);
  }, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
