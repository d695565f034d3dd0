import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TIMED_OUT, within } from '../../clock.ts';
import type { Base } from '../../contract/vocabulary.ts';
import { versionOf } from '../../index/format/state.ts';
import { Connector, snapshotOf } from '../../index/read/connection.ts';
import { explain } from '../../process/fail.ts';
import { FILE_MODE } from '../../process/files.ts';
import type { Manifest } from './manifest.ts';
import { storeAt } from './store.ts';

const ENTRY = new URL('../../../workers/fetch-base.ts', import.meta.url);
/** Room that a fetch leaves on the disk. */
const SPARE_BYTES = 64_000_000;

/** Fetch `manifest.file` of a store to `to`; or, without a store, check the file that is at `to`. */
export interface FetchTask {
  readonly url: string | null;
  readonly manifest: Manifest;
  readonly to: string;
  /** Longest wait for the next bytes. */
  readonly stallMs: number;
}

/** Runs a task in a thread: 13 GB take minutes of hashing. @returns the reason why it failed; null if the file is whole. */
export function fetchInThread(task: FetchTask, stop: AbortSignal): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const worker = new Worker(ENTRY, { workerData: task });
  worker.once('message', resolve);
  worker.once('error', (error) => {
    resolve(explain(error));
  });
  worker.once('exit', () => {
    resolve('the thread ended');
  });
  stop.addEventListener('abort', () => void worker.terminate());
  return promise;
}

/** The thread's work. */
export async function fetchFile({ url, manifest, to, stallMs }: FetchTask): Promise<string | null> {
  try {
    const sha256 = url === null ? (await hashOf(to))[0] : await receive(url, manifest, to, stallMs);
    if (sha256 !== manifest.sha256) return `${manifest.file} has another hash: ${sha256}`;
    const { version } = stateIn(to, manifest.base);
    return version === manifest.version
      ? null
      : `${manifest.file} has data ${version} and not ${manifest.version}`;
  } catch (error) {
    return explain(error);
  }
}

/** @returns the SHA-256 of what was written. */
async function receive(url: string, manifest: Manifest, to: string, stallMs: number): Promise<string> {
  rmSync(to, { force: true });
  refuseWithoutRoom(dirname(to), manifest.bytes);
  const hasher = new Bun.CryptoHasher('sha256');
  const stop = new AbortController();
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const done = await within(stallMs, work);
    if (done !== TIMED_OUT) return done;
    throw new Error(`no bytes of ${manifest.file} for ${stallMs / 1_000} s`);
  };
  const file = openSync(to, 'w', FILE_MODE);
  try {
    const body = await inTime(Promise.resolve(storeAt(url).read(manifest.file, stop.signal)));
    const reader = body.getReader();
    for (let bytes = 0; ;) {
      const { done, value } = await inTime(reader.read());
      bytes += value?.length ?? 0;
      if (bytes > manifest.bytes || (done && bytes < manifest.bytes))
        throw new Error(`${manifest.file} has ${done ? bytes : 'more'} and not ${manifest.bytes} bytes`);
      if (done) break;
      hasher.update(value);
      for (let at = 0; at < value.length;) at += writeSync(file, value, at);
    }
    fsyncSync(file);
    return hasher.digest('hex');
  } finally {
    stop.abort();
    closeSync(file);
  }
}

function refuseWithoutRoom(folder: string, bytes: number): void {
  statSync(folder);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes + Math.min(bytes, SPARE_BYTES))
    throw new Error(
      `no room in ${folder} for ${Math.ceil(bytes / 1e6)} MB beside the old file: free some space`,
    );
}

/** Generation and data version of a base file. @throws BaseFileError, DamagedBase, SQLite's errors. */
export function stateIn(file: string, base: Base): Pick<Manifest, 'generation' | 'version'> {
  const connector = new Connector(file, base);
  try {
    const { generation, mark } = snapshotOf(connector.connection());
    return { generation, version: versionOf({ generation, mark }) };
  } finally {
    connector.close();
  }
}

/** SHA-256 and size. */
export async function hashOf(path: string): Promise<[sha256: string, bytes: number]> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const part of Bun.file(path).stream()) hasher.update(part);
  return [hasher.digest('hex'), statSync(path).size];
}

/** Removes a base file, with what SQLite has beside it. */
export function removeWithSides(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    rmSync(path + suffix, { force: true, recursive: true });
}
