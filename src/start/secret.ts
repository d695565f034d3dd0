import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../process/files.ts';

const SECRET_BYTES = 32;

/**
 * The secret that signs cursors, kept in the data folder so that cursors outlive a restart. One that is missing
 * or damaged is made anew: cursors given out before are then refused, which tells their holders to start over.
 */
export function cursorSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'cursor-secret');
  if (existsSync(file)) {
    const secret = readSecret(file);
    if (secret.length === SECRET_BYTES) return secret;
  }
  const secret = randomBytes(SECRET_BYTES);
  writeAtomically(file, secret);
  return secret;
}

function readSecret(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    // The error of a failed read does not say of which file.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  }
}
