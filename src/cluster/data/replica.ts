import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Base } from '../../contract/vocabulary.ts';
import { repeat, type Clock } from '../../clock.ts';
import {
  linkTo,
  linkedFile,
  makeDurable,
  otherFiles,
  putBeside,
  removeFile,
  storedChunks,
  type Linked,
} from './base-link.ts';
import { digestFile } from './chunks.ts';
import type { Manifest } from './manifest.ts';
import { pull, removeIncoming, type Held, type Pulled } from './pull.ts';
import type { FileSource } from './source.ts';
import { WATCH_EVERY_MS } from '../../engine/base-watch.ts';

/** A replaced file is kept this long: requests that read it end long before. */
const OLD_FILE_MS = 600_000;
/** Back-off after a failed pull: from the first to the second, doubled each time. */
const PULL_BACK_OFF_MS_MIN = 1_000;
export const PULL_BACK_OFF_MS_MAX = 60_000;
/** Interval at which the file of a base that is down is hashed, doubled each time: 13 GB take 10 s of a core. */
export const CHECK_MS_MIN = 10_000;
export const CHECK_MS_MAX = 600_000;
/** Longest wait for the threads to answer from a new file, and the polling interval; threads check the path every 20 ms. */
const SWITCH_MS_MAX = 10_000;
const SWITCH_POLL_MS = 20;

/** Coordination of a base's replicas. */
export interface RollOut {
  /** Waits for a position among the replicas that may switch now. @returns how to give it back. @throws without the cluster. */
  enter(base: Base): Promise<() => Promise<void>>;
  /** Tells the fronts that users may see decisions of this generation, before anybody sees them. @throws without the cluster. */
  announce(base: Base, generation: number): Promise<void>;
}

export interface ReplicaOptions {
  readonly base: Base;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly source: FileSource;
  readonly rollOut: RollOut;
  /** Asks the threads of the base for their generation; null if there is no answer. */
  readonly served: () => Promise<number | null>;
  readonly isDown: () => boolean;
  /** Called when the threads answer from a new file. */
  readonly onTaken: () => void;
  readonly log: (level: 'info' | 'error', event: string, detail: Record<string, unknown>) => void;
}

