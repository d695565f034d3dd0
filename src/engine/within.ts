import { systemClock, type Clock } from './clock.ts';
import type { Abandonment } from './port.ts';

export const LATE = Symbol('late');

/** Waits for some work at most `ms`, or until nobody waits any more. Late work continues, and its result is ignored. */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  clock: Clock = systemClock,
  abandoned?: Abandonment,
): Promise<T | typeof LATE> {
  if (abandoned?.aborted === true) return LATE;
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const end = () => {
    // If the event loop was blocked, the work may have ended too: its events run first, and its result counts.
    clock.soon(() => {
      resolve(LATE);
    });
  };
  const cancelTimer = clock.after(ms, end);
  abandoned?.addEventListener('abort', end);
  try {
    return await Promise.race([work, late]);
  } finally {
    cancelTimer();
    abandoned?.removeEventListener('abort', end);
  }
}
