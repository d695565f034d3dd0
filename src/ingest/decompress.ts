import { Duplex, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { codeOf } from '../process/fail.ts';
import { Peekable } from './peekable.ts';

/** Compressed data are damaged, or end too early. The data before that are good. */
class DamagedArchive extends Error {}

/** True for errors of gzip and zstd about their input; false for system errors. */
export function isArchiveError(error: unknown): error is Error {
  if (error instanceof DamagedArchive) return true;
  return /^(?:Z_|ERR_)/u.test(codeOf(error));
}

/** Bytes that identify the kind of file. */
export const MAGIC_BYTES = 4;
const ZSTD_MAGIC = 0xfd2fb528;
/** Of frames that hold something else, the lowest four bits are any. */
const ZSTD_SKIPPABLE_MAGIC = 0x184d2a50;

/** True if the bytes begin with a zstd frame or a skippable frame. */
export function beginsLikeZstd(start: Buffer): boolean {
  if (start.length < MAGIC_BYTES) return false;
  const magic = start.readUInt32LE(0);
  return magic === ZSTD_MAGIC || (magic & 0xfffffff0) >>> 0 === ZSTD_SKIPPABLE_MAGIC;
}

/** Decompresses gzip and zstd, recognised by their first bytes. Other bytes pass unchanged. */
export async function* decompressed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const peekable = new Peekable(chunks);
  const start = await magicOf(peekable);
  if (start[0] === 0x1f && start[1] === 0x8b) yield* through(peekable.all(), createGunzip());
  else if (beginsLikeZstd(start)) yield* unzstd(peekable.all());
  else yield* peekable.all();
}

/** The first `MAGIC_BYTES` bytes or more; fewer if the data end before. */
export async function magicOf(peekable: Peekable): Promise<Buffer> {
  const { bytes } = await peekable.start(({ length }) => length >= MAGIC_BYTES);
  return bytes;
}

function through(chunks: AsyncGenerator<Buffer>, decoder: Duplex): AsyncIterable<Buffer> {
  const input = Readable.from(chunks);
  input.on('error', (error) => decoder.destroy(error));
  // A reader that stops early must also close the file.
  decoder.once('close', () => input.destroy());
  return input.pipe(decoder);
}

/** By the web's decoder: Node's reports no error if the data end in the middle of a frame. */
async function* unzstd(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* through(chunks, Duplex.fromWeb(new DecompressionStream('zstd')));
  } catch (error) {
    // Its errors have this class; errors of the input pass unchanged.
    if (!(error instanceof TypeError)) throw error;
    throw new DamagedArchive(`the zstd file is ${whatIs(error.message)}`);
  }
}

function whatIs(reason: string): string {
  if (reason.includes('end of file')) return 'cut: it ends in the middle of a frame';
  // A frame cut within its first bytes is reported as trailing junk.
  if (reason.includes('Trailing junk')) return 'cut, or has other data after its last frame';
  return `damaged: ${reason}`;
}
