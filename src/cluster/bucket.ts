import { existsSync, readFileSync } from 'node:fs';
import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
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
import type { Clock } from '../engine/clock.ts';
import { explain } from '../process/fail.ts';
import { writeAtomicallyAside } from '../process/files.ts';
import type { Value, Values } from '../shared/values.ts';
import type { Broker } from './connection.ts';
import { NoStream, readMessages, type StoredMessage } from './direct-read.ts';
import { makeBucket, withoutLeader } from './streams.ts';
import { changesSubject } from './subjects.ts';

export interface BucketOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  /** Of the bucket: letters, digits and underscores. */
  readonly name: string;
  /** Where a copy is kept, so that a process starts without the broker; null for none. */
  readonly file: string | null;
  /** True where this process may make the bucket if it is missing. */
  readonly creates: boolean;
  readonly log: (event: string, detail: Record<string, unknown>) => void;
}

const CopySchema = Type.Object({
  v: Type.Literal(1),
  entries: Type.Record(Type.String(), Type.Object({ text: Type.String(), revision: Type.Integer() })),
});
const copyCheck = Compile(CopySchema);
const WRONG_REVISION = 10_071;

/**
 * A key-value bucket of JetStream as this process knows it, in memory and on disk. What is written to it anywhere is known
 * here within a second: a message to one of its subjects has it read, and so does every fifth second. Reads go to any of
 * its copies, so they need no leader. What is missing there is not forgotten here: a stream may be lost, and then gets it
 * back from here (`giveBack`).
 */
