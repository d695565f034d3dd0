import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Base } from '../../contract/vocabulary.ts';
import { baseFile, basesFolder } from '../../index/format/schema.ts';
import { READ_STATE_SQL, readState } from '../../index/format/state.ts';
import { makeFolder, syncAside, writeAtomically, writeAtomicallyAside } from '../../process/files.ts';
import { DIGEST_BYTES, chunkCount, digestChunks, digestFile } from './chunks.ts';
import { chunkListOf, fileNameOf, partsOfName } from './manifest.ts';

/**
 * Each file of a base has its own name, and `bases/<base>.db` links to the served one. A switch renames one link; threads find
 * the new file at the same path, and side files that SQLite made for the old file are not mistaken for the new one's.
 */
export interface Linked {
  readonly name: string;
  readonly path: string;
  readonly generation: number;
  /** The beginning of the SHA-256. */
  readonly sha: string;
}

/** The target of a base's link; null if none. */
export function linkedFile(dataDir: string, base: Base): Linked | null {
  const link = baseFile(dataDir, base);
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return null;
  const name = basename(readlinkSync(link));
  const parts = partsOfName(name, base);
  const path = join(basesFolder(dataDir), name);
  return parts === null || !existsSync(path) ? null : { name, path, ...parts };
}

/** The chunk list stored with a file once the file is on the disk; null if none is usable. */
export function storedChunks(path: string): Uint8Array | null {
  const list = chunkListOf(path);
  if (!existsSync(list)) return null;
  const chunks = new Uint8Array(readFileSync(list));
  // A version with another chunk size wrote it.
  return chunks.length === chunkCount(statSync(path).size) * DIGEST_BYTES ? chunks : null;
}

/** Moves a verified file into the folder of the base files. @returns its new path. */
export function putBeside(dataDir: string, from: string): string {
  makeFolder(basesFolder(dataDir));
  const path = join(basesFolder(dataDir), basename(from));
  rmSync(chunkListOf(path), { force: true });
  renameSync(from, path);
  return path;
}

/** Serves another file from now on. @param name of a file in the link's folder. */
export function linkTo(dataDir: string, base: Base, name: string): void {
  const link = baseFile(dataDir, base);
  const temporary = `${link}.${randomBytes(6).toString('hex')}.tmp`;
  symlinkSync(name, temporary);
  renameSync(temporary, link);
}

/** Syncs a file and the link to it, then writes its chunk list as the mark of that. It may take seconds. */
export async function makeDurable(path: string, chunks: Uint8Array): Promise<void> {
  await syncAside(path);
  await syncAside(dirname(path));
  // Removed meanwhile for a newer file.
  if (existsSync(path)) await writeAtomicallyAside(chunkListOf(path), chunks);
}

/**
 * At the start of a node, before anything reads the base: gives a file that was loaded or copied here its own name and a link,
 * and checks a file that may not be completely on disk. If the link or its file is unusable, it links the newest other complete
 * file: a node may have been killed before it made the link.
 * @returns a message if the served file is skipped.
 */
export async function linkBase(dataDir: string, base: Base): Promise<string | null> {
  const link = baseFile(dataDir, base);
  if (lstatSync(link, { throwIfNoEntry: false })?.isFile() === true) await adopt(dataDir, base);
  const linked = linkedFile(dataDir, base);
  if (linked !== null && (await isWhole(linked.path, linked.sha))) return null;
  const message = linked === null ? null : `${linked.name} is not what was sent: it is fetched again`;
  for (const { path, sha } of namedFiles(dataDir, base)) {
    if (path === linked?.path || !(await isWhole(path, sha))) continue;
    linkTo(dataDir, base, basename(path));
    return message;
  }
  // A link without a file is no base; once it is removed, a replica fetches the whole file.
  rmSync(link, { force: true });
  return message;
}

/** Whether a file is complete on disk. Without a chunk list it hashes the file and writes the list. */
async function isWhole(path: string, sha: string): Promise<boolean> {
  if (storedChunks(path) !== null) return true;
  const [{ sha256 }, chunks] = await Promise.all([digestFile(path), digestChunks(path)]);
  if (!sha256.startsWith(sha)) return false;
  writeAtomically(chunkListOf(path), chunks);
  return true;
}

/** A base's named files, newest first. */
function namedFiles(dataDir: string, base: Base): Pick<Linked, 'path' | 'generation' | 'sha'>[] {
  const folder = basesFolder(dataDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => {
      const parts = partsOfName(name, base);
      return parts === null ? [] : Object.assign(parts, { path: join(folder, name) });
    })
    .toSorted((a, b) => b.generation - a.generation);
}

/** Files of a base that are not served. */
export function otherFiles(dataDir: string, base: Base): string[] {
  const served = linkedFile(dataDir, base)?.path;
  return namedFiles(dataDir, base).flatMap(({ path }) => (path === served ? [] : path));
}

/** Removes a file with SQLite's side files, asynchronously: 700 MB take 0.2 s. @throws system errors. */
export async function removeFile(path: string): Promise<void> {
  await rm(chunkListOf(path), { force: true });
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true });
}

/** Leaves WAL mode, in which the file would need its log wherever it goes. */
async function adopt(dataDir: string, base: Base): Promise<void> {
  const file = baseFile(dataDir, base);
  const db = new Database(file);
  let generation = 0;
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.pragma('journal_mode = DELETE');
    generation = readState(db.prepare<[], Buffer>(READ_STATE_SQL).pluck().get()).generation;
  } finally {
    db.close();
  }
  const [{ sha256 }, chunks] = await Promise.all([digestFile(file), digestChunks(file)]);
  const name = fileNameOf({ base, generation, sha256 });
  const path = join(basesFolder(dataDir), name);
  renameSync(file, path);
  linkTo(dataDir, base, name);
  writeAtomically(chunkListOf(path), chunks);
  if (statSync(file).ino !== statSync(path).ino) throw new Error(`${file} does not lead to ${name}`);
}
