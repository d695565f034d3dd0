/** The time, injected so that tests control it. Deadlines use `now`, which never jumps; calendar days use `date`, which may. */
export interface Clock {
  /** Milliseconds on a monotonic scale. */
  now(): number;
  /** The wall clock. */
  date(): Date;
  /** Calls `action` once after `ms`; the returned function cancels the call. */
  after(ms: number, action: () => void): () => void;
  /** Calls `action` after the events that are already queued, as `setImmediate` does. */
  soon(action: () => void): void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => {
      clearTimeout(timer);
    };
  },
  soon: (action) => {
    setImmediate(action);
  },
};

/** Calls `action` again and again, `ms` after its last end. @returns a function that ends that. */
export function repeat(clock: Clock, ms: number, action: () => void | Promise<void>): () => void {
  let isEnded = false;
  let cancelTimer: (() => void) | null = null;
  const wait = () => {
    if (isEnded) return;
    cancelTimer = clock.after(ms, () => {
      const running = action();
      if (running instanceof Promise) void running.finally(wait);
      else wait();
    });
  };
  wait();
  return () => {
    isEnded = true;
    cancelTimer?.();
  };
}

/** Reports once that nobody waits any more. An AbortSignal is one. */
export interface Abandonment {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export const TIMED_OUT = Symbol('timed out');

/** Waits for some work at most `ms`, or until nobody waits any more. Beyond that the work continues, and its result is ignored. */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  clock: Clock = systemClock,
  abandoned?: Abandonment,
): Promise<T | typeof TIMED_OUT> {
  if (abandoned?.aborted === true) return TIMED_OUT;
  const { promise: timedOut, resolve } = Promise.withResolvers<typeof TIMED_OUT>();
  const end = () => {
    // If the event loop was blocked, the work may have ended too: its events run first, and its result counts.
    clock.soon(() => {
      resolve(TIMED_OUT);
    });
  };
  const cancelTimer = clock.after(ms, end);
  abandoned?.addEventListener('abort', end);
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    cancelTimer();
    abandoned?.removeEventListener('abort', end);
  }
}
