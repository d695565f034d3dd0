import Database from 'better-sqlite3';
import { closeSync, constants, existsSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { copyFile, truncate } from 'node:fs/promises';
import { PlainError } from '../../process/fail.ts';
import {
  RANGE_CHUNKS_MAX,
  CHUNK_BYTES,
  changedRuns,
  digestChunks,
  digestFile,
  type Whole,
} from './chunks.ts';
import { BUSY_TIMEOUT_MS } from '../../index/format/schema.ts';

/** Longest wait of a copy for running searches to end, some milliseconds, so that the log can be folded in. */
const READERS_WAIT_MS = 1_000;

/** All pages in one step, so that the copy is consistent. */
const ALL_PAGES = 0x7fff_ffff;
/** The write and read version in the header of an SQLite file: 2 with a write-ahead log, 1 without (sqlite.org/fileformat.html). */
const WITHOUT_LOG = { at: 18, bytes: Uint8Array.of(1, 1) };

export interface Snapshot extends Whole {
  readonly chunks: Uint8Array;
}

/**
 * Copies a base file in its current state, while searches and loads continue. The copy has no write-ahead log: it can be read in
 * a read-only folder, and needs no side file.
 * @param to path of the copy. @param before the chunk list of an older copy there: only the chunks that differ are written.
 * @throws PlainError if there is no such file; system errors.
 */
export async function copyBase(from: string, to: string, before: Uint8Array | null): Promise<Snapshot> {
  if (!existsSync(from)) throw new PlainError(`no base file at ${from}; load the base first: bun run ingest`);
  const copied = await copyFolded(from, to, before);
  if (copied !== null) return copied;
  rmSync(to, { force: true });
  const source = new Database(from, { timeout: BUSY_TIMEOUT_MS });
  try {
    // A backup reads one consistent state by itself.
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
  leaveWalMode(to);
  return digestsOf(to);
}

/** Null if the log could not be folded into the file, because it has readers, or if the file may have changed meanwhile. */
async function copyFolded(from: string, to: string, before: Uint8Array | null): Promise<Snapshot | null> {
  const source = new Database(from, { timeout: READERS_WAIT_MS });
  try {
    source.pragma('wal_checkpoint(TRUNCATE)');
    source.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Loads write to the log meanwhile: no checkpoint writes to the file while this transaction reads the file alone.
    source.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    if ((statSync(`${from}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return null;
    const shared = sharedMemoryOf(from);
    const snapshot = await (before === null ? copyWhole(from, to) : update(from, to, before));
    return sharedMemoryOf(from) === shared ? snapshot : null;
  } finally {
    source.close();
  }
}

/**
 * Identifies a base's shared memory. A process that closes a file loses its locks on it (POSIX), also those of SQLite: a load
 * that ends meanwhile then takes itself for the last user, writes the log to the file and removes both.
 */
function sharedMemoryOf(file: string): number | undefined {
  return statSync(`${file}-shm`, { throwIfNoEntry: false })?.ino;
}

async function copyWhole(from: string, to: string): Promise<Snapshot> {
  rmSync(to, { force: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  leaveWalMode(to);
  return digestsOf(to);
}

async function digestsOf(file: string, patch: typeof WITHOUT_LOG | null = null): Promise<Snapshot> {
  const [whole, chunks] = await Promise.all([digestFile(file, patch), digestChunks(file, patch)]);
  return { ...whole, chunks };
}

async function update(from: string, to: string, before: Uint8Array): Promise<Snapshot> {
  const snapshot = await digestsOf(from, WITHOUT_LOG);
  const [source, copy] = [openSync(from, 'r'), openSync(to, 'r+')];
  try {
    for (const run of changedRuns(before, snapshot.chunks, RANGE_CHUNKS_MAX)) {
      const bytes = new Uint8Array((run.to - run.from) * CHUNK_BYTES);
      const at = run.from * CHUNK_BYTES;
      for (let read = readSync(source, bytes, 0, bytes.length, at), written = 0; written < read;)
        written += writeSync(copy, bytes, written, read - written, at + written);
    }
  } finally {
    closeSync(source);
    closeSync(copy);
  }
  await truncate(to, snapshot.bytes);
  leaveWalMode(to);
  return snapshot;
}

/** As SQLite does, but without waiting for a sync of the whole file. */
function leaveWalMode(file: string): void {
  const opened = openSync(file, 'r+');
  try {
    writeSync(opened, WITHOUT_LOG.bytes, 0, WITHOUT_LOG.bytes.length, WITHOUT_LOG.at);
  } finally {
    closeSync(opened);
  }
}
