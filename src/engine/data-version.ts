import type { Clock } from './clock.ts';
import { VERSION_FRESH_MS, VERSION_MS_MAX } from '../config/limits.ts';

/**
 * The version of a base's data, as the base itself names it. Callers share one probe: those that come before it leaves
 * for the base, and those that come within `VERSION_FRESH_MS` after. Nobody gets an older version.
 */
export class DataVersion {
  readonly #clock: Clock;
  readonly #ask: () => Promise<string | null>;
  #looking: Promise<string | null> | null = null;
  /** When the probe left for the base; null while it waits in the queue, where it never grows stale. */
  #leftAt: number | null = null;

  /** @param ask sends a probe; it gives null when the base cannot name a version. The caller reports with `leave` when it leaves. */
  constructor(clock: Clock, ask: () => Promise<string | null>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** The version; null when the base does not answer soon. */
  current(): Promise<string | null> {
    const isFresh = this.#leftAt === null || this.#clock.now() - this.#leftAt < VERSION_FRESH_MS;
    if (this.#looking === null || !isFresh) this.#looking = this.#look();
    return this.#looking;
  }

  /** Call this when the probe leaves for the base. */
  leave(): void {
    this.#leftAt ??= this.#clock.now();
  }

  #look(): Promise<string | null> {
    this.#leftAt = null;
    const late = Promise.withResolvers<null>();
    const takeBack = this.#clock.after(VERSION_MS_MAX, () => {
      // The next caller may find the base less busy.
      if (this.#looking === looking) this.#looking = null;
      late.resolve(null);
    });
    const looking = Promise.race([this.#ask(), late.promise]).finally(takeBack);
    return looking;
  }
}
