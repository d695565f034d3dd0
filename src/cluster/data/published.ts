import Database from 'better-sqlite3';
import {
  constants,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseCobertura } from '../../contract/cobertura.ts';
import type { Base } from '../../contract/vocabulary.ts';
import { SLICE_ROWS } from '../../config/limits.ts';
import { baseFile } from '../../index/format/schema.ts';
import { Connector, snapshotOf } from '../../index/read/connection.ts';
import { cover } from '../../index/read/coverage.ts';
import { PlainError } from '../../process/fail.ts';
import { makeFolder, writeAtomically } from '../../process/files.ts';
import { LOCK_WAIT_MS, takeLock } from '../../process/lock.ts';
import { describeCoverage } from '../../search/coverage.ts';
import { addSlice, emptyTotals } from '../../search/coverage-totals.ts';
import { digestFile, hexDigestOf } from './chunks.ts';
import { chunkListOf, fileNameOf, partsOfName, readManifest, type Manifest } from './manifest.ts';

const SLICE_MS = 600_000;
/** All pages in one step, so that the copy is one moment of the base. */
const ALL_PAGES = 0x7fff_ffff;
const BUSY_TIMEOUT_MS = 60_000;
/** Searches read for some milliseconds. */
const READERS_WAIT_MS = 1_000;

/** Where the publisher keeps what it sends: files, chunk lists, and a manifest for each base. */
export function publishedFolder(dataDir: string): string {
  return join(dataDir, 'published');
}

/** The manifest of what was last published of a base, from disk; null where there is none. */
export function lastManifest(dataDir: string, base: Base): Manifest | null {
  const file = manifestFile(dataDir, base);
  return existsSync(file) ? readManifest(readFileSync(file, 'utf8')) : null;
}

/**
 * Copies a base page by page as it is at this moment, beside loads and searches, and describes the copy. A base that has
 * not changed since it was last published keeps that manifest.
 * @param url where nodes fetch the files. @param now of the publication.
 * @throws PlainError where there is no such base, or one older than what was published; system errors.
 */
export async function publishFile(dataDir: string, base: Base, url: string, now: Date): Promise<Manifest> {
  const folder = publishedFolder(dataDir);
  makeFolder(folder);
  const release = takeLock(dataDir, LOCK_WAIT_MS, 'publish.lock');
  const copy = join(folder, `.${base}.copying`);
  try {
    await copyBase(baseFile(dataDir, base), copy);
    const known = lastManifest(dataDir, base);
    const { generation, decisions, coverage } = lookInto(copy, base, now);
    refuseOlder(known, base, generation);
    if (known?.generation === generation && isHeld(folder, known)) return again(dataDir, known, url);
    const { sha256, bytes, chunks } = await digestFile(copy, true);
    const file = fileNameOf({ base, generation, sha256 });
    const manifest: Manifest = {
      v: 1,
      base,
      generation,
      decisions,
      bytes,
      sha256,
      chunks_sha256: hexDigestOf(chunks),
      file,
      coverage,
      published_at: now.toISOString(),
      url,
    };
    writeAtomically(join(folder, chunkListOf(file)), chunks);
    renameSync(copy, join(folder, file));
    writeAtomically(manifestFile(dataDir, base), `${JSON.stringify(manifest, null, 2)}\n`);
    removeOthers(folder, base, [file, known?.file]);
    return manifest;
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
    release();
  }
}

/** Replicas only go forward, so all of them would ignore an older file. @throws PlainError */
function refuseOlder(known: Manifest | null, base: Base, generation: number): void {
  if (known === null || generation >= known.generation) return;
  throw new PlainError(
    `${base} is at generation ${generation}, and ${known.generation} was published: replicas only go forward; ` +
      'publish from the folder that has the newer file',
  );
}

/** What is published already; only the address of the files may have changed. */
function again(dataDir: string, known: Manifest, url: string): Manifest {
  if (known.url === url) return known;
  const moved = { ...known, url };
  writeAtomically(manifestFile(dataDir, known.base), `${JSON.stringify(moved, null, 2)}\n`);
  return moved;
}

/** The copy has no write-ahead log: it is read in any folder, and needs no file beside it. */
async function copyBase(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new PlainError(`no base file at ${from}; load the base first: bun run ingest`);
  rmSync(to, { force: true });
  const source = new Database(from, { timeout: BUSY_TIMEOUT_MS });
  try {
    if (!(await copyWhole(source, from, to))) await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new Database(to);
  try {
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
}

/**
 * Copies the file with one call of the system, which takes a fifth of the time of page by page. While it does, loads wait.
 * @returns false where the log cannot be folded in, for somebody reads from it.
 */
async function copyWhole(source: Database.Database, from: string, to: string): Promise<boolean> {
  source.pragma(`busy_timeout = ${READERS_WAIT_MS}`);
  source.pragma('wal_checkpoint(TRUNCATE)');
  source.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  source.exec('BEGIN IMMEDIATE');
  try {
    const log = statSync(`${from}-wal`, { throwIfNoEntry: false });
    if (log !== undefined && log.size > 0) return false;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return true;
  } finally {
    source.exec('ROLLBACK');
  }
}

interface Inside {
  readonly generation: number;
  readonly decisions: number;
  readonly coverage: BaseCobertura;
}

/** Opens the copy as a replica does, which refuses a file that cannot serve. */
function lookInto(file: string, base: Base, now: Date): Inside {
  const connector = new Connector(file, base);
  try {
    const connection = connector.connection();
    const snapshot = snapshotOf(connection);
    const totals = emptyTotals();
    let from: number | null = 0;
    while (from !== null) {
      connection.budget.start(performance.now() + SLICE_MS);
      const request = { kind: 'cover', acima_de: from, linhas_max: SLICE_ROWS, budget_ms: SLICE_MS } as const;
      const slice = cover(connection, request, snapshot);
      addSlice(totals, slice);
      from = slice.ate;
    }
    const coverage = describeCoverage(base, totals, now);
    return { generation: snapshot.generation, decisions: snapshot.lastNumber, coverage };
  } finally {
    connector.close();
  }
}

function manifestFile(dataDir: string, base: Base): string {
  return join(publishedFolder(dataDir), `${base}.json`);
}

function isHeld(folder: string, { file, bytes }: Manifest): boolean {
  const found = statSync(join(folder, file), { throwIfNoEntry: false });
  return found?.size === bytes && existsSync(join(folder, chunkListOf(file)));
}

/** The file before this one stays: a node may be fetching it. */
function removeOthers(folder: string, base: Base, kept: readonly (string | undefined)[]): void {
  for (const name of readdirSync(folder)) {
    const file = name.replace(/\.chunks$/u, '.db');
    if (partsOfName(file, base) !== null && !kept.includes(file)) rmSync(join(folder, name), { force: true });
  }
}
