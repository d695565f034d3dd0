import { fstatSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { Damaged } from './damaged.ts';
import { explain } from '../process/fail.ts';

export interface ZipEntry {
  readonly name: string;
  readonly open: () => AsyncGenerator<Buffer>;
}

export function beginsLikeZip(bytes: Buffer): boolean {
  // An empty zip has its directory alone.
  return bytes.length >= 4 && [0x04034b50, 0x06054b50].includes(bytes.readUInt32LE(0));
}

/**
 * The files in a zip, found by its directory and each read as a stream; their checksums are compared at the end.
 * @param fd stays the caller's to close. @throws Damaged where it is no whole zip, or is encrypted.
 */
export async function zipEntries(fd: number): Promise<ZipEntry[]> {
  if (fstatSync(fd).size === 0) throw new Damaged('the zip is empty');
  const entries: ZipEntry[] = [];
  try {
    const zip = await fromFdPromise(fd, { autoClose: false });
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      if (entry.isEncrypted()) throw new Damaged(`${entry.fileName} in it is encrypted`);
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
      // A stream in Node's binary mode gives buffers only, which its type does not say.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const bytes = chunk as Buffer;
      sum = crc32(bytes, sum);
      yield bytes;
    }
  } catch (error) {
    throw asDamaged(error, entry.fileName);
  }
  if (sum !== entry.crc32) throw new Damaged('its checksum does not fit: the zip is damaged', entry.fileName);
}

/** The library's own complaints are about the file; the system's are not. */
function asDamaged(error: unknown, place = ''): unknown {
  if (error instanceof Damaged || (error instanceof Error && 'syscall' in error)) return error;
  return new Damaged(`the zip cannot be read: ${explain(error)}`, place);
}
