import Database from 'better-sqlite3';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from './fail.ts';
import { makeFolder } from './files.ts';

/** How long a command, or a start, waits for another: a first start takes seconds to make its demo bases. */
export const LOCK_WAIT_MS = 60_000;

/** Another process had the lock all the time. */
export class LockBusy extends PlainError {}

/**
 * Takes the lock of a data folder: one process at a time changes its keys, or makes what a first start makes. It is
 * SQLite's lock of an empty database, which the system itself gives back when its holder ends, however it ends: a killed
 * process leaves none behind.
 * @param name of the lock's file: what holds one lock may take another.
 * @returns what gives it back. @throws LockBusy, PlainError, and the system's errors.
 */
export function takeLock(dataDir: string, waitMs = LOCK_WAIT_MS, name = 'lock'): () => void {
  makeFolder(dataDir);
  // SQLite would only say that it cannot open its file.
  accessSync(dataDir, constants.W_OK);
  const file = join(dataDir, name);
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: waitMs });
    db.exec('BEGIN EXCLUSIVE');
    return db.close.bind(db);
  } catch (error) {
    db?.close();
    const isBusy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
    if (isBusy)
      throw new LockBusy(`another command is changing ${dataDir}; wait for it and run this one again`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainError(`${file} cannot be locked: ${reason}`, { cause: error });
  }
}

/** Runs work under the lock of a data folder. @throws as `takeLock`, and what the work throws. */
export function underLock<T>(dataDir: string, waitMs: number, work: () => T, name = 'lock'): T {
  const giveBack = takeLock(dataDir, waitMs, name);
  try {
    return work();
  } finally {
    giveBack();
  }
}
