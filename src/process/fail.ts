import { visible } from './visible.ts';

/** An error that the user can correct. Commands print only its message. */
export class PlainError extends Error {}

/** Several such errors, one per line. */
export class PlainErrors extends PlainError {
  readonly lines: readonly string[];

  constructor(what: string, errors: readonly string[]) {
    const lines = [`${what}:`, ...errors.map((error) => `  - ${error}`)];
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Runs a command's work. Prints an error on one line, several errors on several lines, and sets the exit code 1. */
export async function runPlainly(name: string, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    const lines = error instanceof PlainErrors ? error.lines : [explain(error)];
    process.stderr.write(`${name}: ${lines.map(visible).join('\n')}\n`);
    process.exitCode = 1;
  }
}

/** The code of a system or SQLite error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** True if a SQLite file stayed locked. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** Describes an error for the user: common system and SQLite errors in plain words, others by their message. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (code === 'ENOENT' && 'path' in error) return `no such file: ${String(error.path)}`;
  if (code === 'EACCES' && 'path' in error) return `not allowed to read or write ${String(error.path)}`;
  if (code === 'EROFS' && 'path' in error)
    return `the file system is read-only at ${String(error.path)}; mount it for writing`;
  if (code === 'EEXIST' && 'path' in error) return `already exists: ${String(error.path)}`;
  if (code === 'SQLITE_CANTOPEN') return 'cannot open the base file; does it belong to another user?';
  if (code.startsWith('SQLITE_READONLY'))
    return 'cannot write the base file; does it belong to another user?';
  if (code === 'EISDIR') return `expected a file but found a folder${placeOf(error)}`;
  if (code === 'ENOTDIR') return `expected a folder but found a file${placeOf(error)}`;
  if (code === 'ENOSPC' || code === 'SQLITE_FULL')
    return 'the disk is full; free some space and run the command again';
  // SQLite also reports this for a full disk, if it could not write a part of a page or the log's index.
  if (/^SQLITE_IOERR_(?:WRITE|TRUNCATE|FSYNC|SHM)/u.test(code))
    return `the disk is full, has reached a limit, or fails (${code}); free some space and run the command again`;
  if (isBusy(error)) return 'another load is writing to this base; wait for it and run again';
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return 'the base file is damaged; move it away and load the base again';
  }
  // What Bun's fetch adds for programmers.
  return error.message
    .replace(/\. For more information, pass `verbose: true`.*$/u, '')
    .replace('Unable to connect. Is the computer able to access the url?', 'nothing listens at this address');
}

function placeOf(error: Error): string {
  return 'path' in error ? `: ${String(error.path)}` : '';
}
