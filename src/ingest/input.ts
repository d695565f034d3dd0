import { randomBytes } from 'node:crypto';
import { closeSync, createReadStream, openSync, read, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { FILE_MODE, makeFolder, speakingOf } from '../process/files.ts';
import { interruptible } from './interruption.ts';
import { MAGIC_BYTES, decompressed, withStart } from './decompress.ts';
import { beginsLikeZip, zipEntries } from './zip.ts';

/** One text in a file: the file's own, or one of those in a zip. */
export interface Part {
  /** As messages name it: `x.json`, `20220508.zip:acordaos.json`. */
  readonly name: string;
  /** The names, without folders, of the entry and of the zip around it, or of the file. */
  readonly fileNames: readonly string[];
  /** Its bytes, decompressed, from the start; of a pipe only once, until `keep` has been called. */
  readonly open: () => AsyncIterable<Buffer>;
  /** Its first bytes, read until they are enough or there are no more; `open` still gives all of them. */
  readonly start: (isEnough: (bytes: Buffer) => boolean) => Promise<Start>;
}

export interface Start {
  readonly bytes: Buffer;
  /** True where nothing comes after them. */
  readonly isAll: boolean;
}

export interface Input {
  readonly parts: readonly Part[];
  /** Bytes of the file, null where it is a pipe. */
  readonly size: number | null;
  /** Makes what a pipe brings readable again, through a file that has no name and is gone with the process. */
  keep(): Promise<void>;
  close(): void;
}

export interface InputOptions {
  /** Told of each piece of the file that was read, in bytes. */
  readonly onBytes: (bytes: number) => void;
  /** A folder for what a pipe brings. */
  readonly spoolFolder: string;
  /** Ends every reading with `Interrupted`. */
  readonly signal: AbortSignal;
}

const CHUNK_BYTES = 256 * 1024;
/** How much more there has to be before it is looked at again. */
const LOOK_AGAIN = 1.05;
const readAt = promisify(read);

/**
 * Opens a file (`-`: standard input), plain, gzip, zstd or zip, told apart by its first bytes.
 * @throws the system's error, and Damaged for a zip that is none.
 */
export async function openInput(path: string, options: InputOptions): Promise<Input> {
  if (path === '-' || !statSync(path).isFile()) return openPipe(path, options);
  const fd = openSync(path, 'r');
  try {
    return {
      ...(await fileParts(fd, path, basename(path), options)),
      size: statSync(path).size,
      keep: () => Promise.resolve(),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The parts of an open file that can be read again and again. @param file its name, null where it has none. */
async function fileParts(
  fd: number,
  path: string,
  file: string | null,
  { onBytes, signal }: Pick<InputOptions, 'onBytes' | 'signal'>,
): Promise<Pick<Input, 'parts' | 'close'>> {
  const start = Buffer.alloc(MAGIC_BYTES);
  const length = readSync(fd, start, 0, MAGIC_BYTES, 0);
  const close = () => closeSync(fd);
  const outer = file === null ? [] : [file];
  if (!beginsLikeZip(start.subarray(0, length))) {
    const open = () => interruptible(decompressed(counted(bytesOf(fd), onBytes)), signal);
    return { parts: [rereadable(path, outer, open)], close };
  }
  const parts = (await zipEntries(fd)).map((entry) =>
    rereadable(`${path}:${entry.name}`, [basename(entry.name), ...outer], () =>
      interruptible(decompressed(counted(entry.open(), onBytes)), signal),
    ),
  );
  return { parts, close };
}

/** The bytes of an open file. No stream of the system's library: one that is left early closes the descriptor. */
async function* bytesOf(fd: number): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const { buffer, bytesRead } = await readAt(fd, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function rereadable(name: string, fileNames: readonly string[], open: () => AsyncGenerator<Buffer>): Part {
  const start: Part['start'] = async (isEnough) => {
    const chunks = open();
    const { bytes, isAll } = await gather(chunks, isEnough);
    await chunks.return(undefined);
    return { bytes: Buffer.concat(bytes), isAll };
  };
  return { name, fileNames, open, start };
}

async function gather(
  chunks: AsyncIterator<Buffer>,
  isEnough: (bytes: Buffer) => boolean,
): Promise<{ bytes: Buffer[]; isAll: boolean }> {
  const bytes: Buffer[] = [];
  let length = 0;
  let looked = 0;
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return { bytes, isAll: true };
    bytes.push(next.value);
    length += next.value.length;
    // A pipe may bring byte after byte: looking at all of them each time would take the square of their number.
    if (length < looked * LOOK_AGAIN) continue;
    looked = length;
    if (isEnough(Buffer.concat(bytes))) return { bytes, isAll: false };
  }
}

async function openPipe(path: string, options: InputOptions): Promise<Input> {
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const { signal } = options;
  const { start, chunks } = await withStart(interruptible(counted(stream, options.onBytes), signal));
  const name = path === '-' ? 'standard input' : path;
  const part = onceReadable(name, interruptible(decompressed(chunks), signal));
  let kept: Pick<Input, 'parts' | 'close'> | null = null;
  const keep = async () => {
    if (kept !== null) return;
    const fd = await spool(part.open(), options.spoolFolder);
    kept = await fileParts(fd, name, null, { onBytes: () => undefined, signal });
  };
  // The directory of a zip stands at its end.
  if (beginsLikeZip(start)) await keep();
  return {
    get parts() {
      return kept?.parts ?? [part];
    },
    size: null,
    keep,
    close: () => {
      kept?.close();
      // Nobody reads on, and a pipe that is open keeps the process from its end.
      if (signal.aborted) stream.destroy();
    },
  };
}

function onceReadable(name: string, content: AsyncGenerator<Buffer>): Part {
  let held: Buffer[] = [];
  const open = async function* () {
    yield* held;
    held = [];
    yield* content;
  };
  const start: Part['start'] = async (isEnough) => {
    const { bytes, isAll } = await gather(content, (more) => isEnough(Buffer.concat([...held, more])));
    held.push(...bytes);
    return { bytes: Buffer.concat(held), isAll };
  };
  return { name, fileNames: [], open, start };
}

/** Writes a stream to a file without a name. @returns its descriptor. */
async function spool(chunks: AsyncIterable<Buffer>, folder: string): Promise<number> {
  makeFolder(folder);
  const fd = openNameless(folder);
  try {
    for await (const chunk of chunks) for (let at = 0; at < chunk.length;) at += writeSync(fd, chunk, at);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return fd;
}

function openNameless(folder: string): number {
  const path = join(folder, `.ingest-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const fd = openSync(path, 'wx+', FILE_MODE);
    rmSync(path);
    return fd;
  } catch (error) {
    throw speakingOf(folder, path, error);
  }
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}
