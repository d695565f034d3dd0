import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A temporary file this old was left by a killed process: a write takes less. */
const WRITING_MS_MAX = 60_000;

/** Files may hold key digests, secrets or unpublished decisions, so only their owner may read them. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
}

/** Replaces a file atomically and durably. @param mode its permissions. @throws system errors. */
export function writeAtomically(path: string, text: string | Uint8Array, mode = FILE_MODE): void {
  putAtomically(path, text, renameSync, mode);
}

/** Creates a file atomically and durably. @throws EEXIST if it exists, and other system errors. */
export function createAtomically(path: string, text: string | Uint8Array): void {
  putAtomically(path, text, linkSync);
}

/** As `writeAtomically`, without blocking the event loop: a sync waits while the disk is busy. @throws system errors. */
export async function writeAtomicallyAside(path: string, text: string | Uint8Array): Promise<void> {
  makeFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', FILE_MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw speakingOf(path, temporary, error);
  }
  await syncAside(dirname(path));
}

/** Syncs a file, or a folder's entries, to disk. @throws system errors. */
export async function syncAside(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The temporary files of `putAtomically`. */
const TEMPORARY = /\.[0-9a-f]{12}\.tmp$/u;

/** Removes the temporary files that killed processes left in a folder. Ignores an unreadable folder. */
export function removeTemporaries(folder: string): void {
  try {
    for (const name of readdirSync(folder).filter((one) => TEMPORARY.test(one))) {
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > WRITING_MS_MAX) rmSync(path);
    }
  } catch {
    // Not required for a start, and another process may remove them at the same time.
  }
}

function putAtomically(
  path: string,
  text: string | Uint8Array,
  put: (from: string, to: string) => void,
  mode = FILE_MODE,
): void {
  makeFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    try {
      writeDurably(temporary, typeof text === 'string' ? Buffer.from(text) : text, mode);
      put(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch (error) {
    throw speakingOf(path, temporary, error);
  }
  syncFolder(dirname(path));
}

/** The error with the final path in place of the temporary one. */
export function speakingOf(path: string, temporary: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  error.message = error.message.replaceAll(temporary, path);
  return 'path' in error
    ? Object.assign(error, { path: String(error.path).replace(temporary, path) })
    : error;
}

function writeDurably(path: string, bytes: Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', FILE_MODE);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    // `openSync` would apply the process's umask.
    if (mode !== FILE_MODE) fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A rename is durable only after its folder is synced. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
