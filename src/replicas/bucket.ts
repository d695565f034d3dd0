import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headers } from '@nats-io/transport-node';
import { repeat, type Clock } from '../clock.ts';
import { explain } from '../process/fail.ts';
import { writeAtomicallyAside } from '../process/files.ts';
import type { Value, Values } from '../shared/values.ts';
import type { Connection } from './connection.ts';
import { Refused, Stream, type StoredMessage } from './streams.ts';

/** The bucket of what replicas have in common: `keys.HEX`, `settings.BASE.KEY`, `secrets.cursor`. */
export const VALUES_STREAM = 'KV_jur';
export const VALUES_SUBJECT = '$KV.jur.';
/** Interval at which what is new is read, whether or not a change was heard. */
const BUCKET_REFRESH_MS = 5_000;
/** A change is heard when it is sent: it is read so long after that, when the copies of the stream have it. */
const HEARD_MS = [20, 250, 700] as const;
/** A value that no read has found for this long is lost: a replica of the stream may be behind for less. */
const BUCKET_LOST_MS = 10_000;
/** Wait before a failed read or write is tried again: new servers need some seconds to choose a leader. */
const BUCKET_RETRY_MS = 500;
/** Longest time in which a write is tried. An election takes 5 to 8 s, and a command must outlast it. */
export const WRITE_MS_MAX = 10_000;
const WRONG_REVISION = 10_071;

/** `revision`: number of its message, which changes with each write; `time`: when it was stored, milliseconds since 1970. */
interface Known extends Value {
  readonly revision: number;
  readonly time: number;
}

export interface BucketOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** The file of the copy from which a replica starts without NATS; null for none. */
  readonly file: string | null;
  /** Whether to make a missing bucket: a command must not, because a missing one may be lost. */
  readonly makes: boolean;
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
 * Values in a stream of NATS with one message for each key, and their copy in memory and on disk. A change is read within a second.
 * A value that the stream has lost stays in force here, and is reported, not written back.
 */
export class Bucket implements Values {
  readonly #options: BucketOptions;
  readonly #stream: Stream;
  readonly #listeners = new Set<() => void>();
  readonly #firstRead = Promise.withResolvers<undefined>();
  readonly firstRead = this.#firstRead.promise;
  readonly #cancelRefreshes: () => void;
  #known: ReadonlyMap<string, Known>;
  /** The stream's last message, as read last; null if everything has to be read. */
  #last: StoredMessage | null = null;
  #missingSince: number | null = null;
  #refreshing: Promise<void> | null = null;
  #saved: ReadonlyMap<string, Known>;
  #isSaving = false;
  #isClosed = false;
  /** Keys of values that NATS has lost, and that are still in force here. */
  lost: readonly string[] = [];
  /** Why the latest read failed; empty if it did not. */
  fault = '';

  constructor(options: BucketOptions) {
    this.#options = options;
    const { connection, clock, makes } = options;
    const config = { subjects: [`${VALUES_SUBJECT}>`], deny_delete: true };
    this.#stream = new Stream(connection, VALUES_STREAM, makes ? config : null);
    this.#known = this.#saved = this.#readCopy();
    connection.onChange((isConnected) => {
      if (isConnected) void this.refresh();
    });
    // A command reads before it writes.
    if (makes) void this.#listen();
    this.#cancelRefreshes = repeat(clock, BUCKET_REFRESH_MS, () => this.refresh());
  }

