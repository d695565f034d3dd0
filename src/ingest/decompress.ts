import { Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ZstdFrames, beginsLikeZstd } from './zstd-frames.ts';

/** A compressed file that ends too early: what came before is good. */
export class CutArchive extends Error {}

/** True for what gzip and zstd say of their input; the system's own errors are of another kind. */
export function isOfTheArchive(error: unknown): error is Error {
  if (error instanceof CutArchive) return true;
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR_)/u.test(String(error.code));
}

/** Bytes that tell the kinds of file apart. */
export const MAGIC_BYTES = 4;

/** Bytes as they were before gzip or zstd, told apart by the first of them; any others as they are. */
export async function* decompressed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const all = await withStart(chunks);
  if (all.start[0] === 0x1f && all.start[1] === 0x8b) yield* through(all.chunks, createGunzip());
  else if (beginsLikeZstd(all.start)) yield* through(wholeFrames(all.chunks), createZstdDecompress());
  else yield* all.chunks;
}

/** The first bytes of a stream, and the whole of it still to be read. */
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
  const rest = { [Symbol.asyncIterator]: () => iterator };
  return {
    start,
    chunks: (async function* () {
      yield start;
      yield* rest;
    })(),
  };
}

function through(chunks: AsyncGenerator<Buffer>, decoder: Transform): AsyncIterable<Buffer> {
  const input = Readable.from(chunks);
  input.on('error', (error) => decoder.destroy(error));
  // Whoever stops reading early lets go of the file, too.
  decoder.once('close', () => input.destroy());
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
