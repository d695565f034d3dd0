import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseCobertura } from '../../contract/cobertura.ts';
import type { Base } from '../../contract/vocabulary.ts';
import { baseFile } from '../../index/format/schema.ts';
import { Connector, snapshotOf } from '../../index/read/connection.ts';
import { cover } from '../../index/read/coverage.ts';
import { PlainError, codeOf } from '../../process/fail.ts';
import { makeFolder, syncAside, writeAtomically } from '../../process/files.ts';
import { takeLock, LOCK_WAIT_MS } from '../../process/lock.ts';
import { describeCoverage, SLICE_ROWS } from '../../search/coverage.ts';
import { addSlice, emptyTotals } from '../../search/coverage-totals.ts';
import { digestFile, hexDigestOf } from './chunks.ts';
import { chunkListOf, fileNameOf, partsOfName, readManifest, type Manifest } from './manifest.ts';
import { copyBase } from './snapshot.ts';

/** Budget of a slice of the coverage at a publication, where no search waits. */
const SLICE_MS = 600_000;

const BEFORE = '.before';
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL']);

/** The publisher's files, chunk lists, and a manifest for each base. */
export function publishedFolder(dataDir: string): string {
  return join(dataDir, 'published');
}

/** The latest manifest of a base, from disk; null if none. */
export function lastManifest(dataDir: string, base: Base): Manifest | null {
  return manifestIn(manifestFile(dataDir, base));
}

function manifestIn(file: string): Manifest | null {
  return existsSync(file) ? readManifest(readFileSync(file, 'utf8')) : null;
}

/**
 * Copies a base page by page in its current state, while searches continue, and describes the copy. A base that has not changed
 * since its last publication keeps its manifest.
 * @param url where nodes fetch the files. @param now of the publication.
 * @param notify called with the manifest once the files can be fetched; the publication is complete when it resolves.
 * @throws PlainError if there is no such base, or it is older than the published one; system errors; the errors of `notify`.
 */
export async function publishFile(
  dataDir: string,
  base: Base,
  url: string,
  now: Date,
  notify: (manifest: Manifest) => Promise<void> = () => Promise.resolve(),
): Promise<Manifest> {
  const folder = publishedFolder(dataDir);
  makeFolder(folder);
  const release = takeLock(dataDir, LOCK_WAIT_MS, `publish-${base}.lock`);
  const copy = join(folder, `.${base}.copying`);
  try {
    const known = lastManifest(dataDir, base);
    const before = takeBefore(dataDir, base, copy);
    const { chunks, ...whole } = await copyBase(baseFile(dataDir, base), copy, before);
    const inside = lookInto(copy, base, now);
    refuseOlder(known, base, inside.generation);
    const made: Manifest = {
      v: 1,
      base,
      ...inside,
      ...whole,
      chunks_sha256: hexDigestOf(chunks),
      file: fileNameOf({ base, generation: inside.generation, ...whole }),
      published_at: now.toISOString(),
      url,
    };
    const isKept = known?.generation === made.generation && (await isHeldWhole(folder, known));
    const manifest = isKept ? { ...known, url } : made;
    if (!isKept) {
      writeFileSync(join(folder, chunkListOf(made.file)), chunks);
      renameSync(copy, join(folder, made.file));
    }
    await notify(manifest);
    // Nodes can fetch it before the sync. The manifest on disk shows that the rest is on disk too.
    for (const name of [manifest.file, chunkListOf(manifest.file)]) await syncAside(join(folder, name));
    if (known !== null && known.file !== manifest.file) writeManifest(dataDir, base, known, BEFORE);
    writeManifest(dataDir, base, manifest);
    removeOthers(folder, base, [manifest.file, known?.file]);
    return manifest;
  } catch (error) {
    throw NO_ROOM.has(codeOf(error)) ? noRoom(folder, baseFile(dataDir, base)) : error;
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
    release();
  }
}

function noRoom(folder: string, file: string): PlainError {
  const megabytes = Math.ceil(statSync(file).size / 1_000_000);
  return new PlainError(
    `no room in ${folder} for a copy of ${megabytes} MB: the disk is full, or a limit is reached; what was published ` +
      'before is whole, and nodes go on with it; free some space and run the command again',
  );
}

/** Replicas never go back, so they would ignore an older file. @throws PlainError */
function refuseOlder(known: Manifest | null, base: Base, generation: number): void {
  if (known === null || generation >= known.generation) return;
  throw new PlainError(
    `${base} is at generation ${generation}, and ${known.generation} was published: replicas only go forward; ` +
      'publish from the folder that has the newer file',
  );
}

interface Inside {
  readonly generation: number;
  readonly decisions: number;
  readonly coverage: BaseCobertura;
}

/** Opens the copy as a replica would, which rejects an unusable file. */
function lookInto(file: string, base: Base, now: Date): Inside {
  const connector = new Connector(file, base);
  try {
    const connection = connector.connection();
    const snapshot = snapshotOf(connection);
    const totals = emptyTotals();
    let from: number | null = 0;
    while (from !== null) {
      connection.budget.start(performance.now() + SLICE_MS);
      const request = { kind: 'cover', above: from, rows_max: SLICE_ROWS, budget_ms: SLICE_MS } as const;
      const slice = cover(connection, request, snapshot);
      addSlice(totals, slice);
      from = slice.to;
    }
    const coverage = describeCoverage(base, totals, now);
    return { generation: snapshot.generation, decisions: snapshot.docs, coverage };
  } finally {
    connector.close();
  }
}

/** Takes the file before the last published one as `copy`, to overwrite it. @returns its chunk list; null unless it is on disk. */
function takeBefore(dataDir: string, base: Base, copy: string): Uint8Array | null {
  rmSync(copy, { force: true });
  const [folder, list] = [publishedFolder(dataDir), manifestFile(dataDir, base, BEFORE)];
  const manifest = manifestIn(list);
  // Removed even if this process ends early: the file is then neither version.
  rmSync(list, { force: true });
  if (manifest === null || manifest.file === lastManifest(dataDir, base)?.file) return null;
  const [file, chunkList] = [manifest.file, chunkListOf(manifest.file)].map((name) => join(folder, name));
  if (file === undefined || chunkList === undefined || !existsSync(file) || !existsSync(chunkList))
    return null;
  const chunks = new Uint8Array(readFileSync(chunkList));
  if (hexDigestOf(chunks) !== manifest.chunks_sha256) return null;
  rmSync(chunkList);
  renameSync(file, copy);
  return chunks;
}

/** @param which empty, or `BEFORE` for the manifest before the last. */
function manifestFile(dataDir: string, base: Base, which = ''): string {
  return join(publishedFolder(dataDir), `${base}${which}.json`);
}

function writeManifest(dataDir: string, base: Base, manifest: Manifest, which = ''): void {
  writeAtomically(manifestFile(dataDir, base, which), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Whether the published file still matches its manifest. */
async function isHeldWhole(folder: string, { file, sha256, chunks_sha256 }: Manifest): Promise<boolean> {
  const [path, list] = [join(folder, file), join(folder, chunkListOf(file))];
  if (!existsSync(path) || !existsSync(list)) return false;
  return hexDigestOf(readFileSync(list)) === chunks_sha256 && (await digestFile(path)).sha256 === sha256;
}

/** The previous file stays: a node may be fetching it. */
function removeOthers(folder: string, base: Base, kept: readonly (string | undefined)[]): void {
  for (const name of readdirSync(folder)) {
    const file = name.replace(/\.chunks$/u, '.db');
    if (partsOfName(file, base) !== null && !kept.includes(file)) rmSync(join(folder, name), { force: true });
  }
}
