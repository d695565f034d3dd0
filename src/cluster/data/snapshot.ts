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

/** A copy's SHA-256, size and chunk list. */
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
  if (before === null) rmSync(to, { force: true });
  const source = new Database(from, { timeout: BUSY_TIMEOUT_MS });
  try {
    return await whileFolded(source, from, async (isFolded) => {
      if (isFolded && before !== null) return update(from, to, before);
      rmSync(to, { force: true });
      if (isFolded) await copyFile(from, to, constants.COPYFILE_FICLONE);
      else await source.backup(to, { progress: () => ALL_PAGES });
      leaveWalMode(to);
      return digestsOf(to);
    });
  } finally {
    source.close();
  }
}

/** @param work called with true if the log could be folded into the file; readers of the log prevent that. */
async function whileFolded<T>(
  source: Database.Database,
  file: string,
  work: (isFolded: boolean) => Promise<T>,
): Promise<T> {
  source.pragma(`busy_timeout = ${READERS_WAIT_MS}`);
  source.pragma('wal_checkpoint(TRUNCATE)');
  source.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Loads write to the log meanwhile: no checkpoint writes to the file while this transaction reads the file alone.
  source.exec('BEGIN; SELECT 1 FROM sqlite_schema');
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const isFolded = log === undefined || log.size === 0;
  // A backup reads one consistent state by itself.
  if (!isFolded) source.exec('ROLLBACK');
  try {
    return await work(isFolded);
  } finally {
    if (source.inTransaction) source.exec('ROLLBACK');
  }
}

async function digestsOf(file: string, patch: typeof WITHOUT_LOG | null = null): Promise<Snapshot> {
  const [whole, chunks] = await Promise.all([digestFile(file, patch), digestChunks(file, patch)]);
  return { ...whole, chunks };
}

/** Updates the older copy. */
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
