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
import { dirname, join } from 'node:path';

/** Files hold key digests, secrets and unpublished loads: only their owner may read them. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
}

/**
 * Replaces a file whole or not at all, whenever the process or the machine stops.
 * @param mode its permissions. @throws the system's error.
 */
export function writeAtomically(path: string, text: string | Uint8Array, mode = FILE_MODE): void {
  putAtomically(path, text, renameSync, mode);
}

/** Makes a file whole or not at all. @throws EEXIST where there is one already, and the system's errors. */
export function createAtomically(path: string, text: string | Uint8Array): void {
  putAtomically(path, text, linkSync);
}

/** What `putAtomically` writes first; no writing takes as long as this. */
const TEMPORARY = /\.[0-9a-f]{12}\.tmp$/u;
const WRITING_MS_MAX = 60_000;

/** Takes away what a process that was killed while it wrote has left in a folder. One that cannot be read is let be. */
export function removeTemporaries(folder: string): void {
  try {
    for (const name of readdirSync(folder).filter((one) => TEMPORARY.test(one))) {
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > WRITING_MS_MAX) rmSync(path);
    }
  } catch {
    // It is only tidying, and another start may tidy at the same moment.
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

/** The error, with a path that somebody knows in place of a temporary one. */
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
    // Not with the opening, where the process's mask would have its say.
    if (mode !== FILE_MODE) fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A rename is only durable once its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
