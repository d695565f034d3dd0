import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseUnwritable } from '../config/config.ts';
import { writeAtomically } from '../process/files.ts';
import { underLock, LOCK_WAIT_MS } from '../process/lock.ts';

const SECRET_BYTES = 32;

/** Signs cursors; kept in the data folder. A damaged one is replaced under the lock, and older cursors are refused then. */
export function cursorSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'cursor-secret');
  const secret = readSecret(file);
  if (secret !== null) return secret;
  refuseUnwritable(dataDir);
  return underLock(dataDir, LOCK_WAIT_MS, () => readSecret(file) ?? makeSecret(file));
}

/** Null if the secret is missing or damaged. */
function readSecret(file: string): Buffer | null {
  if (!existsSync(file)) return null;
  try {
    const secret = readFileSync(file);
    return secret.length === SECRET_BYTES ? secret : null;
  } catch (error) {
    // The error of a failed read does not name the file.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  }
}

function makeSecret(file: string): Buffer {
  const secret = randomBytes(SECRET_BYTES);
  writeAtomically(file, secret);
  return secret;
}
