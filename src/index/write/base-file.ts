import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { SCHEMA_SQL, baseFile, basesFolder, followedMark, BUSY_TIMEOUT_MS } from '../format/schema.ts';
import { BaseFileError, checkOpen } from '../format/file-check.ts';
import { NEW_STATE_ROW, WRITE_STATE_SQL } from '../format/state.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { makeFolder, speakingOf } from '../../process/files.ts';
import { underLock, LOCK_WAIT_MS } from '../../process/lock.ts';

/** Not the data folder's lock, which a first start holds while it makes bases. */
const LOCK = 'bases.lock';
/** A commit goes over the file in the order of its pages, so that a larger cache saves no time. */
const CACHE_KIB = 16_384;
/** A common word's list is some tens of kilobytes long. */
const PAGE_BYTES = 8_192;
/** Checkpoints are rare, because a load writes the same pages repeatedly. */
const LOG_PAGES = 16_384;

/** True if `bases/` is missing or empty: nothing was ever loaded here. */
export function hasNoBases(dataDir: string): boolean {
  const folder = basesFolder(dataDir);
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

/** Makes six empty bases in an empty data folder. From then on a missing file is a fault, and not an empty base. */
export function createBases(dataDir: string): void {
  for (const base of BASES) createBase(dataDir, base);
}

/** Under a lock: a second process would set aside the new file's log. */
function createBase(dataDir: string, base: Base): void {
  const file = baseFile(dataDir, base);
  if (existsSync(file)) return;
  makeFolder(basesFolder(dataDir));
  const create = () => {
    if (!existsSync(file)) createFile(file, base);
  };
  underLock(dataDir, LOCK_WAIT_MS, create, LOCK);
}

/** Made under another name and linked, so that the file is always complete and replaces no other. */
function createFile(file: string, base: Base): void {
  const mark = randomBytes(6).toString('hex');
  setAside(file, mark);
  const temporary = `${file}.${mark}.new`;
  const db = new Database(temporary);
  db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma('journal_mode = WAL');
  db.transaction(() => {
    db.exec(SCHEMA_SQL);
    db.prepare(`INSERT INTO meta (key, value) VALUES ('base', ?)`).run(base);
    db.prepare(WRITE_STATE_SQL).run(NEW_STATE_ROW);
  })();
  db.close();
  try {
    linkSync(temporary, file);
  } catch (error) {
    // Another process has created the file meanwhile.
    if (!existsSync(file)) throw speakingOf(file, temporary, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Renames the log left by a moved base file, which SQLite would use for the new file. It may have the moved file's data. */
function setAside(file: string, mark: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, `${file}.${mark}.left${suffix}`);
  }
}

/** A load here would be lost with the next file, and until then replicas would differ. @throws BaseFileError */
function refuseFollowed(dataDir: string, base: Base): void {
  const mark = followedMark(dataDir, base);
  if (!existsSync(mark)) return;
  throw new BaseFileError(
    `${base} follows the files at BASES_URL here: change it in the DATA_DIR that it is published from, and publish it again, or start the ` +
      `service once without BASES_URL, which removes ${mark}`,
  );
}

/** Opens a base file for writing. @throws BaseFileError */
export function openForWriting(dataDir: string, base: Base): Database.Database {
  refuseFollowed(dataDir, base);
  if (hasNoBases(dataDir)) createBases(dataDir);
  else createBase(dataDir, base);
  const file = baseFile(dataDir, base);
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    checkOpen(db, file, base);
    db.pragma('journal_mode = WAL');
    // In WAL mode, commits are lost only if the machine loses power.
    db.pragma('synchronous = NORMAL');
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    db.pragma(`cache_size = -${CACHE_KIB}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
