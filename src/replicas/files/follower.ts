import Database from 'better-sqlite3';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TIMED_OUT, repeat, within, type Clock } from '../../clock.ts';
import type { Base } from '../../contract/vocabulary.ts';
import type { BaseReply } from '../../engine/messages.ts';
import { SCHEMA_VERSION, baseFile, followedMark } from '../../index/format/schema.ts';
import type { FollowedFile } from '../../observe/metrics/states.ts';
import { explain } from '../../process/fail.ts';
import { makeFolder, syncAside, writeAtomically } from '../../process/files.ts';
import { fetchInThread, removeWithSides, stateIn } from './fetch.ts';
import { manifestName, readManifest, type Manifest } from './manifest.ts';
import type { Store } from './store.ts';

export const ASK_EVERY_MS = 1_000;
const ASK_MS_MAX = 1_500;
/** A file is served at the earliest so many asks after it was learned of: by then all that can ask know of it. */
export const SWITCH_ASKS = 3;
/** Who asked this recently knows of every file that anybody serves: less than `SWITCH_ASKS` times `ASK_EVERY_MS`. */
const INFORMED_MS = 2_500;
const STALL_MS = 20_000;
/** Wait after a failed fetch, doubled each time. */
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 60_000;
/** The file of a base that is down is hashed this often, doubled each time. */
const CHECK_MS_MIN = 10_000;
const CHECK_MS_MAX = 600_000;

export interface FollowerOptions {
  readonly base: Base;
  readonly dataDir: string;
  readonly url: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly isDown: () => boolean;
  /** Called with each manifest whose data are served here. */
  readonly onServed: (manifest: Manifest) => void;
  readonly log: Record<'info' | 'error', (detail: object, event: string) => void>;
  readonly stallMs?: number;
}