export class Bucket implements Values {
  readonly #options: BucketOptions;
  readonly #listeners = new Set<() => void>();
  #entries = new Map<string, Value>();
  /** The message that was read last. */
  #last: StoredMessage | null = null;
  #emptyLooks = 0;
  /** What was known otherwise, or alone, when the whole stream was read; null where that was given back. */
  #lost: ReadonlyMap<string, Value> | null = null;
  #give: (lost: ReadonlyMap<string, Value>) => Promise<unknown> = () => Promise.resolve();
  #isGiving = false;
  #isMade = false;
  #fault = '';
  #readAt: number | null = null;
  #looking: Promise<void> | null = null;
  #looksAgain = false;
  #isClosed = false;
  #isSaving = false;
  /** False where something has changed since the copy that is written, or was last. */
  #isSaved = true;
  #takeBack: () => void = () => undefined;
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
    this.#lookOften();
  }

  /** The revision of each is its place in the stream; 0 for one that is not there, and known here alone. */
  get entries(): ReadonlyMap<string, Value> {
    return this.#entries;
  }

  /** When the latest read began that has come to its end; null before the first. */
  get readAt(): number | null {
    return this.#readAt;
  }

  /** Everything up to this revision was read. */
  get readTo(): number {
    return this.#last?.seq ?? 0;
  }

  /** Resolves when the broker was read for the first time, and has what this process was to give it. */
  get firstRead(): Promise<undefined> {
    return this.#firstRead.promise;
  }

  /** Calls whenever something in it has changed. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Has `give` write what this process has for the bucket: after the first read, and whenever the stream was found to be
   * another one; again until it does not throw. @param give gets what is known here, and not there or otherwise there.
   */
  giveBack(give: (lost: ReadonlyMap<string, Value>) => Promise<unknown>): void {
    this.#give = give;
  }

  /** Writes of these values those that the bucket has not. @throws where the broker does not answer. */
  async restore(values: ReadonlyMap<string, Value>): Promise<void> {
    for (const [key, { text }] of values)
      if ((this.#entries.get(key)?.revision ?? 0) === 0) await this.put(key, text, 0);
  }

  /**
   * Writes a value if nobody else did since. @param revision that the writer knows; 0 where there is none.
   * @returns false where somebody else was first. @throws NoStream where nobody stores it, and where the broker does not answer.
   */
  async put(key: string, text: string, revision: number): Promise<boolean> {
    const client = await this.#client();
    await this.#make();
    try {
      const options = { expect: { lastSubjectSequence: revision }, timeout: BUCKET_MS_MAX };
      const { seq } = await jetstream(client).publish(`$KV.${this.#options.name}.${key}`, text, options);
      // A later value may have been read before this word came.
      if ((this.#entries.get(key)?.revision ?? 0) < seq)
        this.#take(new Map([[key, { text, revision: seq }]]));
      return true;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === WRONG_REVISION) return false;
      throw withoutLeader(error, client, `KV_${this.#options.name}`);
    }
  }

  /**
   * Writes what `next` makes of a value, and again where somebody else was first, or nobody stores it: choosing a leader takes
   * some seconds. @param next null: nothing is to be written.
   * @returns whether it was written. @throws what `next` throws, and where the broker does not answer.
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

  /** Reads what is new. Without the broker it ends with nothing. */
  async look(): Promise<void> {
    if (this.#looking !== null) {
      this.#looksAgain = true;
      await this.#looking;
      return;
    }
    if (this.#isClosed || !this.#options.broker.isConnected) return;
    this.#looking = this.#read().finally(() => {
      this.#looking = null;
    });
    await this.#looking;
    if (!this.#looksAgain) return;
    this.#looksAgain = false;
    await this.look();
  }

  close(): void {
    this.#isClosed = true;
    this.#takeBack();
    for (const takeBack of this.#soon) takeBack();
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

  /** Says each fault once: it is met again every five seconds. */
  #retry(error: unknown): void {
    const { name, log } = this.#options;
    const reason = explain(error);
    if (!this.#isClosed && reason !== this.#fault)
      log('bucket not read or written', { bucket: name, reason });
    this.#fault = reason;
    this.#lookSoon([BUCKET_RETRY_MS]);
  }

  /**
   * Takes what came after the last message. If that is not in its place, it was written over, or this is another stream:
   * then everything is read.
   */
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
    // Other than what was deleted.
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
    void this.#saveCopy();
    for (const listener of this.#listeners) listener();
  }

  /** A message is heard before it is stored, and a copy may be behind. */
  #lookSoon(delaysMs: readonly number[] = BUCKET_LOOKS_AFTER_WORD_MS): void {
    if (this.#isClosed) return;
    for (const ms of delaysMs) {
      const takeBack = this.#options.clock.after(ms, () => {
        this.#soon.delete(takeBack);
        void this.look();
      });
      this.#soon.add(takeBack);
    }
  }

  #lookOften(): void {
    if (this.#isClosed) return;
    this.#takeBack = this.#options.clock.after(BUCKET_LOOK_MS, () => {
      if (!this.#isSaved) void this.#saveCopy();
      void this.look().finally(() => {
        this.#lookOften();
      });
    });
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
    if (file === null || !existsSync(file)) return;
    try {
      // Of a stream that may have been replaced since: all of it is read again.
      this.#entries = copyIn(readFileSync(file, 'utf8'));
    } catch (error) {
      log('copy of a bucket ignored', { bucket: name, file, reason: String(error) });
    }
  }

  /** One at a time, and of many changes the last. */
  async #saveCopy(): Promise<void> {
    const { file, name, log } = this.#options;
    this.#isSaved = false;
    if (file === null || this.#isSaving) return;
    this.#isSaving = true;
    while (!this.#isSaved) {
      this.#isSaved = true;
      const copy: Static<typeof CopySchema> = { v: 1, entries: Object.fromEntries(this.#entries) };
      try {
        await writeAtomicallyAside(file, `${JSON.stringify(copy, null, 2)}\n`);
      } catch (error) {
        log('copy of a bucket not written', { bucket: name, file, reason: String(error) });
        this.#isSaved = false;
        break;
      }
    }
    this.#isSaving = false;
  }
}

/** What a copy on the disk holds. @throws where it is no copy. */
export function copyIn(text: string): Map<string, Value> {
  const stored: unknown = JSON.parse(text);
  if (!copyCheck.Check(stored)) throw new Error('not of the expected shape');
  return new Map(Object.entries(stored.entries));
}
