import { statSync } from 'node:fs';
import { PlainError, explain } from '../process/fail.ts';
import type { Base } from '../contract/vocabulary.ts';
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

/** Loads the files in order, and continues after a damaged file. */
export async function loadAll(files: readonly string[], options: LoadOptions): Promise<LoadOutcome> {
  const damaged: string[] = [];
  let bytesBefore = 0;
  for (const file of files) {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const onProgress = (bytes: number) => {
      options.onProgress(bytesBefore + bytes);
    };
    try {
      await loadFile(file, { ...options, onProgress });
    } catch (error) {
      if (!(error instanceof Damaged)) return { failure: `${file}: ${explain(error)}`, damaged };
      const { message: reason, place } = error;
      options.rejects.add({ file, place, reason, text: null });
      damaged.push(`${reason}${place === '' ? '' : ` (${place})`}; nothing of the file was loaded`);
    }
    // Of a damaged file as of any other.
    bytesBefore += size;
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
