import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Base } from '../../contract/vocabulary.ts';
import { baseFile } from '../format/schema.ts';
import { writeAtomically } from '../../process/files.ts';
import { LOCK_WAIT_MS, underLock } from '../../process/lock.ts';
import { openForWriting } from './base-file.ts';

/** Longest wait for readers: a search takes less, but a backup may not. */
const READERS_MS_MAX = 30_000;
const LOCK = 'withdraw.lock';

/** Runs work while no other process withdraws: it could remove a mark that is of a later withdrawal. */
export function withdrawing<Of>(dataDir: string, work: () => Of): Of {
  return underLock(dataDir, LOCK_WAIT_MS, work, LOCK);
}

/** Tells this and later processes that a base's file has bytes of withdrawn decisions. Call it before they are withdrawn. */
export function markUnwiped(dataDir: string, base: Base): void {
  writeAtomically(markOf(dataDir, base), '');
}

export function isUnwiped(dataDir: string, base: Base): boolean {
  return existsSync(markOf(dataDir, base));
}

/**
 * Writes a base's file anew from its rows, so that no byte of a deleted one stays in its pages or its log, and removes its loads'
 * rejects. Searches go on meanwhile; it needs free room for the file twice.
 * @returns false if another process went on reading older data, which keeps them in the file and in its log.
 */
export function wipe(dataDir: string, base: Base, readersMs = READERS_MS_MAX): boolean {
  removeRejects(dataDir, base);
  const db = openForWriting(dataDir, base);
  try {
    db.exec('VACUUM');
    db.pragma(`busy_timeout = ${readersMs}`);
    const [busy] = db.prepare<[], number>('PRAGMA wal_checkpoint(TRUNCATE)').pluck().all();
    if (busy !== 0) return false;
    rmSync(markOf(dataDir, base), { force: true });
    return true;
  } finally {
    db.close();
  }
}

/** Any rejected line may be an earlier form of a withdrawn decision. */
function removeRejects(dataDir: string, base: Base): void {
  const folder = join(dataDir, 'rejects');
  for (const name of namesIn(folder).filter((one) => one.startsWith(`${base}-`))) rmSync(join(folder, name));
}

/** What a folder has; nothing if it is not there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function markOf(dataDir: string, base: Base): string {
  const file = baseFile(dataDir, base);
  return join(dirname(file), `.${basename(file)}.unwiped`);
}
