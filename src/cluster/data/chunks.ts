import { open } from 'node:fs/promises';

/** A base file is sent in chunks of this size; the last one may be shorter. */
export const CHUNK_BYTES = 65_536;
/** Size of the SHA-256 of a chunk. The chunk list has them in the order of the file. */
export const DIGEST_BYTES = 32;
/** Bytes read at a time: hashing them takes 0.2 ms, and blocks the event loop for that long. */
const READ_BYTES = 4 * CHUNK_BYTES;

export interface Digests {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** The chunk list: a digest for each chunk. Empty where it was not asked for. */
  readonly chunks: Uint8Array;
}

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / CHUNK_BYTES);
}

export function digestOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(Bun.SHA256.hash(bytes).buffer);
}

export function hexDigestOf(bytes: Uint8Array): string {
  return Bun.SHA256.hash(bytes, 'hex');
}

/** True where both lists have the same digest for a chunk. */
export function isSameChunk(one: Uint8Array, other: Uint8Array, chunk: number): boolean {
  const from = chunk * DIGEST_BYTES;
  const to = from + DIGEST_BYTES;
  if (to > one.length || to > other.length) return false;
  return Buffer.compare(one.subarray(from, to), other.subarray(from, to)) === 0;
}

/**
 * Reads a file once, without stopping the event loop for long. @param withChunks also makes its chunk list.
 * @throws system errors.
 */
export async function digestFile(path: string, withChunks: boolean): Promise<Digests> {
  const file = await open(path, 'r');
  try {
    const whole = new Bun.CryptoHasher('sha256');
    const chunks: Uint8Array[] = [];
    const buffer = new Uint8Array(READ_BYTES);
    let bytes = 0;
    for (;;) {
      const filled = await fill(file, buffer, bytes);
      if (filled === 0) break;
      const read = buffer.subarray(0, filled);
      whole.update(read);
      if (withChunks) chunks.push(...chunkDigests(read));
      bytes += filled;
    }
    return { sha256: whole.digest('hex'), bytes, chunks: Buffer.concat(chunks) };
  } finally {
    await file.close();
  }
}

function chunkDigests(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: chunkCount(bytes.length) }, (_, chunk) =>
    digestOf(bytes.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES)),
  );
}

/** Reads until the buffer is full or the file ends: a short read would shift the chunk boundaries. */
async function fill(
  file: Awaited<ReturnType<typeof open>>,
  buffer: Uint8Array,
  from: number,
): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