/** Follows the published files of one base: fetches each beside the old one, and renames it when all replicas know of it. */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #file: string;
  readonly #incoming: string;
  #known: Manifest | null = null;
  #tag = '';
  /** Successful asks, and when the last one began. */
  #asks = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #learnedAt = 0;
  /** Data version of the file here; null if it is missing or unusable. */
  #held: { readonly generation: number; readonly version: string } | null = null;
  #fetched: { readonly manifest: Manifest; readonly learnedAt: number } | null = null;
  #working: Promise<void> | null = null;
  #isFetching = false;
  /** Why the published file cannot be asked for, or is not here. */
  readonly #faults: Record<'ask' | 'file', string | null> = { ask: null, file: null };
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;
  #retryMs = RETRY_MS_MIN;
  #checkAt = Number.NEGATIVE_INFINITY;
  #checkMs = CHECK_MS_MIN;
  readonly #stop = new AbortController();
  readonly #cancelTimer: () => void;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { dataDir, base, clock } = options;
    this.#file = baseFile(dataDir, base);
    this.#incoming = join(dirname(this.#file), `.${base}.fetching`);
    makeFolder(dirname(this.#file));
    removeWithSides(this.#incoming);
    // A process may have been killed between the rename and this.
    if (existsSync(this.#file) && existsSync(followedMark(dataDir, base))) this.#removeOldSides();
    this.#look();
    this.#cancelTimer = repeat(clock, ASK_EVERY_MS, () => this.#ask());
    void this.#ask();
  }

  /** Whether a decision that a reply lacks may be in newer data: published ones, or ones that this replica has not heard of. */
  mayLack({ generation, version }: Pick<BaseReply, 'generation' | 'version'>): boolean {
    if (this.#known !== null && generation <= this.#known.generation && version !== this.#known.version)
      return true;
    return this.#options.clock.now() - this.#askedAt > INFORMED_MS;
  }

  /** `fault`: why this base may not have the published data; null if nothing is wrong. */
  state(): FollowedFile {
    const isCurrent = this.#known !== null && this.#held?.version === this.#known.version;
    const state = this.#isFetching ? 'fetching' : isCurrent ? 'current' : 'behind';
    return {
      state: this.#known === null ? 'unpublished' : state,
      published: this.#known?.version ?? null,
      file: this.#known?.file ?? null,
      published_at: this.#known?.published_at ?? null,
      fault: this.#faults.ask ?? this.#faults.file,
      failures: this.#failures,
    };
  }

  async close(): Promise<void> {
    this.#cancelTimer();
    this.#stop.abort();
    await this.#working;
  }

  async #ask(): Promise<void> {
    const { base, store, clock } = this.#options;
    const startedAt = clock.now();
    try {
      const asking = store.ask(manifestName(base), this.#tag, AbortSignal.timeout(ASK_MS_MAX));
      asking.catch(() => undefined);
      const asked = await within(ASK_MS_MAX, asking, clock);
      if (this.#stop.signal.aborted) return;
      if (asked === TIMED_OUT) throw new Error(`no answer within ${ASK_MS_MAX / 1_000} s`);
      if (asked === 'absent' && this.#known !== null) throw new Error(`${manifestName(base)} is gone`);
      if (typeof asked === 'object') this.#learn(asked.text, asked.tag);
      this.#asks += 1;
      this.#askedAt = startedAt;
      this.#note('ask', null);
    } catch (error) {
      this.#note('ask', `the published file cannot be asked for: ${explain(error)}`);
    }
    this.#work();
  }

  #learn(text: string, tag: string): void {
    const { base } = this.#options;
    const manifest = readManifest(text, base);
    if (manifest === null) throw new Error(`${manifestName(base)} is no manifest of ${base}`);
    if (this.#known !== null && manifest.generation < this.#known.generation)
      throw new Error(`${manifest.version} is older than ${this.#known.version}, which was published before`);
    if (manifest.version !== this.#known?.version) this.#learnedAt = this.#asks + 1;
    this.#known = manifest;
    this.#tag = tag;
    this.#retryAt = Number.NEGATIVE_INFINITY;
    this.#retryMs = RETRY_MS_MIN;
    this.#look();
  }

  #work(): void {
    if (this.#known === null || this.#stop.signal.aborted) return;
    this.#working ??= this.#step(this.#known).finally(() => {
      this.#working = null;
    });
  }

  /** The next step towards the known file; the next ask comes back here. */
  async #step(known: Manifest): Promise<void> {
    const { clock, isDown } = this.#options;
    if (isDown()) this.#look();
    if (this.#fetched !== null) {
      if (this.#asks >= this.#fetched.learnedAt + SWITCH_ASKS) this.#take(this.#fetched.manifest);
      return;
    }
    if (this.#held?.version === known.version && !(await this.#isDamaged(known))) {
      this.#note('file', null);
      return;
    }
    if (clock.now() < this.#retryAt) return;
    const learnedAt = this.#learnedAt;
    const fault = this.#refusal(known) ?? (await this.#inThread(known, this.#options.url, this.#incoming));
    if (this.#stop.signal.aborted) return;
    this.#note('file', fault);
    if (fault === null) this.#fetched = { manifest: known, learnedAt };
    else {
      removeWithSides(this.#incoming);
      this.#failures += 1;
      this.#retryAt = clock.now() + this.#retryMs;
      this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS_MAX);
    }
  }

  #refusal({ schema, generation, version }: Manifest): string | null {
    if (schema !== SCHEMA_VERSION)
      return `the published file has schema version ${schema} and not ${SCHEMA_VERSION}: run the version of the service that made it`;
    if (this.#held === null || generation >= this.#held.generation) return null;
    return `the published data ${version} are older than those here, ${this.#held.version}: publish these, or remove the file here`;
  }

  /** Whether the file of a base that is down has another content than was published. It may be down for other reasons. */
  async #isDamaged(manifest: Manifest): Promise<boolean> {
    const { clock, isDown } = this.#options;
    if (!isDown()) {
      this.#checkMs = CHECK_MS_MIN;
      return false;
    }
    if (clock.now() < this.#checkAt) return false;
    this.#checkAt = clock.now() + this.#checkMs;
    this.#checkMs = Math.min(2 * this.#checkMs, CHECK_MS_MAX);
    return (await this.#inThread(manifest, null, this.#file)) !== null && !this.#stop.signal.aborted;
  }

  async #inThread(manifest: Manifest, url: string | null, to: string): Promise<string | null> {
    const { stallMs = STALL_MS } = this.#options;
    this.#isFetching = true;
    const fault = await fetchInThread({ url, manifest, to, stallMs }, this.#stop.signal);
    this.#isFetching = false;
    return fault;
  }

  /** Threads open the file anew at their next request. */
  #take(manifest: Manifest): void {
    const { dataDir, base, log } = this.#options;
    this.#fetched = null;
    try {
      foldLog(this.#file);
      renameSync(this.#incoming, this.#file);
      this.#removeOldSides();
      writeAtomically(followedMark(dataDir, base), `${JSON.stringify(manifest, null, 2)}\n`);
    } catch (error) {
      this.#note('file', `the fetched file cannot be put in place: ${explain(error)}`);
      return;
    }
    this.#look();
    log.info({ base, version: manifest.version, file: manifest.file }, 'base file taken');
    void syncAside(dirname(this.#file)).catch(() => undefined);
  }

  /** Reads which data are here. */
  #look(): void {
    const { dataDir, base, onServed } = this.#options;
    try {
      this.#held = existsSync(this.#file) ? stateIn(this.#file, base) : null;
    } catch {
      this.#held = null;
    }
    if (this.#known === null || this.#known.version !== this.#held?.version) return;
    onServed(this.#known);
    const mark = followedMark(dataDir, base);
    if (!existsSync(mark)) writeAtomically(mark, `${JSON.stringify(this.#known, null, 2)}\n`);
  }

  /** A published file has no log: SQLite would take the old file's for its own. */
  #removeOldSides(): void {
    if (readFileSync(this.#file).subarray(18, 20).equals(Uint8Array.of(2, 2))) return;
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(this.#file + suffix, { force: true });
  }

  /** Logs a fault when it begins or changes, and its end. */
  #note(of: 'ask' | 'file', fault: string | null): void {
    const { base, log } = this.#options;
    if (fault === this.#faults[of]) return;
    this.#faults[of] = fault;
    if (fault === null) log.info({ base }, 'base file followed again');
    else log.error({ base, detail: fault }, 'base file not followed');
  }
}

/** Writes what is in the log to a file that was loaded here, so that its log can go with it. */
function foldLog(file: string): void {
  if (!existsSync(`${file}-wal`)) return;
  const db = new Database(file);
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}
