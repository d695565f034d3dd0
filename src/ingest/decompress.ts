import { Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ZstdFrames, beginsLikeZstd } from './zstd-frames.ts';

/** A compressed file ends too early. The data before its end is good. */
export class CutArchive extends Error {}

/** True for errors of gzip and zstd about their input; false for system errors. */
export function isArchiveError(error: unknown): error is Error {
  if (error instanceof CutArchive) return true;
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR_)/u.test(String(error.code));
}

/** Bytes that identify the kind of file. */
export const MAGIC_BYTES = 4;

/** Decompresses gzip and zstd, recognised by their first bytes. Other bytes pass unchanged. */
export async function* decompressed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const all = await withStart(chunks);
  if (all.start[0] === 0x1f && all.start[1] === 0x8b) yield* through(all.chunks, createGunzip());
  else if (beginsLikeZstd(all.start)) yield* through(wholeFrames(all.chunks), createZstdDecompress());
  else yield* all.chunks;
}

/** The first bytes of a stream, and the complete stream, from its start. */
export async function withStart(
  chunks: AsyncIterable<Buffer>,
): Promise<{ start: Buffer; chunks: AsyncGenerator<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < MAGIC_BYTES) {
    const next = await iterator.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const remainder = { [Symbol.asyncIterator]: () => iterator };
  return {
    start,
    chunks: (async function* () {
      yield start;
      yield* remainder;
    })(),
  };
}

function through(chunks: AsyncGenerator<Buffer>, decoder: Transform): AsyncIterable<Buffer> {
  const input = Readable.from(chunks);
  input.on('error', (error) => decoder.destroy(error));
  // A reader that stops early must also close the file.
  decoder.once('close', () => input.destroy());
  return input.pipe(decoder);
}

/** Passes zstd bytes through. @throws CutArchive if they end in the middle of a frame. */
async function* wholeFrames(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const frames = new ZstdFrames();
  for await (const chunk of chunks) {
    frames.push(chunk);
    yield chunk;
  }
  if (!frames.isWhole) throw new CutArchive('the zstd file is cut: it ends in the middle of a frame');
}
