import Database from 'better-sqlite3';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../../contract/vocabulary.ts';
import { BUSY_TIMEOUT_MS, SCHEMA_VERSION, baseFile } from '../../index/format/schema.ts';
import { versionOf } from '../../index/format/state.ts';
import { Connector, snapshotOf } from '../../index/read/connection.ts';
import { cover } from '../../index/read/coverage.ts';
import { PlainError, codeOf } from '../../process/fail.ts';
import { syncAside } from '../../process/files.ts';
import { LOCK_WAIT_MS, takeLock } from '../../process/lock.ts';
import { coverageAtOnce } from '../../search/coverage.ts';
import { hashOf, removeWithSides, stateIn } from './fetch.ts';
import { fileNameOf, isFileOf, manifestName, readManifest, type Manifest } from './manifest.ts';
import { PUBLIC_MODE, type OpenStore } from './store.ts';

const ASK_MS_MAX = 30_000;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL']);

export interface Published {
  readonly manifest: Manifest;
  /** False if the store had this data already. */
  readonly isNew: boolean;
}

/**
 * Publishes a base as it is now, while searches and loads go on: the file first, and last its manifest. The last two files
 * stay, for a replica may be fetching the other one; with `purge` only the new one stays.
 * @throws PlainError if there is no such base or newer data are published; errors of the store and the system.
 */
export async function publish(
  dataDir: string,
  base: Base,
  store: OpenStore,
  purge: boolean,
): Promise<Published> {
  const source = baseFile(dataDir, base);
  if (!existsSync(source))
    throw new PlainError(`no base file at ${source}: load it first, bun run ingest ${base} FILE`);
  // A file server of another user reads it, whatever the umask here.
  if (store.folder !== null && mkdirSync(store.folder, { recursive: true }) !== undefined)
    chmodSync(store.folder, 0o755);
  const release = takeLock(dataDir, LOCK_WAIT_MS, `publish-${base}.lock`);
  const copy = join(store.folder ?? dataDir, `.${base}.publishing`);
  try {
    const published = await put(base, source, copy, store);
    await removeOthers(store, base, published.manifest, purge ? 0 : 1);
    return published;
  } catch (error) {
    if (!NO_ROOM.has(codeOf(error))) throw error;
    throw new PlainError(
      `no room for a copy of ${base} at ${store.folder ?? dataDir}: free some space and run it again; what was published is whole`,
    );
  } finally {
    removeWithSides(copy);
    release();
  }
}

async function put(base: Base, source: string, copy: string, store: OpenStore): Promise<Published> {
  const known = await lastManifest(store, base);
  const before = stateIn(source, base);
  if (known !== null) {
    if (before.version === known.version && (await store.size(known.file)) === known.bytes)
      return { manifest: known, isNew: false };
    refuseOther(known, base, before);
  }
  copyInto(source, copy);
  const inside = describe(copy, base);
  const [sha256, bytes] = await hashOf(copy);
  const manifest: Manifest = {
    v: 1,
    base,
    file: fileNameOf({ base, generation: inside.generation, sha256 }),
    bytes,
    sha256,
    ...inside,
    schema: SCHEMA_VERSION,
    published_at: new Date().toISOString(),
  };
  await syncAside(copy);
  await store.put(manifest.file, copy);
  if ((await store.size(manifest.file)) !== bytes)
    throw new PlainError(`${manifest.file} is not whole in the store`);
  await store.putManifest(manifestName(base), `${JSON.stringify(manifest, null, 2)}\n`);
  return { manifest, isNew: true };
}

/** Replicas never go back, and of two files with one generation they cannot say which is newer. @throws PlainError */
function refuseOther(
  known: Manifest,
  base: Base,
  { generation, version }: Pick<Manifest, 'generation' | 'version'>,
): void {
  if (generation > known.generation || version === known.version) return;
  const kind = generation === known.generation ? 'other data of the same generation' : 'newer data';
  throw new PlainError(
    `${base} is at generation ${generation}, and ${kind} (${known.version}) are published; publish from the folder that ` +
      `has them, or remove ${manifestName(base)} there to begin anew: each replica's own file must then go too`,
  );
}

/** One transaction reads the file as it is; the copy has no log and no free pages. Its rows keep their ids and checksums. */
function copyInto(source: string, copy: string): void {
  removeWithSides(copy);
  const db = new Database(source, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    db.prepare('VACUUM INTO ?').run(copy);
  } finally {
    db.close();
  }
  chmodSync(copy, PUBLIC_MODE);
}

/** Reads the copy as a replica will. */
function describe(
  file: string,
  base: Base,
): Pick<Manifest, 'generation' | 'version' | 'decisions' | 'coverage'> {
  const connector = new Connector(file, base);
  try {
    const connection = connector.connection();
    const snapshot = snapshotOf(connection);
    return {
      generation: snapshot.generation,
      version: versionOf(snapshot),
      decisions: snapshot.docs - snapshot.withdrawn,
      coverage: coverageAtOnce(base, (request) => {
        connection.budget.start(performance.now() + request.budget_ms);
        return cover(connection, request, snapshot);
      }),
    };
  } finally {
    connector.close();
  }
}

async function lastManifest(store: OpenStore, base: Base): Promise<Manifest | null> {
  const asked = await store.ask(manifestName(base), '', AbortSignal.timeout(ASK_MS_MAX));
  if (typeof asked === 'string') return null;
  const manifest = readManifest(asked.text, base);
  if (manifest !== null) return manifest;
  throw new PlainError(`${manifestName(base)} there is damaged: look at it, and remove it to publish anew`);
}

/** Of the files before this one the latest may stay. */
async function removeOthers(store: OpenStore, base: Base, { file }: Manifest, kept: 0 | 1): Promise<void> {
  const others = (await store.list()).filter((name) => isFileOf(base, name) && name !== file);
  const latest = others.toSorted((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1]));
  for (const name of latest.slice(kept)) await store.remove(name);
}
