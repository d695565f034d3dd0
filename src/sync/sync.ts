import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../contract/vocabulary.ts';
import { ingest, type IngestParts } from '../ingest/ingest.ts';
import { PlainError } from '../process/fail.ts';
import { FILE_MODE, makeFolder } from '../process/files.ts';
import { takeLock } from '../process/lock.ts';
import { showProgress } from '../process/progress.ts';
import { Client, Refused, Unreachable, type ClientParts } from './client.ts';
import { Ledger, type LoadedFile } from './ledger.ts';
import { FILE_NAME, listFiles, type Listed } from './portal.ts';
import { ShapeCheck } from './shape.ts';

export interface SyncOptions {
  readonly only?: readonly string[];
  readonly dryRun?: true;
}
export type SyncParts = ClientParts & Omit<IngestParts, 'check'>;

interface Run extends SyncParts {
  readonly base: Base;
  readonly client: Client;
  readonly ledger: Ledger;
  /** Has the file that is being loaded. */
  readonly folder: string;
}

const FORMAT = 'stj-espelhos';
const FILE_BYTES_MAX = 4e9;
/** A portal that fails for so many files in a row is left alone until the next run. */
const UNREACHABLE_MAX = 3;

/**
 * Brings a base up to date with the court's portal: fetches each file that is new or changed, and loads it.
 * @returns the exit code: 1 if a file was not loaded.
 * @throws PlainError and others for what stops the run, and the signal's reason.
 */
export async function sync(base: Base, options: SyncOptions, parts: SyncParts): Promise<number> {
  const { dataDir, say } = parts;
  const isDry = options.dryRun === true;
  const release = isDry ? () => undefined : takeLock(dataDir, 0, 'sync.lock');
  try {
    const ledger = new Ledger(dataDir, base);
    const folder = join(dataDir, 'sync', base);
    const run = { ...parts, base, client: new Client(parts), ledger, folder };
    if (ledger.isForgotten) say('the list of loaded files is not of this base: all are fetched again');
    const { files, dataSets } = await listFiles(run.client, parts.url, options.only ?? []);
    const listed = new Set(files.map(({ id }) => id));
    const isGone = ({ id, dataSet }: Listed) => dataSets.includes(dataSet) && !listed.has(id);
    const gone = [...ledger.files.values()].filter(isGone).length;
    if (gone > 0) say(`${gone} loaded files are listed no more; their decisions stay`);
    const coming = files.filter((file) => !isProvenSame(file, ledger.files.get(file.id)));
    say(`${files.length} files listed, ${coming.length} new, changed or to be looked at`);
    if (!isDry) return await loadFiles(coming, run);
    for (const { bytes, ...file } of coming)
      say(`${nameOf(file)}: ${bytes === null ? 'size unknown' : `${(bytes / 1e6).toFixed(1)} MB`}`);
    return 0;
  } finally {
    release();
  }
}

/** @returns the exit code. */
async function loadFiles(coming: readonly Listed[], run: Run): Promise<number> {
  let failed = 0;
  let unreachable = 0;
  for (const [at, file] of coming.entries()) {
    const say = (line: string) => {
      run.say(`[${at + 1}/${coming.length}] ${nameOf(file)}: ${line}`);
    };
    try {
      for (const line of await loadOne(file, run)) say(line);
      unreachable = 0;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      say(`not loaded: ${error.message}`);
      failed += 1;
      unreachable = error instanceof Unreachable ? unreachable + 1 : 0;
      if (unreachable === UNREACHABLE_MAX)
        throw new PlainError('the portal does not answer; run it again later');
    } finally {
      rmSync(run.folder, { recursive: true, force: true });
    }
  }
  if (failed > 0) run.say(`files not loaded: ${failed}; the next run asks for them again`);
  return failed === 0 ? 0 : 1;
}

/** @returns what to say. @throws Refused if nothing of the file was loaded. */
async function loadOne(file: Listed, run: Run): Promise<readonly string[]> {
  if (!FILE_NAME.test(file.name)) throw new Refused('its name is not that of a JSON file or a zip');
  const known = run.ledger.files.get(file.id);
  const path = join(run.folder, file.name);
  const fetched = await fetchFile(file, path, known?.etag ?? '', run);
  if (fetched === null) {
    if (known === undefined) throw new Refused('the portal answers 304, and nothing was loaded before');
    run.ledger.add({ ...known, ...file });
    return ['not changed'];
  }
  const parts = { ...run, check: new ShapeCheck() };
  const { out, err, exitCode, hasFailed, isAllRejected } = await ingest(
    run.base,
    [path],
    { from: FORMAT },
    parts,
  );
  run.signal.throwIfAborted();
  if (hasFailed) throw new PlainError(err.join('; '));
  // Its fields are as they should be, so its decisions were withdrawn here, or are beyond a limit.
  if (exitCode !== 0 && !isAllRejected) throw new Refused(err.join('; '));
  run.ledger.add({ ...file, ...fetched });
  const isOther = file.bytes !== null && file.bytes !== fetched.received;
  return isOther ? [...out, `has ${fetched.received} bytes, and ${file.bytes} in the list`] : out;
}

/** Fetches a file to `path`; null if it has not changed. */
function fetchFile(file: Listed, path: string, etag: string, { client, folder }: Run) {
  const progress = showProgress(file.bytes, 'kB');
  const receive = async (response: Response, onBytes: () => void) => {
    if (response.status === 304) return null;
    makeFolder(folder);
    const target = openSync(path, 'w', FILE_MODE);
    let received = 0;
    try {
      for await (const part of response.body ?? []) {
        onBytes();
        received += part.length;
        if (received > FILE_BYTES_MAX) throw new Refused(`longer than ${FILE_BYTES_MAX} bytes`);
        for (let at = 0; at < part.length;) at += writeSync(target, part, at);
        progress.update(received, Math.round(received / 1e3));
      }
    } finally {
      closeSync(target);
    }
    return { etag: response.headers.get('etag') ?? '', received };
  };
  const asked = client.ask(file.url, receive, etag === '' ? {} : { 'if-none-match': etag });
  return asked.finally(() => progress.stop());
}

/** True if the list alone shows that a file is the one that was loaded; else the file's `ETag` does, where it has one. */
function isProvenSame(file: Listed, known: LoadedFile | undefined): boolean {
  if (known === undefined) return false;
  const { name, bytes, hash, modified } = file;
  const isAlike =
    name === known.name && bytes === known.bytes && hash === known.hash && modified === known.modified;
  const isDated = modified !== '' || hash !== '';
  const isAsListed = bytes === null || bytes === known.received;
  return isAlike && (known.etag === '' ? isDated || bytes !== null : isDated && isAsListed);
}

function nameOf({ dataSet, name }: Pick<Listed, 'dataSet' | 'name'>): string {
  return `${dataSet}/${name}`;
}
