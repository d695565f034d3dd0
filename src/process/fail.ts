import { visible } from './visible.ts';

/** A failure that the person at the terminal can mend: its message is all that is shown. */
export class PlainError extends Error {}

/** Runs a command's work; a plain failure prints one line and sets the exit code. */
export async function runPlainly(name: string, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${visible(`${name}: ${explain(error)}`)}\n`);
    process.exitCode = 1;
  }
}

/** The message of an error, with the file it speaks of where the system names one. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' && 'path' in error) return `no such file: ${String(error.path)}`;
  if (code === 'EACCES' && 'path' in error) return `not allowed to read or write ${String(error.path)}`;
  if (code === 'EROFS' && 'path' in error)
    return `the file system is read-only at ${String(error.path)}; mount it for writing`;
  if (code === 'EEXIST' && 'path' in error) return `there is one already: ${String(error.path)}`;
  if (code === 'SQLITE_CANTOPEN') return 'the base file cannot be opened; is it another user’s?';
  if (code.startsWith('SQLITE_READONLY')) return 'the base file cannot be written; is it another user’s?';
  if (code === 'EISDIR') return `a folder stands where a file is needed${placeOf(error)}`;
  if (code === 'ENOTDIR') return `a file stands where a folder is needed${placeOf(error)}`;
  if (code === 'ENOSPC' || code === 'SQLITE_FULL')
    return 'the disk is full; make room and run the command again';
  if (code.startsWith('SQLITE_BUSY'))
    return 'another load is writing to this base; wait for it and run again';
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return 'the base file is damaged; move it away and load the base again';
  }
  return error.message;
}

function placeOf(error: Error): string {
  return 'path' in error ? `: ${String(error.path)}` : '';
}
