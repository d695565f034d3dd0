import { randomBytes } from 'node:crypto';
import { closeSync, createReadStream, openSync, read, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { FILE_MODE, makeFolder, speakingOf } from '../process/files.ts';
import type { Source } from './formats/format.ts';
import { interruptible } from './interruption.ts';
import { MAGIC_BYTES, decompressed, magicOf } from './decompress.ts';
import { asUtf8 } from './encoding.ts';
import { Peekable, type Start } from './peekable.ts';
import { beginsLikeZip, zipEntries } from './zip.ts';

/** A text in an input. A pipe's text can be opened only once, unless `spool` was called before. */
export interface InputText extends Omit<Source, 'encoding'> {
  /** Reads the first bytes until `isEnough` or the end; `open` still gives all bytes. */
  readonly start: (isEnough: (bytes: Buffer) => boolean) => Promise<Start>;
}

export interface Input {
  readonly parts: readonly InputText[];
  /** Bytes of the file; null for a pipe. */
  readonly size: number | null;
  /** Copies a pipe to an unnamed temporary file, so that it can be read several times. */
  spool(): Promise<void>;
  close(): void;
}

export interface InputOptions {
  /** Called with each chunk's size when it is read from the file. */
  readonly onBytes: (bytes: number) => void;
  /** Folder for the temporary copy of a pipe. */
  readonly spoolFolder: string;
  /** On abort every read throws `Interrupted`. */
  readonly signal: AbortSignal;
}

const CHUNK_BYTES = 256 * 1024;
const readAt = promisify(read);

/**
 * Opens a plain, gzip, zstd or zip file, recognised by its first bytes; `-` is standard input.
 * @throws system errors, and Damaged for an invalid zip.
 */
export async function openInput(path: string, options: InputOptions): Promise<Input> {
  if (path === '-' || !statSync(path).isFile()) return openPipe(path, options);
  const fd = openSync(path, 'r');
  return {
    ...(await fileParts(fd, path, basename(path), options)),
    size: statSync(path).size,
    spool: () => Promise.resolve(),
  };
}

/** The parts of an open file, which is closed on errors. Each can be read several times. */
async function fileParts(
  fd: number,
  path: string,
  file: string | null,
  options: Pick<InputOptions, 'onBytes' | 'signal'>,
): Promise<Pick<Input, 'parts' | 'close'>> {
  const close = () => closeSync(fd);
  try {
    return { parts: await partsOf(fd, path, file, options), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** @param file its name; null if it has none. */
async function partsOf(
  fd: number,
  path: string,
  file: string | null,
  { onBytes, signal }: Pick<InputOptions, 'onBytes' | 'signal'>,
): Promise<InputText[]> {
  const start = Buffer.alloc(MAGIC_BYTES);
  const length = readSync(fd, start, 0, MAGIC_BYTES, 0);
  const outer = file === null ? [] : [file];
  if (!beginsLikeZip(start.subarray(0, length))) {
    const open = () => interruptible(textOf(counted(bytesOf(fd), onBytes)), signal);
    return [rereadable(path, outer, open)];
  }
  return (await zipEntries(fd, signal)).map((entry) =>
    rereadable(`${path}:${entry.name}`, [basename(entry.name), ...outer], () =>
      interruptible(textOf(counted(entry.open(), onBytes)), signal),
    ),
  );
}

/** Decompressed bytes, of a text in UTF-16 as UTF-8. */
function textOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  return asUtf8(decompressed(chunks));
}

/** The bytes of an open file. A Node stream would close the descriptor if the reader stops early. */
async function* bytesOf(fd: number): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const { buffer, bytesRead } = await readAt(fd, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function rereadable(
  name: string,
  fileNames: readonly string[],
  open: () => AsyncGenerator<Buffer>,
): InputText {
  const start: InputText['start'] = async (isEnough) => {
    const peekable = new Peekable(open());
    const found = await peekable.start(isEnough);
    await peekable.close();
    return found;
  };
  return { name, fileNames, open, start };
}

async function openPipe(path: string, options: InputOptions): Promise<Input> {
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const { signal } = options;
  const peekable = new Peekable(interruptible(counted(stream, options.onBytes), signal));
  const start = await magicOf(peekable);
  const name = path === '-' ? 'standard input' : path;
  const part = onceReadable(name, interruptible(textOf(peekable.all()), signal));
  let spooled: Pick<Input, 'parts' | 'close'> | null = null;
  const spool = async () => {
    if (spooled !== null) return;
    const fd = await writeUnnamed(part.open(), options.spoolFolder);
    spooled = await fileParts(fd, name, null, { onBytes: () => undefined, signal });
  };
  // The directory of a zip is at its end.
  if (beginsLikeZip(start)) await spool();
  return {
    get parts() {
      return spooled?.parts ?? [part];
    },
    size: null,
    spool,
    close: () => {
      spooled?.close();
      stream.destroy();
    },
  };
}

function onceReadable(name: string, content: AsyncGenerator<Buffer>): InputText {
  const peekable = new Peekable(content);
  return {
    name,
    fileNames: [],
    open: () => peekable.all(),
    start: (isEnough) => peekable.start(isEnough),
  };
}

/** Writes a stream to an unnamed file. @returns its descriptor. */
async function writeUnnamed(chunks: AsyncIterable<Buffer>, folder: string): Promise<number> {
  makeFolder(folder);
  const fd = openUnnamed(folder);
  try {
    for await (const chunk of chunks) for (let at = 0; at < chunk.length;) at += writeSync(fd, chunk, at);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return fd;
}

function openUnnamed(folder: string): number {
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
