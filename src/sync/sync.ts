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
import { listFiles, type Listed, type Listing } from './portal.ts';
import { ShapeCheck } from './shape.ts';

export interface SyncOptions {
  readonly only?: readonly string[];
  readonly dryRun?: true;
}

export type SyncParts = ClientParts & Omit<IngestParts, 'check'>;

const FORMAT = 'stj-espelhos';
const FILE_NAME = /^\w[\w.-]{0,99}\.(?:json|zip)$/iu;
const FILE_BYTES_MAX = 4e9;
/** A portal that fails for so many files in a row is left alone until the next run. */
const UNREACHABLE_MAX = 3;

/**
 * Brings a base up to date with the court's portal: fetches each file that is new or changed, and loads it.
 * @returns the exit code: 1 if a file was not loaded.
 * @throws PlainError and others for what stops the run, and the signal's reason.
 */
export async function sync(base: Base, options: SyncOptions, parts: SyncParts): Promise<number> {
  const release = options.dryRun === true ? () => undefined : takeLock(parts.dataDir, 0, 'sync.lock');
  try {
    const run = new Run(base, parts);
    const listing = await listFiles(run.client, parts.url, options.only ?? []);
    const coming = run.coming(listing);
    return await (options.dryRun === true ? show(coming, parts.say) : run.load(coming));
  } finally {
    release();
  }
}

function show(coming: readonly Listed[], say: SyncParts['say']): number {
  for (const file of coming) say(`${nameOf(file)}: ${megabytes(file.bytes)}`);
  const bytes = coming.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  say(`${coming.length} files to ask for, ${megabytes(bytes)}; nothing was fetched`);
  return 0;
}

class Run {
  readonly client: Client;
  readonly #base: Base;
  readonly #parts: SyncParts;
  readonly #ledger: Ledger;
  /** Has the file that is being loaded. */
  readonly #folder: string;

  constructor(base: Base, parts: SyncParts) {
    this.client = new Client(parts);
    this.#base = base;
    this.#parts = parts;
    this.#ledger = new Ledger(parts.dataDir, base);
    this.#folder = join(parts.dataDir, 'sync', base);
  }

  /** The files to ask for. */
  coming({ files, dataSets }: Listing): Listed[] {
    const { say } = this.#parts;
    if (this.#ledger.isForgotten) say('the list of loaded files is not of this base: all are fetched again');
    const listed = new Set(files.map(({ id }) => id));
    const loaded = [...this.#ledger.files.values()].filter(({ dataSet }) => dataSets.includes(dataSet));
    const gone = loaded.filter(({ id }) => !listed.has(id)).length;
    if (gone > 0) say(`${gone} loaded files are listed no more; their decisions stay`);
    const coming = files.filter((file) => !isProvenSame(file, this.#ledger.files.get(file.id)));
    say(`${files.length} files listed, ${coming.length} new, changed or to be looked at`);
    return coming;
  }

  /** @returns the exit code. */
  async load(coming: readonly Listed[]): Promise<number> {
    let failed = 0;
    let unreachable = 0;
    for (const [at, file] of coming.entries()) {
      const say = (line: string) => {
        this.#parts.say(`[${at + 1}/${coming.length}] ${nameOf(file)}: ${line}`);
      };
      try {
        for (const line of await this.#loadOne(file)) say(line);
        unreachable = 0;
      } catch (error) {
        if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
        say(`not loaded: ${error.message}`);
        failed += 1;
        unreachable = error instanceof Unreachable ? unreachable + 1 : 0;
        if (unreachable === UNREACHABLE_MAX)
          throw new PlainError('the portal does not answer; run it again later');
      } finally {
        rmSync(this.#folder, { recursive: true, force: true });
      }
    }
    if (failed > 0) this.#parts.say(`${failed} files were not loaded; the next run asks for them again`);
    return failed === 0 ? 0 : 1;
  }

  /** @returns what to say. @throws Refused if nothing of the file was loaded. */
  async #loadOne(file: Listed): Promise<readonly string[]> {
    if (!FILE_NAME.test(file.name)) throw new Refused('its name is not that of a JSON file or a zip');
    const known = this.#ledger.files.get(file.id);
    const path = join(this.#folder, file.name);
    const fetched = await this.#fetch(file, path, known?.etag ?? '');
    if (fetched === null) {
      if (known === undefined) throw new Refused('the portal answers 304, and nothing was loaded before');
      this.#ledger.add({ ...known, ...file });
      return ['not changed'];
    }
    const parts = { ...this.#parts, check: new ShapeCheck() };
    const { out, err, exitCode, hasFailed } = await ingest(this.#base, [path], { from: FORMAT }, parts);
    this.#parts.signal.throwIfAborted();
    if (hasFailed) throw new PlainError(err.join('; '));
    if (exitCode !== 0) throw new Refused(err.join('; '));
    this.#ledger.add({ ...file, ...fetched });
    const isOther = file.bytes !== null && file.bytes !== fetched.received;
    return isOther ? [...out, `has ${fetched.received} bytes, and ${file.bytes} in the list`] : out;
  }

  /** Fetches a file to `path`; null if it has not changed. */
  #fetch(file: Listed, path: string, etag: string): Promise<Pick<LoadedFile, 'etag' | 'received'> | null> {
    const progress = showProgress(file.bytes, 'kB');
    const receive = async (response: Response, onBytes: () => void) => {
      if (response.status === 304) return null;
      makeFolder(this.#folder);
      const target = openSync(path, 'w', FILE_MODE);
      let received = 0;
      try {
        for await (const part of response.body ?? []) {
          onBytes();
          received += part.length;
          if (received > FILE_BYTES_MAX) throw new Refused(`longer than ${megabytes(FILE_BYTES_MAX)}`);
          for (let at = 0; at < part.length;) at += writeSync(target, part, at);
          progress.update(received, Math.round(received / 1e3));
        }
      } finally {
        closeSync(target);
      }
      return { etag: response.headers.get('etag') ?? '', received };
    };
    const asked = this.client.ask(file.url, receive, etag === '' ? {} : { 'if-none-match': etag });
    return asked.finally(() => progress.stop());
  }
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

function nameOf({ dataSet, name }: Listed): string {
  return `${dataSet}/${name}`;
}

function megabytes(bytes: number | null): string {
  return bytes === null ? 'size unknown' : `${(bytes / 1e6).toFixed(1)} MB`;
}