/** One base of a node: fetches each published file while the old one is served, then switches. A failed fetch is retried. */
export class Replica {
  readonly #options: ReplicaOptions;
  #wanted: Manifest | null = null;
  #working: Promise<void> | null = null;
  #backOffMs = PULL_BACK_OFF_MS_MIN;
  #wake: () => void = () => undefined;
  #isClosed = false;
  /** False after a failed pull: the current file may not match its chunk list. */
  #trustsChunks = true;
  /** False if the current file is unreadable: the whole new file is fetched. */
  #isReadable = true;
  /** The name of a damaged file that is not replaced yet. */
  #damaged: string | null = null;
  /** Verified but not served yet: the cluster could not be asked or told. */
  #fetched: Pulled | null = null;
  readonly #removals = new Set<() => void>();
  /** When the file of a base that is down is next verified, and the interval, which grows while it stays down. */
  #checkAt = Number.NEGATIVE_INFINITY;
  #checkMs = CHECK_MS_MIN;
  readonly #cancelWatch: () => void;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    for (const path of otherFiles(options.dataDir, options.base)) this.#removeLater(path);
    removeIncoming(options.dataDir, options.base);
    // A file may be damaged at any time, and only reading detects it.
    this.#cancelWatch = repeat(options.clock, WATCH_EVERY_MS, () => {
      if (options.isDown()) this.#work();
      else this.#checkMs = CHECK_MS_MIN;
    });
  }

  /** Takes the latest manifest. */
  offer(manifest: Manifest): void {
    if (manifest.base !== this.#options.base || this.#isClosed) return;
    const known = this.#wanted;
    if (known !== null && manifest.generation < known.generation) return;
    // Repeated because of another change: the back-off continues.
    if (this.#working !== null && known?.sha256 === manifest.sha256 && known.url === manifest.url) return;
    this.#wanted = manifest;
    this.#backOffMs = PULL_BACK_OFF_MS_MIN;
    this.#wake();
    this.#work();
  }

  /** Resolves after the current switch, if any. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelWatch();
    this.#wake();
    for (const cancelTimer of this.#removals) cancelTimer();
    await this.#working;
  }

  #work(): void {
    this.#working ??= this.#follow().finally(() => {
      this.#working = null;
    });
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      const manifest = this.#wanted;
      if (manifest === null) return;
      const current = this.#current();
      if (!isNewer(manifest, current) && !(await this.#isDamaged(manifest, current))) return;
      try {
        await this.#take(manifest);
      } catch (error) {
        this.#note('error', 'base file not taken', {
          file: manifest.file,
          err: error,
          again_in_ms: this.#backOffMs,
        });
        await this.#backOff();
      }
    }
  }

  /** Whether the file of a base that is down contradicts the hash in the file name. A base may be down for other reasons. */
  async #isDamaged({ file, sha256 }: Manifest, current: Linked | null): Promise<boolean> {
    const { clock, isDown } = this.#options;
    if (current?.name !== file) return false;
    if (this.#damaged === file) return true;
    if (!isDown() || clock.now() < this.#checkAt) return false;
    this.#checkAt = clock.now() + this.#checkMs;
    this.#checkMs = Math.min(2 * this.#checkMs, CHECK_MS_MAX);
    const digest = await digestFile(current.path).catch(() => null);
    if (digest?.sha256 === sha256) return false;
    this.#damaged = file;
    this.#isReadable = digest !== null;
    this.#trustsChunks = false;
    this.#backOffMs = PULL_BACK_OFF_MS_MIN;
    this.#note('error', 'base file damaged: it is fetched again', { file });
    return true;
  }

  async #take(manifest: Manifest): Promise<void> {
    const { dataDir, base, clock, rollOut, isDown } = this.#options;
    const startedAt = clock.now();
    const before = this.#current();
    const pulled = await this.#fetch(manifest, before);
    const fetchedMs = clock.now() - startedAt;
    const leave = before === null || isDown() ? () => Promise.resolve() : await rollOut.enter(base);
    try {
      await rollOut.announce(base, manifest.generation);
      const path = putBeside(dataDir, pulled.path);
      this.#fetched = null;
      linkTo(dataDir, base, basename(path));
      this.#damaged = null;
      if (before !== null && before.path !== path) this.#removeLater(before.path);
      await this.#untilServed(manifest.generation);
      this.#note('info', 'base file taken', {
        generation: manifest.generation,
        bytes_moved: pulled.bytesMoved,
        fetched_ms: Math.round(fetchedMs),
        ms: Math.round(clock.now() - startedAt),
      });
      void makeDurable(path, pulled.chunks).catch((error: unknown) => {
        this.#note('error', 'base file not synced to the disk', { err: error });
      });
    } finally {
      await leave();
    }
  }

  /** Fetches a file unless it was fetched before. Removes any other fetched file. */
  async #fetch(manifest: Manifest, before: Linked | null): Promise<Pulled> {
    const known = this.#fetched;
    if (known !== null && basename(known.path) === manifest.file && existsSync(known.path)) return known;
    this.#fetched = null;
    if (known !== null) await rm(known.path, { force: true });
    const { dataDir, source } = this.#options;
    const held = this.#held(before);
    this.#trustsChunks = false;
    this.#fetched = await pull(dataDir, manifest, held, source);
    this.#trustsChunks = true;
    this.#isReadable = true;
    return this.#fetched;
  }

  #current(): Linked | null {
    return linkedFile(this.#options.dataDir, this.#options.base);
  }

  #held(file: Linked | null): Held | null {
    if (file === null || !this.#isReadable) return null;
    return { path: file.path, chunks: this.#trustsChunks ? storedChunks(file.path) : null };
  }

  /** The next replica may switch once this one answers from the new file. */
  async #untilServed(generation: number): Promise<void> {
    const { clock, served } = this.#options;
    const until = clock.now() + SWITCH_MS_MAX;
    while (clock.now() < until) {
      const answered = await served();
      if (answered !== null && answered >= generation) {
        this.#options.onTaken();
        return;
      }
      await this.#pause(SWITCH_POLL_MS);
    }
    this.#note('error', 'base does not answer from its new file', { generation });
  }

  async #backOff(): Promise<void> {
    const ms = this.#backOffMs;
    this.#backOffMs = Math.min(ms * 2, PULL_BACK_OFF_MS_MAX);
    if (!this.#isClosed) await this.#pause(ms);
  }

  /** Waits `ms`, or until a change. */
  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const cancelTimer = this.#options.clock.after(ms, () => {
      resolve(undefined);
    });
    this.#wake = () => {
      cancelTimer();
      resolve(undefined);
    };
    return promise;
  }

  #removeLater(path: string): void {
    const cancelTimer = this.#options.clock.after(OLD_FILE_MS, () => {
      this.#removals.delete(cancelTimer);
      if (this.#current()?.path === path) return;
      void removeFile(path).catch((error: unknown) => {
        this.#note('error', 'old base file not removed', { err: error });
      });
    });
    this.#removals.add(cancelTimer);
  }

  #note(level: 'info' | 'error', event: string, detail: Record<string, unknown>): void {
    this.#options.log(level, event, { base: this.#options.base, ...detail });
  }
}

/** Replicas never go back. A different file of the same generation was loaded here, and is replaced. */
function isNewer(manifest: Manifest, current: Linked | null): boolean {
  if (current === null || manifest.generation > current.generation) return true;
  return manifest.generation === current.generation && !manifest.sha256.startsWith(current.sha);
}
