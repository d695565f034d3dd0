import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { APPLICATION_ID, SCHEMA_SQL, SCHEMA_VERSION, baseFile, basesFolder } from '../format/schema.ts';
import { NEW_STATE_ROW, WRITE_STATE_SQL } from '../format/state.ts';
import { BUSY_TIMEOUT_MS, LOCK_WAIT_MS } from '../../config/limits.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { makeFolder, speakingOf } from '../../process/files.ts';
import { underLock } from '../../process/lock.ts';

/** A base file that ingest will not write to; the message says the mend. */
export class BaseFileRefused extends Error {}

/** Not the data folder's own lock, which a first start holds while it makes bases. */
const LOCK = 'bases.lock';
const CACHE_KIB = 65_536;
/** A common word's list is some tens of kilobytes long. */
const PAGE_BYTES = 8_192;
/** The log is folded in when it is so long: a load writes the same pages again and again. */
const LOG_PAGES = 16_384;

/** True when `bases/` is missing or has nothing at all in it: nothing was ever loaded here, or moved aside. */
export function hasNoBases(dataDir: string): boolean {
  const folder = basesFolder(dataDir);
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

/**
 * Makes the six bases of an empty data folder, with nothing in them. From then on a base file that is not
 * there is a fault that the service names, and never an empty base in disguise.
 */
export function createBases(dataDir: string): void {
  for (const base of BASES) createBase(dataDir, base);
}

/**
 * One process at a time makes a file: a second one would take the log of the file just made for one that was left, and
 * set aside what was written to it meanwhile.
 */
function createBase(dataDir: string, base: Base): void {
  const file = baseFile(dataDir, base);
  if (existsSync(file)) return;
  makeFolder(basesFolder(dataDir));
  const create = () => {
    if (!existsSync(file)) createFile(file, base);
  };
  underLock(dataDir, LOCK_WAIT_MS, create, LOCK);
}

/** Made aside and linked to its place, which it never takes from another: what stands there is always whole. */
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
    // Somebody has put a file there meanwhile: it is opened as any other.
    if (!existsSync(file)) throw speakingOf(file, temporary, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * The log of a base file that was moved away without it would be taken for the new file's own. It may hold what
 * that file has not taken in yet, so it is renamed and never removed.
 */
function setAside(file: string, mark: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, `${file}.${mark}.left${suffix}`);
  }
}

/** Opens a base file for writing. @throws BaseFileRefused */
export function openForWriting(dataDir: string, base: Base): Database.Database {
  if (hasNoBases(dataDir)) createBases(dataDir);
  else createBase(dataDir, base);
  const file = baseFile(dataDir, base);
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    refuseForeign(db, file, base);
    db.pragma('journal_mode = WAL');
    // In WAL mode this loses nothing committed when the process is killed, only when the machine loses power.
    db.pragma('synchronous = NORMAL');
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    db.pragma(`cache_size = -${CACHE_KIB}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseForeign(db: Database.Database, file: string, base: Base): void {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new BaseFileRefused(`${file} is not a base file; move it away and run the command again`);
  }
  const version = db.pragma('user_version', { simple: true });
  if (version !== SCHEMA_VERSION) {
    throw new BaseFileRefused(
      `${file} has schema version ${String(version)} and this program writes ${SCHEMA_VERSION}; ` +
        `move it away and load the base again: bun run ingest ${base} FILE`,
    );
  }
  const held = db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'base'`).pluck().get();
  if (held !== base)
    throw new BaseFileRefused(
      `${file} holds base ${String(held)}, not ${base}; move it to its own place and run the command again`,
    );
}