  /** All values by key; a change makes a new map. */
  get entries(): ReadonlyMap<string, Value> {
    return this.#known;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** The values of a place. */
  under(place: string): Values {
    let of: ReadonlyMap<string, Value> | null = null;
    let entries: ReadonlyMap<string, Value> = new Map();
    const read = () => {
      if (of !== this.#known) entries = under(place, (of = this.#known));
      return entries;
    };
    return {
      get entries() {
        return read();
      },
      refresh: () => this.refresh(),
    };
  }

  /**
   * Reads, and writes the result of `next`; after a conflicting write, or without a leader, again: an election takes some seconds.
   * @param next null: nothing is to be written. @returns whether it was written. @throws the errors of `next`, and in an
   * operator's words unless NATS stores it.
   */
  async change(key: string, next: (known: string | null) => string | null): Promise<boolean> {
    const { clock } = this.#options;
    const until = clock.now() + WRITE_MS_MAX;
    let fault = new Error(`${key} could not be written: others write to it all the time`);
    let sent: string | null = null;
    while (clock.now() < until) {
      await this.refresh();
      const known = this.#known.get(key);
      // It was stored, and the answer was lost.
      if (sent !== null && known?.text === sent) return true;
      const text = next(known?.text ?? null);
      if (text === null) return false;
      sent = text;
      try {
        await this.#put(key, text, known?.revision ?? 0);
        return true;
      } catch (error) {
        if (error instanceof Error && !(error instanceof Refused && error.code === WRONG_REVISION))
          fault = error;
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
  }

  async #put(key: string, text: string, revision: number): Promise<void> {
    const sent = headers();
    sent.set('Nats-Expected-Last-Subject-Sequence', String(revision));
    const subject = VALUES_SUBJECT + key;
    const answer = await this.#stream.ask(subject, text, undefined, sent);
    if ('seq' in answer) this.#take([{ subject, seq: Number(answer.seq), time: 0, text }]);
  }

  async #listen(): Promise<void> {
    const { connection, clock } = this.#options;
    const client = await connection.ready.catch(() => null);
    client?.subscribe(`${VALUES_SUBJECT}>`, {
      callback: () => {
        for (const ms of HEARD_MS) clock.after(ms, () => void this.refresh());
      },
    });
  }

  async #refresh(): Promise<void> {
    const { connection, log } = this.#options;
    if (this.#isClosed || !connection.isConnected) return;
    try {
      await this.#stream.make();
      await this.#read();
      this.fault = '';
      this.#firstRead.resolve(undefined);
    } catch (error) {
      const reason = explain(error);
      if (reason !== this.fault) log.error({ reason }, 'shared keys and settings are not read');
      this.fault = reason;
      if (!this.#isClosed) this.#options.clock.after(BUCKET_RETRY_MS, () => void this.refresh());
    }
    void this.#save();
  }

  /** Reads the messages after the last one; everything if that one was overwritten, or the stream replaced, or values are missing. */
  async #read(): Promise<void> {
    const last = this.#last;
    if (last !== null) {
      const [same, ...later] = await this.#stream.readFrom(last.seq);
      if (same?.seq === last.seq && same.time === last.time) {
        this.#last = later.at(-1) ?? last;
        this.#take(later);
        return;
      }
    }
    const all = await this.#stream.readFrom(1);
    this.#take(all);
    const isWhole = this.#noteMissing(all);
    this.#last = isWhole ? (all.at(-1) ?? null) : null;
  }

  /** Newer values replace known ones: by the stream's order, or by time if the stream was made again. */
  #take(messages: readonly StoredMessage[]): void {
    const next = new Map(this.#known);
    for (const { subject, seq, time, text } of messages) {
      const key = keyOf(subject);
      const known = next.get(key);
      if (known !== undefined && seq <= known.revision && time <= known.time) continue;
      next.set(key, { text, revision: seq, time: Math.max(time, known?.time ?? 0) });
    }
    this.#show(next);
  }

  /** @returns false while the stream lacks known values. After a while they count as lost, and are written over nothing. */
  #noteMissing(all: readonly StoredMessage[]): boolean {
    const { clock, log } = this.#options;
    const stored = new Map(all.map((message) => [keyOf(message.subject), message]));
    const missing = [...this.#known].filter(([key, { text, time, revision }]) => {
      const found = stored.get(key);
      return found === undefined || (found.text !== text && found.time < time && found.seq <= revision);
    });
    const since = missing.length === 0 ? null : (this.#missingSince ?? clock.now());
    this.#missingSince = since;
    if (since !== null && clock.now() - since < BUCKET_LOST_MS) return false;
    const lost = missing.map(([key]) => key);
    if (lost.length > this.lost.length)
      log.error(
        { values: lost.length },
        'NATS has lost shared keys, settings or secrets: they stay in force here; put them back with: bun run keys restore',
      );
    else if (lost.length === 0 && this.lost.length > 0) log.info({}, 'NATS has all shared values again');
    this.lost = lost;
    this.#show(
      new Map([
        ...this.#known,
        ...missing.map(([key, known]): [string, Known] => [
          key,
          { ...known, revision: stored.get(key)?.seq ?? 0 },
        ]),
      ]),
    );
    return since === null;
  }

  #show(next: ReadonlyMap<string, Known>): void {
    const isSame = [...next].every(([key, { text, revision, time }]) => {
      const known = this.#known.get(key);
      return known?.text === text && known.revision === revision && known.time === time;
    });
    if (isSame) return;
    this.#known = next;
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

/** The values whose keys begin with `place.`, without that. */
export function under<T>(place: string, values: ReadonlyMap<string, T>): Map<string, T> {
  const own = [...values].filter(([key]) => key.startsWith(`${place}.`));
  return new Map(own.map(([key, value]) => [key.slice(place.length + 1), value]));
}

function keyOf(subject: string): string {
  return subject.slice(VALUES_SUBJECT.length);
}
