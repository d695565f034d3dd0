import { readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Disk {
  /** The space that an ordinary user may use. */
  readonly freeBytes: number;
  readonly bytes: number;
}

/** A folder's disk; null if the system does not report it. */
export function diskOf(folder: string): Disk | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, bytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** A base's file and write-ahead log, to which a load writes first; null if no file is visible. */
export function baseFileFacts(file: string): { readonly bytes: number; readonly changedMs: number } | null {
  const [main, log] = [file, `${file}-wal`].map((one) => statSync(one, { throwIfNoEntry: false }));
  if (main === undefined) return null;
  // An empty log's date only shows when the base was last opened.
  const isLogged = log !== undefined && log.size > 0;
  return {
    bytes: main.size + (isLogged ? log.size : 0),
    changedMs: isLogged ? Math.max(main.mtimeMs, log.mtimeMs) : main.mtimeMs,
  };
}

/** Day of the latest file that `sync` loaded into a base, in seconds since the Unix epoch; null if none is known. */
export function syncedFileAt(dataFolder: string, base: string): number | null {
  try {
    const found: unknown = JSON.parse(readFileSync(join(dataFolder, 'sync', `${base}.json`), 'utf8'));
    const day = typeof found === 'object' && found !== null && 'latest' in found ? String(found.latest) : '';
    return Number.isNaN(Date.parse(day)) ? null : Date.parse(day) / 1_000;
  } catch {
    // Nothing was loaded from a portal, or the file is damaged, as `sync` will say.
    return null;
  }
}
