import { statSync } from 'node:fs';
import { PlainError, explain } from '../process/fail.ts';
import type { Base } from '../contract/enums.ts';
import { Damaged } from './damaged.ts';
import { isOfTheArchive } from './decompress.ts';
import { openInput } from './input.ts';
import { Interrupted } from './interruption.ts';
import { loadFile, type LoadOptions } from './load.ts';
import { recognise } from './recognise.ts';

export interface End {
  /** What ended the load before its time, or null. */
  readonly failure: string | null;
  /** A message for each file of which nothing was loaded, for it is damaged. */
  readonly damaged: readonly string[];
}

/** Loads one file after the other; a damaged one does not keep the others from it. */
export async function loadAll(files: readonly string[], options: LoadOptions): Promise<End> {
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
      if (!(error instanceof Damaged)) return { failure: `${file}: ${explain(error)}`, damaged };
      const { message: reason, place } = error;
      options.rejects.add({ file, place, reason, text: null });
      damaged.push(`${reason}${place === '' ? '' : ` (${place})`}; nothing of the file was loaded`);
    }
    bytesBefore += bytesHere;
    if (options.signal.aborted) break;
  }
  return { failure: null, damaged };
}

/** Looks at the start of every file before any is loaded. Pipes are looked at when their turn comes. */
export async function refuseUnknown(
  files: readonly string[],
  base: Base,
  spoolFolder: string,
  signal: AbortSignal,
): Promise<void> {
  for (const file of files) {
    if (file === '-' || !statSync(file).isFile()) continue;
    const input = await openInput(file, { spoolFolder, signal, onBytes: () => undefined });
    try {
      for (const part of input.parts) await recognise(part, base);
    } catch (error) {
      // A cut archive is told of when its turn comes.
      if (!isOfTheArchive(error) && !(error instanceof Interrupted)) throw error;
    } finally {
      input.close();
    }
  }
}

/** The bytes to read, for the time left; null when a pipe is among the files. @throws ENOENT */
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
