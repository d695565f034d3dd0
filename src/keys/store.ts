import { join } from 'node:path';
import { systemClock, type Clock } from '../clock.ts';
import { underLock, LOCK_WAIT_MS } from '../process/lock.ts';
import { FolderValues, type Value, type Values } from '../shared/values.ts';
import { digestOfKey, mayHoldKey, newKey } from './key.ts';

/** The stored form of a key, without the key itself. Each key has a separate file, so that commands do not collide. */
export interface StoredKey {
  readonly name: string;
  readonly sha256: string;
  /** An individual daily quota; null: the configured quota. */
  readonly quota_per_day: number | null;
  readonly issued_at: string;
  readonly revoked_at: string | null;
}

export const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;
/** Name of the demo's key. */
export const DEMO_KEY_NAME = 'demo';
const DIGEST = /^[0-9a-f]{64}$/u;

export function keysFolder(dataDir: string): string {
  return join(dataDir, 'keys');
}

/** An unreadable key file, which grants nothing, and the reason, for the operator. */
export interface DamagedKey {
  readonly file: string;
  readonly reason: string;
}

/** Why a key is not issued or revoked. */
export class KeyRefused extends Error {
  readonly why: 'bad name' | 'in force' | 'unknown';

  constructor(why: KeyRefused['why'], message: string) {
    super(message);
    this.why = why;
  }
}

/** By name, and then by date of issue. */
export interface StoredKeys {
  readonly keys: readonly StoredKey[];
  readonly damaged: readonly DamagedKey[];
}

/** All keys of a data folder, and the damaged files. A missing folder counts as empty. */
export function readKeys(dataDir: string): StoredKeys {
  return keysIn(dataDir, openKeyFiles(dataDir));
}

/** The key files of a data folder, a key per file. @param onFault without it a fault of the folder is thrown. */
export function openKeyFiles(
  dataDir: string,
  clock: Clock = systemClock,
  onFault?: (reason: string) => void,
): FolderValues {
  return new FolderValues({
    folder: keysFolder(dataDir),
    clock,
    isWhole: isKey,
    ...(onFault !== undefined && { onFault }),
  });
}

export function keysIn(dataDir: string, { entries }: Pick<Values, 'entries'>): StoredKeys {
  const keys: StoredKey[] = [];
  const damaged: DamagedKey[] = [];
  for (const [place, value] of entries) {
    const found = keyIn(place, value);
    if (typeof found !== 'string') keys.push(found);
    else damaged.push({ file: join(keysFolder(dataDir), `${place}.json`), reason: found });
  }
  return { keys: keys.toSorted(byNameAndAge), damaged };
}

function isKey(place: string, value: Value): boolean {
  return typeof keyIn(place, value) !== 'string';
}

/** The key in a file, or why the file is damaged. */
function keyIn(place: string, { text, fault }: Value): StoredKey | string {
  if (fault !== undefined) return fault;
  try {
    const stored: unknown = JSON.parse(text);
    return isStoredKey(stored) && belongsIn(place, stored.name) ? stored : 'not of the expected shape';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Written by hand: keys are read at every start, and a schema would load the schema library. */
export function isStoredKey(stored: unknown): stored is StoredKey {
  if (typeof stored !== 'object' || stored === null) return false;
  const { name, sha256, quota_per_day, issued_at, revoked_at }: Partial<Record<keyof StoredKey, unknown>> =
    stored;
  const isNamed = typeof name === 'string' && KEY_NAME.test(name);
  const isDigested = typeof sha256 === 'string' && DIGEST.test(sha256);
  const isBounded = quota_per_day === null || (Number.isInteger(quota_per_day) && Number(quota_per_day) >= 1);
  const isDated = typeof issued_at === 'string' && (revoked_at === null || typeof revoked_at === 'string');
  return isNamed && isDigested && isBounded && isDated;
}

/** By name, and then by date of issue. */
export function byNameAndAge(a: StoredKey, b: StoredKey): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.issued_at < b.issued_at ? -1 : 1;
}

/** Issues a key, shown once, under a name without a valid one. @throws KeyRefused, LockBusy after `waitMs`, system errors. */
export function issueKey(
  dataDir: string,
  name: string,
  quota: number | null,
  now: Date,
  waitMs = LOCK_WAIT_MS,
): string {
  const { key, stored } = makeKey(name, quota, now);
  return underLock(dataDir, waitMs, () => {
    const files = openKeyFiles(dataDir);
    refuseInForce(name, keysIn(dataDir, files).keys);
    files.put(freePlace(files, name), textOf(stored));
    return key;
  });
}

/** A new key and the form to store. @throws KeyRefused if the name is invalid. */
export function makeKey(name: string, quota: number | null, now: Date): { key: string; stored: StoredKey } {
  if (!KEY_NAME.test(name)) {
    const rule =
      'a name has 1 to 64 letters, digits, dots, hyphens and underscores, and begins with a letter or digit';
    throw new KeyRefused('bad name', rule);
  }
  if (mayHoldKey(name)) {
    throw new KeyRefused(
      'bad name',
      'the name looks like a key, and names appear in lists and logs; choose another name',
    );
  }
  const key = newKey();
  const stored: StoredKey = {
    name,
    sha256: digestOfKey(key),
    quota_per_day: quota,
    issued_at: now.toISOString(),
    revoked_at: null,
  };
  return { key, stored };
}

/** Refuses a name that has a valid key. @param known keys, of that name or of all. @throws KeyRefused */
export function refuseInForce(name: string, known: readonly StoredKey[]): void {
  if (!known.some((key) => key.name === name && key.revoked_at === null)) return;
  throw new KeyRefused('in force', `there is a key named ${name}; revoke it first or choose another name`);
}

/** @throws KeyRefused that lists the known names. */
export function refuseUnknown(name: string, known: readonly StoredKey[]): void {
  const names = [...new Set(known.map((key) => key.name))];
  if (names.includes(name)) return;
  const hint = names.length === 0 ? '' : `; the names are ${names.join(', ')}`;
  throw new KeyRefused('unknown', `there is no key named ${name}${hint}`);
}

/** Revokes every valid key of a name. @returns false if all were revoked before. @throws as `issueKey`. */
export function revokeKey(dataDir: string, name: string, now: Date, waitMs = LOCK_WAIT_MS): boolean {
  return underLock(dataDir, waitMs, () => {
    const files = openKeyFiles(dataDir);
    refuseUnknown(name, keysIn(dataDir, files).keys);
    let isNew = false;
    for (const [place, value] of files.entries) {
      const key = keyIn(place, value);
      if (typeof key === 'string' || key.name !== name || key.revoked_at !== null) continue;
      files.put(place, textOf({ ...key, revoked_at: now.toISOString() }));
      isNew = true;
    }
    return isNew;
  });
}

/** The keys of a name are in `<name>.json`, `<name>~1.json`, `<name>~2.json`, …; no file is ever renamed. */
function belongsIn(place: string, name: string): boolean {
  return place === name || (place.startsWith(`${name}~`) && /^~\d+$/u.test(place.slice(name.length)));
}

function freePlace({ entries }: Pick<Values, 'entries'>, name: string): string {
  let place = name;
  for (let number = 1; entries.has(place); number += 1) place = `${name}~${number}`;
  return place;
}

function textOf(key: StoredKey): string {
  return `${JSON.stringify(key, null, 2)}\n`;
}

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
