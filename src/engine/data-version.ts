import type { Clock } from './clock.ts';
import type { Abandonment } from './port.ts';
import { VERSION_FRESH_MS, VERSION_MS_MAX } from '../config/limits.ts';

/**
 * The version of a base's data, as its latest reply named it. When that was some time ago, one probe asks again for all
 * who want to know meanwhile.
 */
export class DataVersion {
  readonly #clock: Clock;
  readonly #probe: () => Promise<unknown>;
  #latest: string | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #probing: Promise<unknown> | null = null;

  /** @param probe asks the base, whose reply comes to `note`. */
  constructor(clock: Clock, probe: () => Promise<unknown>) {
    this.#clock = clock;
    this.#probe = probe;
  }

  /** @param askedAt when the request was sent whose reply names the version: the data may have changed since. */
  note(version: string | undefined, askedAt: number): void {
    if (askedAt < this.#askedAt) return;
    this.#latest = version;
    this.#askedAt = askedAt;
  }

  /**
   * Whether this is the version. A promise when the base must be asked; false then, too, when it does not answer soon, or
   * when nobody waits any more.
   */
  isCurrent(version: string | undefined, abandoned?: Abandonment): boolean | Promise<boolean> {
    if (version === undefined) return false;
    if (this.#isFresh) return version === this.#latest;
    return this.#refresh(abandoned).then(() => this.#isFresh && version === this.#latest);
  }

  get #isFresh(): boolean {
    return this.#clock.now() - this.#askedAt < VERSION_FRESH_MS;
  }

  async #refresh(abandoned: Abandonment | undefined): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = null;
    });
    const { promise: over, resolve } = Promise.withResolvers<undefined>();
    const end = () => {
      resolve(undefined);
    };
    const cancelTimer = this.#clock.after(VERSION_MS_MAX, end);
    abandoned?.addEventListener('abort', end);
    await Promise.race([this.#probing, over]);
    cancelTimer();
    abandoned?.removeEventListener('abort', end);
  }
}
