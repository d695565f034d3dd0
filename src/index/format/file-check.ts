import { statSync, type Stats } from 'node:fs';

/** A base file that cannot serve: missing, no file, not ours, or of another version. The message is for the log. */
export class BaseFileError extends Error {}

/** What SQLite opens beside a base file, where it is there. */
const BESIDE = ['-wal', '-shm', '-journal'];

/** What tells a file from another, and how it was last written to. */
export interface FileStamp {
  readonly file: string;
  readonly written: string;
}

export function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): FileStamp {
  return { file: `${dev}:${ino}`, written: `${size}:${mtimeMs}:${ctimeMs}` };
}

/** The state of a base file, links followed. @throws BaseFileError where there is none, or it is no regular file. */
export function statOf(file: string): Stats {
  return checked(statSync(file, { throwIfNoEntry: false }), file);
}

/** @throws BaseFileError where something beside a base file is no regular file. */
export function checkBeside(file: string): void {
  for (const suffix of BESIDE) {
    const found = statSync(file + suffix, { throwIfNoEntry: false });
    if (found !== undefined) checked(found, file + suffix);
  }
}

/**
 * Only regular files are ever opened: a thread that opens a named pipe waits for its writer, for ever.
 * @throws BaseFileError
 */
export function checked(found: Stats | undefined, file: string): Stats {
  if (found === undefined) throw new BaseFileError(noneAt(file));
  if (!found.isFile()) throw new BaseFileError(`not a regular file: ${file}`);
  return found;
}

export function noneAt(file: string): string {
  return `no base file at ${file}`;
}
