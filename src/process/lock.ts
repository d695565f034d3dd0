import Database from 'better-sqlite3';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { PlainError, isBusy } from './fail.ts';
import { makeFolder } from './files.ts';

/** Longest wait of a command or a start for a lock. A first start takes some seconds to make its demo bases. */
export const LOCK_WAIT_MS = 60_000;

/** Another process held the lock for the whole wait. */
export class LockBusy extends PlainError {}

/**
 * Locks a data folder, so that only one process at a time changes its keys or does a first start. It uses SQLite's lock on an
 * empty database: the system releases it when the holder ends, even if killed.
 * @param name of the lock's file. A process may hold several locks.
 * @returns a function that releases the lock.
 * @throws LockBusy, PlainError, and system errors.
 */
export function takeLock(dataDir: string, waitMs = LOCK_WAIT_MS, name = 'lock'): () => void {
  makeFolder(dataDir);
  // Gives a clearer error than SQLite's.
  accessSync(dataDir, constants.W_OK);
  const file = join(dataDir, name);
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: waitMs });
    db.exec('BEGIN EXCLUSIVE');
    return db.close.bind(db);
  } catch (error) {
    db?.close();
    if (isBusy(error))
      throw new LockBusy(`another command is changing ${dataDir}; wait for it and run this one again`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainError(`${file} cannot be locked: ${reason}`, { cause: error });
  }
}

/** Runs work under the lock of a data folder. @throws as `takeLock`, and the errors of the work. */
export function underLock<T>(dataDir: string, waitMs: number, work: () => T, name = 'lock'): T {
  const release = takeLock(dataDir, waitMs, name);
  try {
    return work();
  } finally {
    release();
  }
}
