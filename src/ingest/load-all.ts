import { statSync } from 'node:fs';
import { PlainError, explain, isBusy } from '../process/fail.ts';
import { LockBusy, publicationLock, takeLock } from '../process/lock.ts';
import type { Base } from '../contract/enums.ts';
import { Damaged } from './damaged.ts';
import { isArchiveError } from './decompress.ts';
import { openInput, type Input } from './input.ts';
import { Interrupted } from './interruption.ts';
import { loadFile, type LoadOptions } from './load.ts';
import { recognise } from './recognise.ts';

export interface LoadOutcome {
  /** The error that stopped the load, or null. */
  readonly failure: string | null;
  /** One message for each damaged file. Nothing of these files was loaded. */
  readonly damaged: readonly string[];
}

/** Loads the files in order, and continues after a damaged file. @param say puts an error into words. */
export async function loadAll(
  files: readonly string[],
  options: LoadOptions,
  say: (error: unknown) => string = explain,
): Promise<LoadOutcome> {
  const damaged: string[] = [];
  let bytesBefore = 0;
  for (const file of files) {
    let bytesHere = 0;
    const onProgress = (bytes: number) => {
      bytesHere = bytes;
      options.onProgress(bytesBefore + bytes);
    };
    try {
      await loadFile(file, { ...options, onProgress });
    } catch (error) {
      if (!(error instanceof Damaged)) return { failure: `${file}: ${say(error)}`, damaged };
      const { message: reason, place } = error;
      options.rejects.add({ file, place, reason, text: null });
      damaged.push(`${reason}${place === '' ? '' : ` (${place})`}; nothing of the file was loaded`);
    }
    bytesBefore += bytesHere;
    if (options.signal.aborted) break;
  }
  return { failure: null, damaged };
}

/** Checks the format of every file before the first is loaded. Pipes are checked when they are opened. */
export async function refuseUnknown(
  files: readonly string[],
  base: Base,
  spoolFolder: string,
  signal: AbortSignal,
): Promise<void> {
  for (const file of files) {
    if (file === '-' || !statSync(file).isFile()) continue;
    let input: Input | null = null;
    try {
      input = await openInput(file, { spoolFolder, signal, onBytes: () => undefined });
      for (const part of input.parts) await recognise(part, base);
    } catch (error) {
      // The load itself reports a cut archive.
      if (!isArchiveError(error) && !(error instanceof Interrupted)) throw error;
    } finally {
      input?.close();
    }
  }
}

/** As `explain`, but distinguishes a publication that has kept a base busy from another load. */
export function explainLoad(error: unknown, dataDir: string, base: Base): string {
  if (!isBusy(error) || !isPublishing(dataDir, base)) return explain(error);
  return `bun run publish ${base} is copying this base; wait until it ends and run this again`;
}

function isPublishing(dataDir: string, base: Base): boolean {
  try {
    takeLock(dataDir, 0, publicationLock(base))();
    return false;
  } catch (error) {
    return error instanceof LockBusy;
  }
}

/** The bytes to read, for the progress bar; null if one of the files is a pipe. @throws ENOENT */
export function totalBytes(files: readonly string[]): number | null {
  let sum = 0;
  let hasPipe = false;
  for (const file of files) {
    if (file === '-') {
      hasPipe = true;
      continue;
    }
    const stat = statSync(file);
    if (stat.isDirectory()) throw new PlainError(`${file} is a folder; name the files in it`);
    hasPipe ||= !stat.isFile();
    sum += stat.size;
  }
  return hasPipe ? null : sum;
}
