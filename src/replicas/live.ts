import { randomBytes } from 'node:crypto';
import { StorageType } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { repeat, type Clock } from '../clock.ts';
import type { Replica } from '../admin/console/part.ts';
import type { Connection } from './connection.ts';
import { makeStream, readFrom, type StoredMessage } from './streams.ts';

/** Interval at which a replica renews its entry and reads the others'. */
export const LIVE_MS = 2_000;
/** An entry that is not renewed expires; servers choose a new leader, which takes the entries, in 5 to 8 s. */
const LIVE_EXPIRES_MS = 15_000;
/** An entry not renewed for this long is of a replica that NATS does not hear: it may grant its parts of quotas alone. */
const SILENT_MS = 5_000;
/** These parts are kept back for so long, unless it returns or is started again. */
const SILENT_MS_MAX = 600_000;
/** It has counted its grants so long after its return. */
const RETURN_MS = 5_000;
/** At the stop: longest wait until the own entry is gone. */
const LAST_MS_MAX = 500;
/** A replica whose clock differs more from that of NATS reports it. */
export const CLOCK_SKEW_MS_MAX = 60_000;
export const LIVE_STREAM = 'KV_jur_replicas';
const SUBJECT = '$KV.jur_replicas';

interface Options {
  readonly connection: Connection;
  readonly clock: Clock;
  /** What the entry of this replica says now. */
  readonly describe: () => Replica;
  /** Called when this host's clock starts or stops differing by more than a minute. @param skewMs ahead of NATS. */
  readonly onSkew: (isSkewed: boolean, skewMs: number) => void;
}

/** The live replicas: each has an entry that expires. The server's time of the own entry shows how right this host's clock is. */
export class LiveReplicas {
  readonly #options: Options;
  /** Another one for each start: replicas of one name are counted as two. */
  readonly #id = randomBytes(6).toString('hex');
  readonly #close: () => void;
  #others: readonly Replica[] = [];
  /** As read last, by subject. */
  #entries: ReadonlyMap<string, Entry> = new Map();
  /** Others that fell silent, by entry, and until when that counts. */
  readonly #silent = new Map<string, { readonly name: string; readonly until: number }>();
  /** How many may grant of a quota: this replica, live ones and silent ones. */
  peers = 1;
  /** The time of NATS when the monotonic clock was 0. */
  #origin: number | null = null;
  #isSkewed = false;
  #isMade = false;
  /** The clock of this host with the date of NATS, by which all replicas count a day; before the first entry with its own date. */
  readonly clock: Clock;

  constructor(options: Options) {
    this.#options = options;
    this.clock = { ...options.clock, date: () => this.#date() };
    this.#close = repeat(options.clock, LIVE_MS, () => this.renew());
  }

  /** The other live replicas, as last read. */
  get others(): readonly Replica[] {
    return this.#others;
  }

  /** How many of them are silent, or were a moment ago. */
  get silent(): number {
    return this.#silent.size;
  }

  /** How far this host's clock is ahead of that of NATS; 0 while that is unknown. */
  get skewMs(): number {
    return this.#options.clock.date().getTime() - this.#date().getTime();
  }

  /** Renews the entry and reads all. Without NATS the latest ones stay. */
  async renew(): Promise<void> {
    const { connection, clock, describe } = this.#options;
    try {
      const { client } = connection;
      if (!this.#isMade) await makeLiveStream(client);
      this.#isMade = true;
      const sentAt = clock.now();
      await client.request(`${SUBJECT}.${this.#id}`, JSON.stringify(describe()), { timeout: LIVE_MS });
      const doneAt = clock.now();
      const all = await readFrom(client, LIVE_STREAM, 1);
      const own = all.find(({ subject }) => subject.endsWith(this.#id));
      // It was stored between request and reply.
      if (own !== undefined && doneAt - sentAt < LIVE_MS) this.#noteTime(own.time - (sentAt + doneAt) / 2);
      const entries = all.filter(({ isGone }) => !isGone).flatMap(entryIn);
      this.#others = entries.filter(({ subject }) => subject !== own?.subject).map(({ replica }) => replica);
      if (own !== undefined) this.#noteSilent(entries, own.time);
    } catch {
      // The stream may be gone; that NATS is silent, counters and bucket report.
      this.#isMade = false;
    }
  }

  /** Removes the entry, so that the others' parts of a quota grow at once. */
  async close(): Promise<void> {
    this.#close();
    const { connection } = this.#options;
    if (!connection.isConnected) return;
    const own = JSON.stringify({ filter: `${SUBJECT}.${this.#id}` });
    const purged = connection.client.request(`$JS.API.STREAM.PURGE.${LIVE_STREAM}`, own, {
      timeout: LAST_MS_MAX,
    });
    await purged.catch(() => undefined);
  }

  /** An entry that is removed while it is new is of a replica that has stopped: it grants nothing. @param time of NATS now. */
  #noteSilent(entries: readonly Entry[], time: number): void {
    const now = this.#options.clock.now();
    const present = new Map(entries.map((entry) => [entry.subject, entry]));
    // One that expired while nothing could be read here, as after a leader was cut off, fell silent too.
    for (const { subject, time: renewedAt, replica } of new Map([...this.#entries, ...present]).values()) {
      const { name } = replica;
      const known = this.#silent.get(subject)?.until;
      if (time - renewedAt > SILENT_MS)
        this.#silent.set(subject, { name, until: known ?? now + SILENT_MS_MAX });
      else if (known !== undefined && present.has(subject))
        this.#silent.set(subject, { name, until: Math.min(known, now + RETURN_MS) });
    }
    const isRestarted = (silent: string, name: string) =>
      entries.some(({ subject, replica }) => subject !== silent && replica.name === name);
    for (const [subject, { name, until }] of this.#silent)
      if (until <= now || isRestarted(subject, name)) this.#silent.delete(subject);
    this.peers = new Set([...present.keys(), ...this.#silent.keys()]).size;
    this.#entries = present;
  }

  #noteTime(origin: number): void {
    this.#origin = origin;
    const { skewMs } = this;
    const isSkewed = Math.abs(skewMs) > CLOCK_SKEW_MS_MAX;
    if (isSkewed !== this.#isSkewed) this.#options.onSkew(isSkewed, skewMs);
    this.#isSkewed = isSkewed;
  }

  #date(): Date {
    const { clock } = this.#options;
    return this.#origin === null ? clock.date() : new Date(this.#origin + clock.now());
  }
}

async function makeLiveStream(client: Connection['client']): Promise<void> {
  await makeStream(client, {
    name: LIVE_STREAM,
    subjects: [`${SUBJECT}.>`],
    storage: StorageType.Memory,
    max_msgs_per_subject: 1,
    max_age: nanos(LIVE_EXPIRES_MS),
  });
}

interface Entry extends Pick<StoredMessage, 'subject' | 'time'> {
  readonly replica: Replica;
}

function entryIn({ subject, time, text }: StoredMessage): Entry[] {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only replicas may write there
    const replica = JSON.parse(text) as Replica;
    return typeof replica.name === 'string' ? [{ subject, time, replica }] : [];
  } catch {
    return [];
  }
}
