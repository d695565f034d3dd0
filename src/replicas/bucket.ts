import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import { repeat, type Clock } from '../clock.ts';
import { explain } from '../process/fail.ts';
import { writeAtomicallyAside } from '../process/files.ts';
import type { Value, Values } from '../shared/values.ts';
import type { Connection } from './connection.ts';
import { makeStream, NoStream, plainly, readFrom, STREAM_MS_MAX, type StoredMessage } from './streams.ts';

/** The bucket of what replicas have in common: `keys.HEX`, `settings.BASE.KEY`, `secrets.cursor`. */
const BUCKET = 'jur';
export const VALUES_STREAM = `KV_${BUCKET}`;
/** Interval at which all is read: after a leader was killed, a watch was silent for 10 s in 2 of 5 tries. */
const BUCKET_REFRESH_MS = 5_000;
/** A value that no read has found for this long is lost: a replica of the stream may be behind for less. */
const BUCKET_LOST_MS = 10_000;
/** Wait before a failed read, watch or write is tried again: new servers need some seconds to choose a leader. */
const BUCKET_RETRY_MS = 500;
const WRONG_REVISION = 10_071;

/** `time`: when the server stored it, milliseconds since 1970. */
type Known = Value & Pick<StoredMessage, 'time' | 'isGone'>;

export interface BucketOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** The file of the copy from which a replica starts without NATS; null for none. */
  readonly file: string | null;
  /** Whether to create a missing bucket: a command must not, because a missing one may be lost. */
  readonly creates: boolean;
  readonly log: Record<'error' | 'info', (detail: object, event: string) => void>;
}

export function copyFile(dataDir: string): string {
  return join(dataDir, 'shared.json');
}

/** The values of a copy on disk; none without a file. @throws if the file is no copy. */
export function readCopy(file: string): Map<string, Known> {
  if (!existsSync(file)) return new Map();
  const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isCopy(stored)) throw new Error(`${file} is not of the expected shape`);
  return new Map(Object.entries(stored));
}

function isKnown(one: unknown): one is Known {
  return (
    typeof one === 'object' && one !== null && 'text' in one && typeof one.text === 'string' && 'time' in one
  );
}

function isCopy(stored: unknown): stored is Record<string, Known> {
  return typeof stored === 'object' && stored !== null && Object.values(stored).every(isKnown);
}

