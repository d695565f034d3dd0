import { FIND_KEY_MS_MAX, KEYS_LOOK_FOR_UNKNOWN_MS } from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import { digestOfKey, isWellFormedKey } from '../keys/key.ts';
import type { Keys, ValidKey } from '../keys/ring.ts';

/**
 * The keys in force as the parent tells them. One that is not among them may just have been issued, so the parent is
 * asked for it, not more often than it looks at the keys folder for such a key.
 */
export class RemoteKeys implements Keys {
  readonly #clock: Clock;
  readonly #ask: (id: number, key: string) => void;
  readonly #waiting = new Map<number, (key: ValidKey | null) => void>();
  /** The questions on their way, by what they ask for. */
  readonly #asked = new Map<string, Promise<ValidKey | null>>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #known: ReadonlyMap<string, ValidKey>;
  #count = 0;

  /** @param ask sends the question. */
  constructor(clock: Clock, keys: readonly ValidKey[], ask: (id: number, key: string) => void) {
    this.#clock = clock;
    this.#ask = ask;
    this.#known = byId(keys);
  }

  find(credential: string): ValidKey | null | Promise<ValidKey | null> {
    const digest = digestOfKey(credential);
    const known = this.#known.get(digest);
    if (known !== undefined) return known;
    const asked = this.#asked.get(digest);
    if (asked !== undefined) return asked;
    const now = this.#clock.now();
    if (!isWellFormedKey(credential) || now - this.#askedAt < KEYS_LOOK_FOR_UNKNOWN_MS) return null;
    this.#askedAt = now;
    return this.#find(digest);
  }

  /** All keys in force from now on. */
  take(keys: readonly ValidKey[]): void {
    this.#known = byId(keys);
  }

  /** The parent's answer. */
  found(id: number, key: ValidKey | null): void {
    this.#waiting.get(id)?.(key);
  }

  #find(digest: string): Promise<ValidKey | null> {
    this.#count += 1;
    const id = this.#count;
    const { promise, resolve } = Promise.withResolvers<ValidKey | null>();
    const takeBack = this.#clock.after(FIND_KEY_MS_MAX, () => {
      this.found(id, null);
    });
    this.#waiting.set(id, (key) => {
      takeBack();
      this.#waiting.delete(id);
      this.#asked.delete(digest);
      resolve(key);
    });
    this.#asked.set(digest, promise);
    this.#ask(id, digest);
    return promise;
  }
}

function byId(keys: readonly ValidKey[]): ReadonlyMap<string, ValidKey> {
  return new Map(keys.map((key) => [key.id, key]));
}
