import { issueKey, readKeys, revokeKey, type StoredKeys } from './store.ts';

/** Issues, lists and revokes keys. Both changes throw KeyRefused, and errors of the folder or the broker. */
export interface KeyStore {
  list(): StoredKeys;
  /** @returns the key, shown once. */
  issue(name: string, quota: number | null, now: Date): string | Promise<string>;
  /** @returns false if it was revoked before. */
  revoke(name: string, now: Date): boolean | Promise<boolean>;
}

/** The keys folder of a data folder. @param waitMs longest wait for the lock. */
export function folderKeys(dataDir: string, waitMs: number): KeyStore {
  return {
    list: () => readKeys(dataDir),
    issue: (name, quota, now) => issueKey(dataDir, name, quota, now, waitMs),
    revoke: (name, now) => revokeKey(dataDir, name, now, waitMs),
  };
}
