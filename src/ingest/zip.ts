import { fstatSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { Damaged } from './damaged.ts';
import { explain } from '../process/fail.ts';
import { Interrupted } from './interruption.ts';

export interface ZipEntry {
  readonly name: string;
  readonly open: () => AsyncGenerator<Buffer>;
}

export function beginsLikeZip(bytes: Buffer): boolean {
  // An empty zip has only a directory.
  return bytes.length >= 4 && [0x04034b50, 0x06054b50].includes(bytes.readUInt32LE(0));
}

/**
 * The files of a zip, from its directory. Each is read as a stream, with the checksum compared at the end.
 * @param fd the caller closes it. @throws Damaged if the zip is incomplete or encrypted, and Interrupted.
 */
export async function zipEntries(fd: number, signal: AbortSignal): Promise<ZipEntry[]> {
  if (fstatSync(fd).size === 0) throw new Damaged('the zip is empty');
  const entries: ZipEntry[] = [];
  try {
    const zip = await fromFdPromise(fd, { autoClose: false });
    for await (const entry of zip.eachEntry()) {
      if (signal.aborted) throw new Interrupted();
      if (entry.fileName.endsWith('/')) continue;
      if (entry.isEncrypted()) throw new Damaged(`its entry ${entry.fileName} is encrypted`);
      entries.push({ name: entry.fileName, open: () => readEntry(zip, entry) });
    }
  } catch (error) {
    throw asDamaged(error);
  }
  return entries;
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      // A binary stream yields only buffers, which its type does not say.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const bytes = chunk as Buffer;
      sum = crc32(bytes, sum);
      yield bytes;
    }
  } catch (error) {
    throw asDamaged(error, entry.fileName);
  }
  if (sum !== entry.crc32) throw new Damaged('wrong checksum: the zip is damaged', entry.fileName);
}

/** Errors of the library are about the file; system errors pass unchanged. */
function asDamaged(error: unknown, place = ''): unknown {
  const isOurs = error instanceof Damaged || error instanceof Interrupted;
  if (isOurs || (error instanceof Error && 'syscall' in error)) return error;
  return new Damaged(`the zip cannot be read: ${explain(error)}`, place);
}
