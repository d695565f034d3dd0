import { statfsSync, statSync, type Stats } from 'node:fs';

export interface Disk {
  /** As an ordinary user may use it. */
  readonly freeBytes: number;
  readonly bytes: number;
}

/** The disk of a folder; null if the system does not tell. */
export function diskOf(folder: string): Disk | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, bytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** A base's file with its write-ahead log, to which a load writes first; null if no file can be seen. */
export function baseFileFacts(file: string): { readonly bytes: number; readonly changedMs: number } | null {
  const main = statOf(file);
  if (main === null) return null;
  const log = statOf(`${file}-wal`);
  // The date of an empty log only tells when the base was last opened.
  const isLogged = log !== null && log.size > 0;
  return {
    bytes: main.size + (isLogged ? log.size : 0),
    changedMs: isLogged ? Math.max(main.mtimeMs, log.mtimeMs) : main.mtimeMs,
  };
}

function statOf(file: string): Stats | null {
  return statSync(file, { throwIfNoEntry: false }) ?? null;
}
