// The package has types for the whole of it, and none beside its parts.
declare module 'rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js' {
  import type { RateLimiterRes } from 'rate-limiter-flexible';

  /** Counts by key, each in a window that begins with its first. */
  export default class MemoryStorage {
    incrby(key: string, value: number, windowSeconds: number): RateLimiterRes;
  }
}
