import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import {
  BUCKET_BACK_OFF_MS_MAX,
  BUCKET_BACK_OFF_MS_MIN,
  BUCKET_BATCH,
  BUCKET_LOST_LOOKS,
  BUCKET_LOOK_MS,
  BUCKET_LOOKS_AFTER_WORD_MS,
  BUCKET_MS_MAX,
  BUCKET_RETRY_MS,
} from '../config/limits.ts';
import { repeat, systemClock, type Clock } from '../engine/clock.ts';
import { explain } from '../process/fail.ts';
import type { Value, Values } from '../shared/values.ts';
import { BucketCopy, copyIn, copyOf } from './bucket-copy.ts';
import type { Broker } from './connection.ts';
import { NoStream, makeBucket, readMessages, withoutLeader, type StoredMessage } from './streams.ts';
import { changesSubject } from './subjects.ts';

export interface BucketOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  /** Letters, digits and underscores. */
  readonly name: string;
  /** Where a copy is kept, so that a process starts without the broker; null for none. */
  readonly file: string | null;
  /** True if this process may make the bucket when it is missing. */
  readonly creates: boolean;
  readonly log: (event: string, detail: Record<string, unknown>) => void;
}

const WRONG_REVISION = 10_071;

/** A bucket with a copy in the data folder. */
export function openBucket(
  broker: Broker,
  name: string,
  dataDir: string,
  log: Pick<Logger, 'warn'>,
  creates = true,
): Bucket {
  return new Bucket({
    broker,
    clock: systemClock,
    name,
    file: copyOf(dataDir, name),
    creates,
    log: (event, detail) => {
      log.warn(detail, event);
    },
  });
}

/**
 * A key-value bucket of JetStream as this process knows it, in memory and on disk. A value written anywhere is known here
 * within a second: a message to one of its subjects has the bucket read, and so does every fifth second. Reads go to any of
 * its copies, so they need no leader, which the client's own `watch` does. Values that are missing there stay here: a stream
 * may be lost, and then gets them back (`giveBack`).
 */
export class Bucket implements Values {
  readonly #options: BucketOptions;
  readonly #listeners = new Set<() => void>();
  #entries = new Map<string, Value>();
  /** The message that was read last. */
  #last: StoredMessage | null = null;
  #emptyLooks = 0;
  /** Values that the stream lacked, or had otherwise, when all of it was read; null once they were given back. */
  #lost: ReadonlyMap<string, Value> | null = null;
  #give: (lost: ReadonlyMap<string, Value>) => Promise<unknown> = () => Promise.resolve();
  #isGiving = false;
  #isMade = false;
  #fault = '';
  #readAt: number | null = null;
  #looking: Promise<void> | null = null;
  #looksAgain = false;
  #isClosed = false;
  readonly #copy: BucketCopy | null;
  readonly #cancelOften: () => void;
  readonly #soon = new Set<() => void>();
  readonly #firstRead = Promise.withResolvers<undefined>();

  constructor(options: BucketOptions) {
    this.#options = options;
    const { file, name, log } = options;
    const onFault = (reason: string) => {
      log('copy of a bucket not written', { bucket: name, file, reason });
    };
    this.#copy = file === null ? null : new BucketCopy(file, onFault);
    this.#loadCopy();
    options.broker.subscribe(changesSubject(options.name), () => {
      this.#lookSoon();
    });
    options.broker.onChange((isConnected) => {
      if (isConnected) void this.look();
    });
    if (options.broker.isConnected) void this.look();
    this.#cancelOften = repeat(options.clock, BUCKET_LOOK_MS, () => {
      void this.#copy?.save();
      return this.look();
    });
  }

  /** The revision of each is its place in the stream; 0 for one that only this process knows. */
  get entries(): ReadonlyMap<string, Value> {
    return this.#entries;
  }

  /** When the latest completed read began; null before the first. */
  get readAt(): number | null {
    return this.#readAt;
  }

  /** Everything up to this revision was read. */
  get readTo(): number {
    return this.#last?.seq ?? 0;
  }

  /** Resolves when the broker was read for the first time, and has got back what it lacked. */
  get firstRead(): Promise<undefined> {
    return this.#firstRead.promise;
  }

  /** Calls `listener` after each change. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Has `give` write what this process has for the bucket, until it does not throw: after the first read, and whenever the
   * stream is another one. @param give gets the values that the stream lacks or has otherwise.
   */
  giveBack(give: (lost: ReadonlyMap<string, Value>) => Promise<unknown>): void {
    this.#give = give;
  }

  /** Writes the values that the bucket lacks. @throws if the broker does not answer. */
  async restore(values: ReadonlyMap<string, Value>): Promise<void> {
    for (const [key, { text }] of values)
      if ((this.#entries.get(key)?.revision ?? 0) === 0) await this.put(key, text, 0);
  }

  /** As in `Values`. @throws NoStream if nobody stores it; if the broker does not answer. */
  async put(key: string, text: string, revision: number): Promise<boolean> {
    const client = await this.#client();
    await this.#make();
    try {
      const options = { expect: { lastSubjectSequence: revision }, timeout: BUCKET_MS_MAX };
      const { seq } = await jetstream(client).publish(`$KV.${this.#options.name}.${key}`, text, options);
      // A later value may have been read before this answer came.
      if ((this.#entries.get(key)?.revision ?? 0) < seq)
        this.#take(new Map([[key, { text, revision: seq }]]));
      return true;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === WRONG_REVISION) return false;
      throw withoutLeader(error, client, `KV_${this.#options.name}`);
    }
  }

  /**
   * Writes what `next` makes of a value, again if somebody else was first or nobody stores it: choosing a leader takes some
   * seconds. @param next null: nothing is to be written.
   * @returns whether it was written. @throws what `next` throws; if the broker does not answer.
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
      // The copy that is read may be behind, and others who were not first try again too.
      await new Promise<void>((resolve) => clock.after((backOffMs * (1 + Math.random())) / 2, resolve));
      backOffMs = Math.min(BUCKET_BACK_OFF_MS_MAX, 2 * backOffMs);
      await this.look();
    }
    throw fault;
  }

  /** Reads what is new. Without the broker it does nothing. */
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

  /** Again if somebody has called for it meanwhile. */
  async #readAll(): Promise<void> {
    while (this.#looksAgain && !this.#isClosed) {
      this.#looksAgain = false;
      await this.#read();
    }
    // In the turn of the last look at the flag, so that no call for it is lost.
    this.#looking = null;
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

  /** Logs each fault once: it is met again every five seconds. */
  #retry(error: unknown): void {
    const { name, log } = this.#options;
    const reason = explain(error);
    if (!this.#isClosed && reason !== this.#fault)
      log('bucket not read or written', { bucket: name, reason });
    this.#fault = reason;
    this.#lookSoon([BUCKET_RETRY_MS]);
  }

  /** Takes what came after the last message. If that was written over, or the stream is another one, everything is read. */
  async #readNew(client: NatsConnection): Promise<void> {
    const last = this.#last;
    if (last !== null) {
      const [same, ...later] = await this.#messagesFrom(client, last.seq);
      this.#emptyLooks = same === undefined ? this.#emptyLooks + 1 : 0;
      // A copy may be behind.
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

  /** The last value of each key; null where it was deleted. */
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
    void this.#copy?.save(entries);
    for (const listener of this.#listeners) listener();
  }

  /** A message is heard before it is stored, and a copy may be behind. */
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
      // Of a stream that may have been replaced since: all of it is read again.
      this.#entries = copyIn(file);
    } catch (error) {
      log('copy of a bucket ignored', { bucket: name, file, reason: String(error) });
    }
  }
}
