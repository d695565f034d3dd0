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

/** The place of keys in the bucket. All keys of a name are one value. */
export const KEYS = 'keys';

/** The keys that replicas share. Changes need NATS, and read it first: another command may have just changed the keys. */
export class BucketKeyStore implements KeyStore {
  readonly #bucket: Bucket;
  readonly #values: Values;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
    this.#values = bucket.under(KEYS);
  }

  list(): StoredKeys {
    return storedKeysIn(this.#values.entries);
  }

  async issue(name: string, quota: number | null, now: Date): Promise<string> {
    const { key, stored } = makeKey(name, quota, now);
    await this.#change(name, (known) => {
      refuseInForce(name, known);
      return [...known, stored];
    });
    return key;
  }

  async revoke(name: string, now: Date): Promise<boolean> {
    const revoked_at = now.toISOString();
    return this.#change(name, (known) => {
      if (known.length === 0) refuseUnknown(name, this.list().keys);
      if (known.every((key) => key.revoked_at !== null)) return null;
      return known.map((key) => (key.revoked_at === null ? { ...key, revoked_at } : key));
    });
  }

  /** Adds missing keys, and never undoes a revocation. @returns how many names were written. */
  async restore(keys: readonly StoredKey[]): Promise<number> {
    let count = 0;
    for (const [name, own] of Map.groupBy(keys, (key) => key.name)) {
      const isWritten = await this.#change(name, (known) => {
        const merged = new Map<string, StoredKey>();
        for (const key of [...known, ...own]) {
          const same = merged.get(key.sha256);
          merged.set(key.sha256, { ...key, ...same, revoked_at: same?.revoked_at ?? key.revoked_at });
        }
        const changed = [...merged.values()];
        return JSON.stringify(changed) === JSON.stringify(known) ? null : changed;
      });
      if (isWritten) count += 1;
    }
    return count;
  }

  /** Writes the result of `next` for the keys of a name. @returns false if it is null. */
  #change(name: string, next: (known: readonly StoredKey[]) => StoredKey[] | null): Promise<boolean> {
    return this.#bucket.change(`${KEYS}.${placeOf(name)}`, (known) => {
      const changed = next(known === null ? [] : (keysIn(known, name) ?? refuseDamaged(name)));
      return changed === null ? null : JSON.stringify(changed);
    });
  }
}

/** The keys in values by place. */
export function storedKeysIn(entries: Values['entries']): StoredKeys {
  const keys: StoredKey[] = [];
  const damaged: DamagedKey[] = [];
  for (const [place, { text }] of entries) {
    const found = keysIn(text, Buffer.from(place, 'hex').toString());
    if (found === null) damaged.push({ file: `NATS ${KEYS}.${place}`, reason: 'not of the expected shape' });
    else keys.push(...found);
  }
  return { keys: keys.toSorted(byNameAndAge), damaged };
}

/** A name may contain dots, which separate the parts of a key in the bucket. */
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
