/** Time, injected: deadlines run on `now`, which never jumps; days are read off `date`, which may. */
export interface Clock {
  /** Milliseconds on a monotonic scale. */
  now(): number;
  /** The wall clock. */
  date(): Date;
  /** Calls `action` once after `ms`; the returned function takes it back. */
  after(ms: number, action: () => void): () => void;
  /** Calls `action` once the events that have come in already have been handled. */
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
