import { accessSync, closeSync, openSync, readSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Most chunks of 16 KiB in one range: 4 MiB. */
export const RANGE_CHUNKS_MAX = 256;

/** Two pages. After 1,000 decisions more in 200,000, chunks of 64 KiB send 34 MB, chunks of 16 KiB 23 MB. */
export const CHUNK_BYTES = 16_384;
/** Size of a chunk's digest, a truncated SHA-256. The SHA-256 of the whole file is compared too. */
export const DIGEST_BYTES = 16;
const READ_BYTES = 64 * CHUNK_BYTES;
const ENTRY = new URL('../../../workers/digest.ts', import.meta.url);

export interface Whole {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Task for a thread: the SHA-256 of a file, or its chunk list, the digests of its chunks in order. */
export interface DigestTask {
  readonly path: string;
  readonly of: 'file' | 'chunks';
  /** Bytes that replace bytes of the file's first chunk. */
  readonly patch: Patch | null;
}
export interface Patch {
  readonly at: number;
  readonly bytes: Uint8Array;
}

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / CHUNK_BYTES);
}

export function digestOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(Bun.SHA256.hash(bytes).buffer, 0, DIGEST_BYTES);
}

export function hexDigestOf(bytes: Uint8Array): string {
  return Bun.SHA256.hash(bytes, 'hex');
}

/** Consecutive chunks: the first, and the one after the last. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** The chunks that differ between two lists, in runs of at most `most`. */
export function changedRuns(before: Uint8Array, after: Uint8Array, most: number): Run[] {
  const runs: Run[] = [];
  for (let chunk = 0; chunk < after.length / DIGEST_BYTES; chunk += 1) {
    if (isSameChunk(before, after, chunk)) continue;
    const last = runs.at(-1);
    if (last?.to === chunk && chunk - last.from < most)
      runs[runs.length - 1] = { from: last.from, to: chunk + 1 };
    else runs.push({ from: chunk, to: chunk + 1 });
  }
  return runs;
}

function isSameChunk(one: Uint8Array, other: Uint8Array, chunk: number): boolean {
  const from = chunk * DIGEST_BYTES;
  const to = from + DIGEST_BYTES;
  if (to > one.length || to > other.length) return false;
  return Buffer.compare(one.subarray(from, to), other.subarray(from, to)) === 0;
}

/** Hashes a file in a thread: 0.5 s for 700 MB. @throws system errors. */
export function digestFile(path: string, patch: Patch | null = null): Promise<Whole> {
  return inThread({ path, of: 'file', patch });
}

/** Makes a file's chunk list in a thread, in the same time. @throws system errors. */
export function digestChunks(path: string, patch: Patch | null = null): Promise<Uint8Array> {
  return inThread({ path, of: 'chunks', patch });
}

/** The thread's work. @throws system errors. */
export function digest({ path, of, patch }: DigestTask): Whole | Uint8Array {
  if (of === 'file') {
    const hasher = new Bun.CryptoHasher('sha256');
    const bytes = readWhole(path, patch, (read) => hasher.update(read));
    return { sha256: hasher.digest('hex'), bytes };
  }
  const chunks: Uint8Array[] = [];
  readWhole(path, patch, (read) => {
    for (let at = 0; at < read.length; at += CHUNK_BYTES)
      chunks.push(digestOf(read.subarray(at, at + CHUNK_BYTES)));
  });
  return Buffer.concat(chunks);
}

/** Passes the content to `onRead` in pieces; all but the last are whole chunks. @returns its size. */
function readWhole(path: string, patch: Patch | null, onRead: (bytes: Uint8Array) => void): number {
  const file = openSync(path, 'r');
  try {
    const buffer = new Uint8Array(READ_BYTES);
    for (let bytes = 0; ;) {
      const filled = fill(file, buffer, bytes);
      if (bytes === 0 && patch !== null) buffer.set(patch.bytes, patch.at);
      if (filled > 0) onRead(buffer.subarray(0, filled));
      bytes += filled;
      if (filled < buffer.length) return bytes;
    }
  } finally {
    closeSync(file);
  }
}

/** Reads until the buffer is full or the file ends: a short read would shift the chunk boundaries. */
function fill(file: number, buffer: Uint8Array, from: number): number {
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(file, buffer, filled, buffer.length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

async function inThread<T extends Whole | Uint8Array>(task: DigestTask): Promise<T> {
  // An error object would lose its code between threads.
  accessSync(task.path);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const worker = new Worker(ENTRY, { workerData: task });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => {
    reject(new Error(`the thread that hashes ${task.path} ended without a reply`));
  });
  return promise;
}
