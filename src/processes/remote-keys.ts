import { FIND_KEY_MS_MAX } from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import { digestOfKey, isWellFormedKey } from '../keys/key.ts';
import type { Keys, ValidKey } from '../keys/ring.ts';

/**
 * The keys in force as the parent tells them. One that is not among them may just have been issued, so the parent is
 * asked for it: it looks at the keys folder then.
 */
export class RemoteKeys implements Keys {
  readonly #clock: Clock;
  readonly #ask: (id: number, key: string) => void;
  readonly #waiting = new Map<number, (key: ValidKey | null) => void>();
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
    return isWellFormedKey(credential) ? this.#find(digest) : null;
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
      resolve(key);
    });
    this.#ask(id, digest);
    return promise;
  }
}

function byId(keys: readonly ValidKey[]): ReadonlyMap<string, ValidKey> {
  return new Map(keys.map((key) => [key.id, key]));
}
