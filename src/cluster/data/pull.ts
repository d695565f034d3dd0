import { constants, existsSync, readdirSync, rmSync } from 'node:fs';
import { copyFile, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Base } from '../../contract/vocabulary.ts';
import { makeFolder } from '../../process/files.ts';
import {
  RANGE_CHUNKS_MAX,
  CHUNK_BYTES,
  DIGEST_BYTES,
  changedRuns,
  chunkCount,
  digestChunks,
  digestFile,
  digestOf,
  hexDigestOf,
  type Run,
} from './chunks.ts';
import { partsOfName, type Manifest } from './manifest.ts';
import { PullRefused, type FileSource } from './source.ts';

/** Ranges fetched at a time: a single fetch would pause for a round trip after each range. */
const FILE_REQUESTS_MAX = 8;

/** The node's current base file, with a chunk list if known. */
export interface Held {
  readonly path: string;
  readonly chunks: Uint8Array | null;
}

export interface Pulled {
  /** The new file, verified, in the incoming folder. */
  readonly path: string;
  readonly chunks: Uint8Array;
  /** Bytes fetched, including the chunk list. */
  readonly bytesMoved: number;
}

export function incomingFolder(dataDir: string): string {
  return join(dataDir, 'incoming');
}

/** Removes files left by a killed node. @throws system errors. */
export function removeIncoming(dataDir: string, base: Base): void {
  const folder = incomingFolder(dataDir);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (partsOfName(name, base) !== null) rmSync(join(folder, name));
}

/**
 * Assembles the file of a manifest: copies the current file, fetches the chunks that differ, and compares the SHA-256. Only the
 * incoming folder is touched.
 * @throws PullRefused if the bytes do not match the manifest; errors of the network and of the disk.
 */
export async function pull(
  dataDir: string,
  manifest: Manifest,
  held: Held | null,
  source: FileSource,
): Promise<Pulled> {
  const folder = incomingFolder(dataDir);
  makeFolder(folder);
  const path = join(folder, manifest.file);
  // First, so that an unreachable publisher does not cause a file copy at each retry.
  const chunks = await fetchChunkList(manifest, source);
  try {
    const bytesMoved = await putTogether(path, { manifest, chunks, held, source });
    const { sha256, bytes } = await digestFile(path);
    if (sha256 !== manifest.sha256 || bytes !== manifest.bytes)
      throw new PullRefused(`${manifest.file}: the file put together has SHA-256 ${sha256}`);
    return { path, chunks, bytesMoved: chunks.length + bytesMoved };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** @returns the bytes that were fetched. */
async function putTogether(
  path: string,
  { manifest, chunks, held, source }: Omit<Fetching, 'opening'> & { readonly held: Held | null },
): Promise<number> {
  const opening = openCopy(path, manifest.bytes, held);
  // Reported below.
  opening.catch(() => undefined);
  try {
    const runs = changedRuns(await chunksOf(held), chunks, RANGE_CHUNKS_MAX);
    await fetchRuns(runs, { manifest, chunks, source, opening });
    return bytesOf(runs, manifest.bytes);
  } finally {
    await (await opening).close();
  }
}

/** Copies the current file while the first chunks are fetched. */
async function openCopy(path: string, bytes: number, held: Held | null): Promise<FileHandle> {
  await rm(path, { force: true });
  if (held !== null) await copyFile(held.path, path, constants.COPYFILE_FICLONE);
  const file = await open(path, held === null ? 'w+' : 'r+');
  try {
    await file.truncate(bytes);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function chunksOf(held: Held | null): Promise<Uint8Array> {
  return held === null ? new Uint8Array() : (held.chunks ?? digestChunks(held.path));
}

async function fetchChunkList(manifest: Manifest, source: FileSource): Promise<Uint8Array> {
  const chunks = await source.chunkList(manifest, chunkCount(manifest.bytes) * DIGEST_BYTES);
  if (hexDigestOf(chunks) !== manifest.chunks_sha256)
    throw new PullRefused(`${manifest.file}: its chunk list is not that of the manifest`);
  return chunks;
}

interface Fetching {
  readonly manifest: Manifest;
  readonly chunks: Uint8Array;
  readonly source: FileSource;
  /** The new file, once it can be written. */
  readonly opening: Promise<FileHandle>;
}

/** Fetches several runs at a time; the first failure ends all. */
async function fetchRuns(runs: readonly Run[], fetching: Fetching): Promise<void> {
  const rest = runs.values();
  let hasFailed = false;
  const work = async () => {
    for (const run of rest) {
      if (hasFailed) return;
      try {
        await fetchRun(run, fetching);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: FILE_REQUESTS_MAX }, work));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

async function fetchRun({ from, to }: Run, { manifest, chunks, source, opening }: Fetching): Promise<void> {
  const start = from * CHUNK_BYTES;
  const bytes = await source.range(manifest, start, Math.min(to * CHUNK_BYTES, manifest.bytes));
  for (let chunk = from; chunk < to; chunk += 1) {
    const at = (chunk - from) * CHUNK_BYTES;
    const digest = digestOf(bytes.subarray(at, at + CHUNK_BYTES));
    const listed = chunks.subarray(chunk * DIGEST_BYTES, (chunk + 1) * DIGEST_BYTES);
    if (Buffer.compare(digest, listed) !== 0)
      throw new PullRefused(`${manifest.file}: chunk ${chunk} is not the one of its list`);
  }
  const file = await opening;
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, start + written);
    written += bytesWritten;
  }
}

function bytesOf(runs: readonly Run[], bytes: number): number {
  return runs.reduce((sum, { from, to }) => sum + Math.min(to * CHUNK_BYTES, bytes) - from * CHUNK_BYTES, 0);
}
