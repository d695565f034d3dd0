import {
  KeyRefused,
  byNameAndAge,
  isStoredKey,
  makeKey,
  refuseInForce,
  refuseUnknown,
  type DamagedKey,
  type KeyStore,
  type StoredKey,
  type StoredKeys,
} from '../keys/store.ts';
import type { Values } from '../shared/values.ts';
import type { Bucket } from './bucket.ts';

/** The bucket of a cluster's keys. The stored keys of a name are one value. */
export const KEYS_BUCKET = 'jur_keys';

/** The keys of a cluster. Changes need the broker, and read it first: another command may have just changed the keys. */
export class BucketKeyStore implements KeyStore {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  list(): StoredKeys {
    return storedKeysIn(this.#bucket.entries);
  }

  async issue(name: string, quota: number | null, now: Date): Promise<string> {
    const { key, stored } = makeKey(name, quota, now);
    await this.#bucket.look();
    await this.#change(name, (known) => {
      refuseInForce(name, known);
      return [...known, stored];
    });
    return key;
  }

  async revoke(name: string, now: Date): Promise<boolean> {
    const revoked_at = now.toISOString();
    await this.#bucket.look();
    return this.#change(name, (known) => {
      if (known.length === 0) refuseUnknown(name, this.list().keys);
      if (known.every((key) => key.revoked_at !== null)) return null;
      return known.map((key) => (key.revoked_at === null ? { ...key, revoked_at } : key));
    });
  }

  /** Adds missing keys, and never undoes a revocation. @returns how many were added. */
  async restore(keys: readonly StoredKey[]): Promise<number> {
    let count = 0;
    await this.#bucket.look();
    for (const [name, own] of Map.groupBy(keys, (key) => key.name)) {
      let put = 0;
      await this.#change(name, (known) => {
        const merged = new Map<string, StoredKey>();
        for (const key of [...known, ...own]) {
          const same = merged.get(key.sha256);
          merged.set(key.sha256, { ...key, ...same, revoked_at: same?.revoked_at ?? key.revoked_at });
        }
        // A value from a lost stream, known only to this process, has no revision.
        const isStored = (this.#bucket.entries.get(placeOf(name))?.revision ?? 0) > 0;
        put = merged.size - (isStored ? known.length : 0);
        const changed = [...merged.values()];
        return isStored && JSON.stringify(changed) === JSON.stringify(known) ? null : changed;
      });
      count += put;
    }
    return count;
  }

  /** Writes the result of `next` for the keys of a name. @returns false if it is null. */
  #change(name: string, next: (known: readonly StoredKey[]) => StoredKey[] | null): Promise<boolean> {
    return this.#bucket.change(placeOf(name), (known) => {
      const changed = next(known === null ? [] : (keysIn(known, name) ?? refuseDamaged(name)));
      return changed === null ? null : JSON.stringify(changed);
    });
  }
}

/** The keys in the values of the bucket. */
export function storedKeysIn(entries: Values['entries']): StoredKeys {
  const keys: StoredKey[] = [];
  const damaged: DamagedKey[] = [];
  for (const [place, { text }] of entries) {
    const name = Buffer.from(place, 'hex').toString();
    const found = keysIn(text, name);
    if (found === null)
      damaged.push({ file: `${KEYS_BUCKET}/${place}`, reason: 'not of the expected shape' });
    else keys.push(...found);
  }
  return { keys: keys.toSorted(byNameAndAge), damaged };
}

/** A name may contain dots, which a bucket's keys may not. */
function placeOf(name: string): string {
  return Buffer.from(name).toString('hex');
}

/** Null if a value is no list of keys with that name. */
function keysIn(text: string, name: string): StoredKey[] | null {
  try {
    const stored: unknown = JSON.parse(text);
    if (!Array.isArray(stored)) return null;
    const keys = stored.filter((one): one is StoredKey => isStoredKey(one));
    return keys.length === stored.length && keys.every((key) => key.name === name) ? keys : null;
  } catch {
    return null;
  }
}

function refuseDamaged(name: string): never {
  throw new KeyRefused('unknown', `what is stored of ${name} is damaged: issue a key under another name`);
}
