import { randomBytes } from 'node:crypto';
import { nanos } from '@nats-io/transport-node';
import { repeat, type Clock } from '../clock.ts';
import type { Replica } from '../admin/console/live-routes.ts';
import type { Connection } from './connection.ts';
import { Stream, type StoredMessage } from './streams.ts';

/** Interval at which a replica renews its entry and reads the others', and longest wait for that. */
const LIVE_MS = 1_000;
/** A replica that does not renew its entry for this long is shown no more; servers choose a new leader in 5 to 8 s. */
const SHOWN_MS = 15_000;
/** An entry not renewed for this long is of a replica that NATS does not hear: it may grant its parts of quotas alone. */
const SILENT_MS = 5_000;
/** These parts are kept back for so long, unless it returns or is started again. */
const SILENT_MS_MAX = 600_000;
/** At the stop: longest wait until the own entry is gone. */
const LAST_MS_MAX = 500;
/** A replica whose clock differs more from that of NATS reports it. */
export const CLOCK_SKEW_MS_MAX = 60_000;
export const LIVE_STREAM = 'KV_jur_replicas';
const SUBJECT = '$KV.jur_replicas';

/** What an entry says; `counts`: whether all that the replica granted is counted. */
interface Said extends Replica {
  readonly counts: boolean;
}

interface Options {
  readonly connection: Connection;
  readonly clock: Clock;
  /** What the entry of this replica says now. */
  readonly describe: () => Said;
  /** Called when this host's clock starts or stops differing by more than a minute. @param skewMs ahead of NATS. */
  readonly onSkew: (isSkewed: boolean, skewMs: number) => void;
}

/** The live replicas: each renews an entry. The server's time of the own entry shows how right this host's clock is. */
export class LiveReplicas {
  readonly #options: Options;
  readonly #stream: Stream;
  /** Another one for each start: replicas of one name are counted as two. */
  readonly #subject = `${SUBJECT}.${randomBytes(6).toString('hex')}`;
  readonly #close: () => void;
  /** The other live replicas, as last read. */
  others: readonly Replica[] = [];
  /** How many may grant of a quota: this replica, live ones and silent ones. */
  peers = 1;
  /** How many of them NATS does not hear, or have grants that are not counted. */
  silent = 0;
  /** The time of NATS when the monotonic clock was 0. */
  #origin: number | null = null;
  #isSkewed = false;
  /** The clock of this host with the date of NATS, by which all replicas count a day; before the first entry with its own date. */
  readonly clock: Clock;

  constructor(options: Options) {
    this.#options = options;
    this.#stream = new Stream(options.connection, LIVE_STREAM, {
      subjects: [`${SUBJECT}.>`],
      max_age: nanos(SILENT_MS_MAX),
    });
    this.clock = { ...options.clock, date: () => this.#date() };
    options.connection.onChange((isConnected) => {
      if (isConnected) void this.renew();
    });
    this.#close = repeat(options.clock, LIVE_MS, () => this.renew());
  }

  /** How far this host's clock is ahead of that of NATS; 0 while that is unknown. */
  get skewMs(): number {
    return this.#options.clock.date().getTime() - this.#date().getTime();
  }

  /** Renews the entry and reads all. Without NATS the latest ones stay; that it is silent, counters and bucket report. */
  async renew(): Promise<void> {
    const { clock, describe } = this.#options;
    try {
      await this.#stream.make();
      const sentAt = clock.now();
      await this.#stream.ask(this.#subject, JSON.stringify(describe()), LIVE_MS);
      const doneAt = clock.now();
      const all = await this.#stream.readFrom(1);
      const own = all.find(({ subject }) => subject === this.#subject);
      if (own === undefined) return;
      // It was stored between request and reply.
      if (doneAt - sentAt < LIVE_MS) this.#noteTime(own.time - (sentAt + doneAt) / 2);
      this.#take(all.flatMap(entryIn), own);
    } catch {
      // The next one is in a second.
    }
  }

  /** Removes the entry, so that the others' parts of a quota grow at once. */
  async close(): Promise<void> {
    this.#close();
    if (!this.#options.connection.isConnected) return;
    const text = JSON.stringify({ filter: this.#subject });
    await this.#stream.ask(`$JS.API.STREAM.PURGE.${LIVE_STREAM}`, text, LAST_MS_MAX).catch(() => undefined);
  }

  /** @param own with the time of NATS now. */
  #take(entries: readonly Entry[], own: StoredMessage): void {
    const live = entries.filter(({ time }) => own.time - time <= SILENT_MS);
    const names = new Set(live.map(({ said }) => said.name));
    // One that was started again has another entry, and grants nothing any more.
    const silent = entries.filter((entry) => !live.includes(entry) && !names.has(entry.said.name));
    const shown = [...live, ...silent.filter(({ time }) => own.time - time <= SHOWN_MS)];
    this.others = shown.filter(({ subject }) => subject !== own.subject).map(({ said }) => said);
    this.peers = live.length + silent.length;
    this.silent =
      silent.length + live.filter(({ subject, said }) => !said.counts && subject !== own.subject).length;
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

interface Entry extends Pick<StoredMessage, 'subject' | 'time'> {
  readonly said: Said;
}

/** None for a message that is not an entry: a single one must not hide all the others. */
function entryIn({ subject, time, text }: StoredMessage): Entry[] {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only replicas may write there
    const said = JSON.parse(text) as Said;
    return typeof said.name === 'string' ? [{ subject, time, said }] : [];
  } catch {
    return [];
  }
}
