import { existsSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createAtomically, writeAtomically } from '../process/files.ts';
import { digestOfKey, newKey } from './key.ts';

/** What is kept of an issued key; never the key itself. One file a key, so that no two commands collide. */
export interface StoredKey {
  readonly name: string;
  readonly sha256: string;
  /** Its own daily quota; null takes the configured one. */
  readonly quota_per_day: number | null;
  readonly issued_at: string;
  readonly revoked_at: string | null;
}

export const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;
const DIGEST = /^[0-9a-f]{64}$/u;

export function keysFolder(dataDir: string): string {
  return join(dataDir, 'keys');
}

/** A key file that cannot be read grants nothing; its name and reason are for the operator. */
export interface DamagedKey {
  readonly file: string;
  readonly reason: string;
}

/** All keys of the folder, by name; files that are damaged are told apart. A missing folder holds none. */
export function readKeys(dataDir: string): { keys: StoredKey[]; damaged: DamagedKey[] } {
  const folder = keysFolder(dataDir);
  const keys: StoredKey[] = [];
  const damaged: DamagedKey[] = [];
  if (!existsSync(folder)) return { keys, damaged };
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.json')) continue;
    const file = join(folder, name);
    try {
      const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (isStoredKey(stored) && belongsIn(name, stored.name)) keys.push(stored);
      else damaged.push({ file, reason: 'not of the expected shape' });
    } catch (error) {
      damaged.push({ file, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return {
    keys: keys.toSorted(byNameAndAge),
    damaged: damaged.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
  };
}

/** By hand: keys are read at every start, for which a schema would load its library. */
function isStoredKey(stored: unknown): stored is StoredKey {
  if (typeof stored !== 'object' || stored === null) return false;
  const { name, sha256, quota_per_day, issued_at, revoked_at }: Partial<Record<keyof StoredKey, unknown>> =
    stored;
  const isNamed = typeof name === 'string' && KEY_NAME.test(name);
  const isDigested = typeof sha256 === 'string' && DIGEST.test(sha256);
  const isBounded = quota_per_day === null || (Number.isInteger(quota_per_day) && Number(quota_per_day) >= 1);
  const isDated = typeof issued_at === 'string' && (revoked_at === null || typeof revoked_at === 'string');
  return isNamed && isDigested && isBounded && isDated;
}

/** By name, and then by when they were issued: the key of a name that may be in force is its last. */
function byNameAndAge(a: StoredKey, b: StoredKey): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.issued_at < b.issued_at ? -1 : 1;
}

/** Issues a key under a name. @returns the key, shown once. @throws when the name is taken or not allowed. */
export function issueKey(dataDir: string, name: string, quota: number | null, now: Date): string {
  if (!KEY_NAME.test(name)) {
    throw new Error(
      'a name has 1 to 64 letters, digits, dots, hyphens and underscores, and begins with a letter or digit',
    );
  }
  const known = readKeys(dataDir).keys.findLast((key) => key.name === name);
  if (known !== undefined && known.revoked_at === null) {
    throw new Error(`there is a key named ${name}; revoke it first or take another name`);
  }
  if (known !== undefined) keepRevoked(dataDir, name);
  const key = newKey();
  const stored: StoredKey = {
    name,
    sha256: digestOfKey(key),
    quota_per_day: quota,
    issued_at: now.toISOString(),
    revoked_at: null,
  };
  // Two commands that issue one name at once must not both have shown a key.
  createAtomically(fileOf(dataDir, name), textOf(stored));
  return key;
}

/** Revokes a key; it stays listed. @returns false when it was revoked before. @throws when there is none. */
export function revokeKey(dataDir: string, name: string, now: Date): boolean {
  const { keys } = readKeys(dataDir);
  const known = keys.findLast((key) => key.name === name);
  if (known === undefined) {
    const names = keys.map((key) => key.name).join(', ');
    throw new Error(`there is no key named ${name}${names === '' ? '' : `; the names are ${names}`}`);
  }
  if (known.revoked_at !== null) return false;
  writeAtomically(fileOf(dataDir, name), textOf({ ...known, revoked_at: now.toISOString() }));
  return true;
}

/** A name's key stands in `<name>.json`; those revoked before it in `<name>~1.json`, `<name>~2.json`, … */
function belongsIn(file: string, name: string): boolean {
  return (
    file === `${name}.json` || (file.startsWith(`${name}~`) && /^~\d+\.json$/u.test(file.slice(name.length)))
  );
}

/** Gives a revoked key's place to the next of its name: it stays in the list. */
function keepRevoked(dataDir: string, name: string): void {
  const folder = keysFolder(dataDir);
  let number = 1;
  while (existsSync(join(folder, `${name}~${number}.json`))) number += 1;
  renameSync(join(folder, `${name}.json`), join(folder, `${name}~${number}.json`));
}

function fileOf(dataDir: string, name: string): string {
  return join(keysFolder(dataDir), `${name}.json`);
}

function textOf(key: StoredKey): string {
  return `${JSON.stringify(key, null, 2)}\n`;
}
