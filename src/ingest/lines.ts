import { createReadStream } from 'node:fs';
import { Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ZstdFrames, beginsLikeZstd } from './zstd-frames.ts';

/** A line that is longer than this is not a decision; it is skipped without being held in memory. */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** One line: its number from 1, and its text, or the reason why it cannot be one. */
export interface Line {
  readonly number: number;
  readonly text: string | null;
  readonly reason: string | null;
}

const NEWLINE = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The lines of a file (`-`: standard input), plain, gzip or zstd, told apart by their first bytes.
 * @param onBytes told the number of bytes read from the file so far.
 * @throws the system's or the decompressor's error: a missing file, a cut archive.
 */
export async function* readLines(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Line> {
  const source = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 256 * 1024 });
  let number = 0;
  for await (const bytes of splitLines(await decompressed(counted(source, onBytes)))) {
    number += 1;
    if (bytes === null) {
      yield { number, text: null, reason: `longer than ${LINE_BYTES_MAX} bytes` };
      continue;
    }
    const text = decode(bytes);
    if (text === null) yield { number, text: null, reason: 'not valid UTF-8' };
    else if (text.trim() !== '') yield { number, text, reason: null };
  }
}

async function* counted(
  source: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    onBytes(total);
    yield chunk;
  }
}

/** A compressed file that ends too early: what came before is good. */
export class CutArchive extends Error {}

/** Bytes that tell the formats apart. */
const MAGIC_BYTES = 4;

/** Looks at the first bytes and puts the right decompressor after them. */
async function decompressed(chunks: AsyncGenerator<Buffer>): Promise<AsyncIterable<Buffer>> {
  let start = Buffer.alloc(0);
  while (start.length < MAGIC_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const all = (async function* () {
    yield start;
    yield* chunks;
  })();
  if (start[0] === 0x1f && start[1] === 0x8b) return through(all, createGunzip());
  return beginsLikeZstd(start) ? through(wholeFrames(all), createZstdDecompress()) : all;
}

function through(chunks: AsyncGenerator<Buffer>, decoder: Transform): AsyncIterable<Buffer> {
  const input = Readable.from(chunks);
  input.on('error', (error) => decoder.destroy(error));
  return input.pipe(decoder);
}

/** Passes zstd bytes on, and fails when they end in the middle of a frame. */
async function* wholeFrames(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const frames = new ZstdFrames();
  for await (const chunk of chunks) {
    frames.push(chunk);
    yield chunk;
  }
  if (!frames.isWhole) throw new CutArchive('the zstd file is cut: it ends in the middle of a frame');
}

/** Splits at newlines; null stands for a line that is too long. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      length += end - start;
      if (length > LINE_BYTES_MAX) yield null;
      else
        yield pieces.length === 0
          ? chunk.subarray(start, end)
          : Buffer.concat([...pieces, chunk.subarray(start, end)]);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    length += chunk.length - start;
    if (length > LINE_BYTES_MAX) pieces = [];
    else if (start < chunk.length) pieces.push(Buffer.from(chunk.subarray(start)));
  }
  if (length > LINE_BYTES_MAX) yield null;
  else if (length > 0) yield Buffer.concat(pieces);
}

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
