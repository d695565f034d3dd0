import type Database from 'better-sqlite3';
import { statSync, type Stats } from 'node:fs';
import type { Base } from '../../contract/vocabulary.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts';

/** A base file that cannot be used: missing, not a file, of another program, version or base. The message is for operators. */
export class BaseFileError extends Error {}

/** Files that SQLite opens with a base file, if they exist. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];

/** A file's identity and last change. */
export interface FileStamp {
  readonly file: string;
  readonly written: string;
}

export function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): FileStamp {
  return { file: `${dev}:${ino}`, written: `${size}:${mtimeMs}:${ctimeMs}` };
}

/** Follows links. @throws BaseFileError if it is missing or not a regular file. */
export function statOf(file: string): Stats {
  return checked(statSync(file, { throwIfNoEntry: false }), file);
}

/** @throws BaseFileError if one is not a regular file. */
export function checkSideFiles(file: string): void {
  for (const suffix of SIDE_FILES) {
    const found = statSync(file + suffix, { throwIfNoEntry: false });
    if (found !== undefined) checked(found, file + suffix);
  }
}

/**
 * Only regular files are opened: opening a named pipe would wait for its writer for ever. @throws BaseFileError
 */
export function checked(found: Stats | undefined, file: string): Stats {
  if (found === undefined) throw new BaseFileError(noFileAt(file));
  if (!found.isFile()) throw new BaseFileError(`not a regular file: ${file}`);
  return found;
}

export function noFileAt(file: string): string {
  return `no base file at ${file}`;
}

/** @throws BaseFileError if an open file is of another program, version or base, whose decisions searches would return. */
export function checkOpen(db: Database.Database, file: string, base: Base): void {
  const mend = `move it away and load the base again: bun run ingest ${base} FILE`;
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID)
    throw new BaseFileError(`${file} is not a base file of this service; ${mend}`);
  const version = String(db.pragma('user_version', { simple: true }));
  if (version !== String(SCHEMA_VERSION))
    throw new BaseFileError(`${file} has schema version ${version} and not ${SCHEMA_VERSION}; ${mend}`);
  const held = String(db.prepare(`SELECT value FROM meta WHERE key = 'base'`).pluck().get());
  if (held !== base)
    throw new BaseFileError(
      `${file} is the file of base ${held}, not of ${base}; put the file of ${base} there`,
    );
}
