import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { repeat, systemClock, type Clock } from '../clock.ts';
import { explain } from '../process/fail.ts';
import type { Value, Values } from '../shared/values.ts';
import { copyIn, copyOf, writeCopy } from './bucket-copy.ts';
import type { Broker } from './connection.ts';
import {
  BUCKET_MS_MAX,
  NoStream,
  makeBucket,
  readMessages,
  withoutLeader,
  type StoredMessage,
} from './streams.ts';
import { changesSubject } from './subjects.ts';

/** Interval at which a bucket is read even without messages: after a leader was killed, a watch was silent for 10 s. */
export const BUCKET_LOOK_MS = 5_000;
/** Delays of the reads after a message to a bucket, which arrives before all replicas have stored it. */
const BUCKET_LOOKS_AFTER_WORD_MS = [0, 50, 250, 1_000] as const;
const BUCKET_BATCH = 256;
/** Reads that must agree that the stream ends before the last message read, and so is another: a replica may be behind. */
const BUCKET_LOST_LOOKS = 3;
/** Waits before a retry after a conflicting write: upper bounds of the first wait, and of any. */
const BUCKET_BACK_OFF_MS_MIN = 10;
export const BUCKET_BACK_OFF_MS_MAX = 500;
/** Delay before a failed read of a bucket is retried: new servers need some seconds to choose a leader. */
export const BUCKET_RETRY_MS = 500;

export interface BucketOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  /** Letters, digits and underscores. */
  readonly name: string;
  /** The file of the local copy, from which a process starts without the broker; null for none. */
  readonly file: string | null;
  /** True if this process may create a missing bucket. */
  readonly creates: boolean;
  readonly log: { warn(detail: Record<string, unknown>, event: string): void };
}

const WRONG_REVISION = 10_071;

export function openBucket(
  broker: Broker,
  name: string,
  dataDir: string,
  log: BucketOptions['log'],
  creates = true,
): Bucket {
  return new Bucket({ broker, clock: systemClock, name, file: copyOf(dataDir, name), creates, log });
}

/**
 * A local copy of a JetStream key-value bucket, in memory and on disk. A change made anywhere arrives within a second: each
 * change sends a message that triggers a read, and the bucket is also read every five seconds. Reads go to any replica, so they
 * need no leader, unlike the client's own `watch`. Values missing from the bucket are kept: a stream may be lost, and then
 * `giveBack` restores them.
 */
