import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseUnwritable } from '../config/config.ts';
import { writeAtomically } from '../process/files.ts';
import { LOCK_WAIT_MS, underLock } from '../process/lock.ts';

const SECRET_BYTES = 32;

/**
 * The secret that signs cursors, kept in the data folder so that cursors outlive a restart. One that is missing
 * or damaged is made anew, by one process for all that start at once: cursors given out before are then refused, which
 * tells their holders to start over.
 */
export function cursorSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'cursor-secret');
  const secret = readSecret(file);
  if (secret !== null) return secret;
  refuseUnwritable(dataDir);
  return underLock(dataDir, LOCK_WAIT_MS, () => readSecret(file) ?? makeSecret(file));
}

/** Null where there is none, or one that is damaged. */
function readSecret(file: string): Buffer | null {
  if (!existsSync(file)) return null;
  try {
    const secret = readFileSync(file);
    return secret.length === SECRET_BYTES ? secret : null;
  } catch (error) {
    // The error of a failed read does not say of which file.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  }
}

function makeSecret(file: string): Buffer {
  const secret = randomBytes(SECRET_BYTES);
  writeAtomically(file, secret);
  return secret;
}