/**
 * A NATS key-value bucket, with a copy in memory and on disk. A watch brings a change within a second, and every five seconds all
 * is read, from any replica of the stream. A value that the stream has lost stays in force here, and is reported, not written back.
 */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #listeners = new Set<() => void>();
  readonly #firstRead = Promise.withResolvers<undefined>();
  readonly #cancelRefreshes: () => void;
  #known: ReadonlyMap<string, Known>;
  #entries: ReadonlyMap<string, Value> = new Map();
  /** The stream's last message, as read last; null if everything has to be read. */
  #last: StoredMessage | null = null;
  #lost: readonly string[] = [];
  #missingSince: number | null = null;
  #refreshing: Promise<void> | null = null;
  #fault = '';
  #saved: ReadonlyMap<string, Known>;
  #isSaving = false;
  #isMade = false;
  #isClosed = false;
  #stopWatch: () => void = () => undefined;

  constructor(options: BucketOptions) {
    this.#options = options;
    const { connection, clock } = options;
    this.#known = this.#saved = this.#readCopy();
    this.#show();
    connection.onChange((isConnected) => {
      if (isConnected) void this.refresh();
    });
    // A command reads before it writes.
    if (options.creates) void this.#watch();
    this.#cancelRefreshes = repeat(clock, BUCKET_REFRESH_MS, () => this.refresh());
  }

  /** All values by key; a change makes a new map. */
  get entries(): ReadonlyMap<string, Value> {
    return this.#entries;
  }

  /** Keys of values that NATS has lost, and that are still in force here. */
  get lost(): readonly string[] {
    return this.#lost;
  }

  /** Why the latest read failed; empty if it did not. */
  get fault(): string {
    return this.#fault;
  }

  /** Resolves after the first read. */
  get firstRead(): Promise<undefined> {
    return this.#firstRead.promise;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** The values whose keys begin with `place.`, without that. */
  under(place: string): Values {
    const prefix = `${place}.`;
    let of: ReadonlyMap<string, Value> | null = null;
    let entries: ReadonlyMap<string, Value> = new Map();
    const read = () => {
      if (of === this.#entries) return entries;
      of = this.#entries;
      const own = [...of].filter(([key]) => key.startsWith(prefix));
      return (entries = new Map(own.map(([key, value]) => [key.slice(prefix.length), value])));
    };
    return {
      get entries() {
        return read();
      },
      refresh: () => this.refresh(),
      put: (key, text, revision) => this.put(prefix + key, text, revision),
    };
  }

  /** As in `Values`. @throws in an operator's words unless NATS stores it. */
  async put(key: string, text: string, revision: number): Promise<boolean> {
    const { client } = this.#options.connection;
    try {
      const seq = await (
        await kvOf(client)
      ).put(key, text, {
        previousSeq: revision,
        timeout: STREAM_MS_MAX,
      });
      this.#take([{ subject: subjectOf(key), seq, time: 0, text, isGone: false }]);
      return true;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === WRONG_REVISION) return false;
      throw plainly(error, client, VALUES_STREAM);
    }
  }

  /**
   * Reads, and writes the result of `next`; after a conflicting write, or without a leader, again: an election takes some seconds.
   * @param next null: nothing is to be written. @returns whether it was written. @throws the errors of `next`, and as `put`.
   */
  async change(key: string, next: (known: string | null) => string | null): Promise<boolean> {
    const { clock } = this.#options;
    const until = clock.now() + STREAM_MS_MAX;
    let fault = new Error(`${key} could not be written: others write to it all the time`);
    while (clock.now() < until) {
      await this.refresh();
      const entry = this.#entries.get(key);
      const text = next(entry?.text ?? null);
      if (text === null) return false;
      try {
        if (await this.put(key, text, this.#known.get(key)?.revision ?? 0)) return true;
      } catch (error) {
        fault = error instanceof Error ? error : fault;
      }
      await new Promise<void>((resolve) => clock.after(BUCKET_RETRY_MS * Math.random(), resolve));
    }
    throw fault;
  }

  /** Reads what is new. Failures are kept in `fault`. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = null));
    return this.#refreshing;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRefreshes();
    this.#stopWatch();
  }

  async #refresh(): Promise<void> {
    const { connection, creates, log } = this.#options;
    if (this.#isClosed || !connection.isConnected) return;
    const { client } = connection;
    try {
      if (creates && !this.#isMade) await makeBucket(client);
      this.#isMade = true;
      await this.#read();
      this.#fault = '';
      this.#firstRead.resolve(undefined);
    } catch (error) {
      if (error instanceof NoStream) this.#isMade = false;
      const reason = explain(plainly(error, client, VALUES_STREAM));
      if (reason !== this.#fault) log.error({ reason }, 'shared keys and settings are not read');
      this.#fault = reason;
      if (!this.#isClosed) this.#options.clock.after(BUCKET_RETRY_MS, () => void this.refresh());
    }
    void this.#save();
  }

  /** Reads the messages after the last one; everything if that one was overwritten, or the stream replaced, or values are missing. */
  async #read(): Promise<void> {
    const { client } = this.#options.connection;
    const last = this.#last;
    if (last !== null) {
      const [same, ...later] = await readFrom(client, VALUES_STREAM, last.seq);
      if (same?.seq === last.seq && same.time === last.time) {
        this.#last = later.at(-1) ?? last;
        this.#take(later);
        return;
      }
    }
    const all = await readFrom(client, VALUES_STREAM, 1);
    this.#take(all);
    const isWhole = this.#noteMissing(all);
    this.#last = isWhole ? (all.at(-1) ?? null) : null;
  }

  /** Newer values replace known ones: by the stream's order, or by time if the stream was made again. */
  #take(messages: readonly StoredMessage[]): void {
    const next = new Map(this.#known);
    for (const { subject, seq, time, text, isGone } of messages) {
      const key = keyOf(subject);
      const known = next.get(key);
      if (known !== undefined && seq <= known.revision && time <= known.time) continue;
      next.set(key, { text, revision: seq, time: Math.max(time, known?.time ?? 0), isGone });
    }
    const isSame = [...next].every(([key, { text, revision }]) => {
      const known = this.#known.get(key);
      return known?.text === text && known.revision === revision;
    });
    this.#known = next;
    if (!isSame) this.#show();
  }

  /** @returns false while the stream lacks known values. After a while they count as lost, and are written over nothing. */
  #noteMissing(all: readonly StoredMessage[]): boolean {
    const { clock, log } = this.#options;
    const stored = new Map(all.map((message) => [keyOf(message.subject), message]));
    const missing = [...this.#known].filter(([key, { text, time, revision, isGone }]) => {
      const found = stored.get(key);
      if (found === undefined) return !isGone;
      return found.text !== text && found.time < time && found.seq <= revision;
    });
    const since = missing.length === 0 ? null : (this.#missingSince ?? clock.now());
    this.#missingSince = since;
    const isLost = since !== null && clock.now() - since >= BUCKET_LOST_MS;
    if (isLost) {
      const next = new Map(this.#known);
      for (const [key, known] of missing) next.set(key, { ...known, revision: stored.get(key)?.seq ?? 0 });
      this.#known = next;
      this.#show();
    }
    const lost = isLost ? missing.map(([key]) => key) : [];
    if (lost.length > this.#lost.length)
      log.error(
        { values: lost.length },
        'NATS has lost shared keys, settings or secrets: they stay in force here; put them back with: bun run keys restore',
      );
    else if (since === null && this.#lost.length > 0) log.info({}, 'NATS has all shared values again');
    if (isLost || since === null) this.#lost = lost;
    return since === null;
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      try {
        const watch = await (await kvOf(await this.#options.connection.ready)).watch();
        this.#stopWatch = () => {
          watch.stop();
        };
        if (this.#isClosed) watch.stop();
        for await (const { rawKey, revision, created, operation, value } of watch)
          this.#take([
            {
              subject: subjectOf(rawKey),
              seq: revision,
              time: created.getTime(),
              text: new TextDecoder().decode(value),
              isGone: operation !== 'PUT',
            },
          ]);
      } catch {
        // A missing stream, or no leader: the reads say so.
      }
      await new Promise<void>((resolve) => this.#options.clock.after(BUCKET_RETRY_MS, resolve));
    }
  }

  #show(): void {
    this.#entries = new Map([...this.#known].filter(([, { isGone }]) => !isGone));
    for (const listener of this.#listeners) listener();
    void this.#save();
  }

  #readCopy(): ReadonlyMap<string, Known> {
    const { file, log } = this.#options;
    try {
      return file === null ? new Map() : readCopy(file);
    } catch (error) {
      log.error(
        { file, reason: explain(error) },
        'the copy of shared keys and settings is damaged; NATS has them',
      );
      return new Map();
    }
  }

  async #save(): Promise<void> {
    const { file, log } = this.#options;
    if (file === null || this.#isSaving || this.#saved === this.#known) return;
    this.#isSaving = true;
    const known = this.#known;
    try {
      await writeAtomicallyAside(file, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
      this.#saved = known;
    } catch (error) {
      log.error({ file, reason: explain(error) }, 'the copy of shared keys and settings is not written');
    }
    this.#isSaving = false;
  }
}

type Client = Connection['client'];

function kvOf(client: Client): Promise<KV> {
  return new Kvm(jetstream(client, { timeout: STREAM_MS_MAX })).open(BUCKET);
}

/** As `Kvm.create`, with three copies on several servers, and no value that is deleted for good. */
async function makeBucket(client: Client): Promise<void> {
  await makeStream(client, {
    name: VALUES_STREAM,
    subjects: [subjectOf('>')],
    max_msgs_per_subject: 1,
    deny_delete: true,
  });
}

function subjectOf(key: string): string {
  return `$KV.${BUCKET}.${key}`;
}

function keyOf(subject: string): string {
  return subject.slice(subjectOf('').length);
}