export class Bucket implements Values {
  readonly #options: BucketOptions;
  readonly #listeners = new Set<() => void>();
  #entries = new Map<string, Value>();
  #last: StoredMessage | null = null;
  #emptyLooks = 0;
  /** Values that were missing from the stream, or different there, at a full read; null once restored. */
  #lost: ReadonlyMap<string, Value> | null = null;
  #give: (lost: ReadonlyMap<string, Value>) => Promise<unknown> = () => Promise.resolve();
  #isGiving = false;
  #isMade = false;
  #fault = '';
  #readAt: number | null = null;
  #looking: Promise<void> | null = null;
  #looksAgain = false;
  #isClosed = false;
  /** The entries that the copy on disk has. */
  #saved = this.#entries;
  #isSaving = false;
  readonly #cancelOften: () => void;
  readonly #soon = new Set<() => void>();
  readonly #firstRead = Promise.withResolvers<undefined>();

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#loadCopy();
    options.broker.subscribe(changesSubject(options.name), () => {
      this.#lookSoon();
    });
    options.broker.onChange((isConnected) => {
      if (isConnected) void this.look();
    });
    if (options.broker.isConnected) void this.look();
    this.#cancelOften = repeat(options.clock, BUCKET_LOOK_MS, () => {
      void this.#save();
      return this.look();
    });
  }

  /** Each value's revision is its sequence number in the stream; 0 for a value that only this process knows. */
  get entries(): ReadonlyMap<string, Value> {
    return this.#entries;
  }

  /** When the latest completed read began; null before the first. */
  get readAt(): number | null {
    return this.#readAt;
  }

  /** Revisions up to this one were read. */
  get readTo(): number {
    return this.#last?.seq ?? 0;
  }

  /** Resolves after the first read of the broker, once missing values are restored. */
  get firstRead(): Promise<undefined> {
    return this.#firstRead.promise;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Calls `give` after the first read, and each time the stream is replaced, until it does not throw.
   * @param give gets the values that the stream lacks or has otherwise.
   */
  giveBack(give: (lost: ReadonlyMap<string, Value>) => Promise<unknown>): void {
    this.#give = give;
  }

  /** Writes the values that the bucket lacks, and reads those that another process wrote first. @throws without the broker. */
  async restore(values: ReadonlyMap<string, Value>): Promise<void> {
    for (const [key, { text }] of values)
      if (this.#revisionOf(key) === 0 && !(await this.put(key, text, 0))) await this.look();
  }

  /** As in `Values`. @throws NoStream if no server stores it; also unless the broker answers. */
  async put(key: string, text: string, revision: number): Promise<boolean> {
    const client = await this.#client();
    await this.#make();
    try {
      const options = { expect: { lastSubjectSequence: revision }, timeout: BUCKET_MS_MAX };
      const { seq } = await jetstream(client).publish(`$KV.${this.#options.name}.${key}`, text, options);
      // A later value may have been read before this reply.
      if (this.#revisionOf(key) < seq) this.#take(new Map([[key, { text, revision: seq }]]));
      return true;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === WRONG_REVISION) return false;
      throw withoutLeader(error, client, `KV_${this.#options.name}`);
    }
  }

  /**
   * Writes the result of `next`, and retries after a conflicting write or without a leader: an election takes some seconds.
   * @param next null: nothing is to be written.
   * @returns whether it was written. @throws the errors of `next`; also unless the broker answers.
   */
  async change(key: string, next: (known: string | null) => string | null): Promise<boolean> {
    const { clock } = this.#options;
    let backOffMs = BUCKET_BACK_OFF_MS_MIN;
    let fault = new Error(`${key} could not be written: others write to it all the time`);
    for (const until = clock.now() + BUCKET_MS_MAX; clock.now() < until;) {
      const entry = this.#entries.get(key);
      const text = next(entry?.text ?? null);
      if (text === null) return false;
      try {
        if (await this.put(key, text, entry?.revision ?? 0)) return true;
      } catch (error) {
        if (!(error instanceof NoStream)) throw error;
        fault = error;
      }
      // The replica read may be behind, and other writers retry too.
      await new Promise<void>((resolve) => clock.after((backOffMs * (1 + Math.random())) / 2, resolve));
      backOffMs = Math.min(BUCKET_BACK_OFF_MS_MAX, 2 * backOffMs);
      await this.look();
    }
    throw fault;
  }

  /** Reads new messages. Without the broker it does nothing. */
  async look(): Promise<void> {
    if (this.#isClosed || !this.#options.broker.isConnected) return;
    this.#looksAgain = true;
    this.#looking ??= this.#readAll();
    await this.#looking;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelOften();
    for (const cancelTimer of this.#soon) cancelTimer();
  }

  /** Repeats if another read was requested meanwhile. */
  async #readAll(): Promise<void> {
    try {
      while (this.#looksAgain && !this.#isClosed) {
        this.#looksAgain = false;
        await this.#read();
      }
    } finally {
      // In the same turn as the last check of the flag, so that no request is lost.
      this.#looking = null;
    }
  }

  async #read(): Promise<void> {
    const { clock, broker, name } = this.#options;
    const startedAt = clock.now();
    try {
      const client = await this.#client();
      await this.#make();
      await this.#readNew(client);
      this.#readAt = startedAt;
      void this.#giveNow();
    } catch (error) {
      if (error instanceof NoStream) this.#isMade = false;
      this.#retry(broker.isConnected ? withoutLeader(error, await broker.ready, `KV_${name}`) : error);
    }
  }

  async #giveNow(): Promise<void> {
    if (this.#isGiving) return;
    this.#isGiving = true;
    const lost = this.#lost;
    this.#lost = null;
    try {
      if (lost !== null) await this.#give(lost);
      this.#fault = '';
      this.#firstRead.resolve(undefined);
    } catch (error) {
      this.#lost = new Map([...(lost ?? []), ...(this.#lost ?? [])]);
      this.#retry(error);
    }
    this.#isGiving = false;
  }

  /** Logs each fault once: it recurs every five seconds. */
  #retry(error: unknown): void {
    const { name, log } = this.#options;
    const reason = explain(error);
    if (!this.#isClosed && reason !== this.#fault)
      log.warn({ bucket: name, reason }, 'bucket not read or written');
    this.#fault = reason;
    this.#lookSoon([BUCKET_RETRY_MS]);
  }

  /** Reads the messages after the last one. If that one was overwritten, or the stream replaced, it reads everything. */
  async #readNew(client: NatsConnection): Promise<void> {
    const last = this.#last;
    if (last !== null) {
      const [same, ...later] = await this.#messagesFrom(client, last.seq);
      this.#emptyLooks = same === undefined ? this.#emptyLooks + 1 : 0;
      // A replica may be behind.
      if (same === undefined && this.#emptyLooks < BUCKET_LOST_LOOKS) return;
      if (same?.seq === last.seq && same.time === last.time) {
        this.#last = later.at(-1) ?? last;
        if (later.length > 0) this.#take(this.#valuesIn(later));
        return;
      }
    }
    const all = await this.#messagesFrom(client, 1);
    this.#last = all.at(-1) ?? null;
    const found = this.#valuesIn(all);
    // Deleted values are not lost.
    const lost = [...this.#entries].filter(([key, { text }]) => {
      const there = found.get(key);
      return there !== null && there?.text !== text;
    });
    for (const [key, { text }] of lost) if (!found.has(key)) found.set(key, { text, revision: 0 });
    this.#lost = new Map([...(this.#lost ?? []), ...lost]);
    if (found.size > 0) this.#take(found);
  }

  async #messagesFrom(client: NatsConnection, first: number): Promise<StoredMessage[]> {
    const { name, broker } = this.#options;
    const found: StoredMessage[] = [];
    for (let isFull = true; isFull;) {
      const range = { stream: `KV_${name}`, seq: (found.at(-1)?.seq ?? first - 1) + 1, count: BUCKET_BATCH };
      const batch = await readMessages(client, broker, range);
      found.push(...batch);
      isFull = batch.length === BUCKET_BATCH;
    }
    return found;
  }

  /** The last value per key; null if deleted. */
  #valuesIn(messages: readonly StoredMessage[]): Map<string, Value | null> {
    const { length } = `$KV.${this.#options.name}.`;
    return new Map(
      messages.map(({ subject, seq, text, isGone }) => [
        subject.slice(length),
        isGone ? null : { text, revision: seq },
      ]),
    );
  }

  #take(found: ReadonlyMap<string, Value | null>): void {
    const entries = new Map(this.#entries);
    for (const [key, entry] of found) {
      if (entry === null) entries.delete(key);
      else entries.set(key, entry);
    }
    this.#entries = entries;
    void this.#save();
    for (const listener of this.#listeners) listener();
  }

  /** Writes one copy at a time, and only the latest if several wait. After a failure the next regular reading tries again. */
  async #save(): Promise<void> {
    const { file, name, log } = this.#options;
    if (this.#isSaving || file === null) return;
    this.#isSaving = true;
    try {
      while (this.#saved !== this.#entries) {
        const entries = this.#entries;
        await writeCopy(file, entries);
        this.#saved = entries;
      }
    } catch (error) {
      log.warn({ bucket: name, file, reason: String(error) }, 'copy of a bucket not written');
    }
    this.#isSaving = false;
  }

  /** A message arrives before it is stored, and a replica may be behind. */
  #lookSoon(delaysMs: readonly number[] = BUCKET_LOOKS_AFTER_WORD_MS): void {
    if (this.#isClosed) return;
    for (const ms of delaysMs) {
      const cancelTimer = this.#options.clock.after(ms, () => {
        this.#soon.delete(cancelTimer);
        void this.look();
      });
      this.#soon.add(cancelTimer);
    }
  }

  #revisionOf(key: string): number {
    return this.#entries.get(key)?.revision ?? 0;
  }

  async #client(): Promise<NatsConnection> {
    if (!this.#options.broker.isConnected) throw new Error('no NATS server is connected');
    return this.#options.broker.ready;
  }

  async #make(): Promise<void> {
    const { name, creates, broker } = this.#options;
    if (this.#isMade || !creates) return;
    await makeBucket(broker, name);
    this.#isMade = true;
  }

  #loadCopy(): void {
    const { file, name, log } = this.#options;
    if (file === null) return;
    try {
      // The stream may have been replaced since, so all messages are read again.
      this.#saved = this.#entries = copyIn(file);
    } catch (error) {
      log.warn({ bucket: name, file, reason: String(error) }, 'copy of a bucket ignored');
    }
  }
}
