import { headers, nanos } from '@nats-io/transport-node';
import type { Connection } from './connection.ts';
import { NoStream, Stream } from './streams.ts';

/** Longest wait for a quota counter's answer; three copies take 0.6 ms (p99 2.4 ms). */
const QUOTA_ACK_MS_MAX = 100;
/** Counters are kept this long after their last charge; a counter is used for a day. */
const COUNTER_AGE_MS_MAX = 2 * 86_400_000;
/** A charge resent within this time counts once. */
const SAME_MESSAGE_MS = 120_000;

export const QUOTA_STREAM = 'jur_quota';

/** Numbers that all replicas add to. */
export interface Counters {
  /**
   * @param name `DAY.KEY`, the day since 1970. @param id of this addition: a repeated id counts once.
   * @returns the counter afterwards; null if the addition was counted before.
   * @throws without an answer within the time limit: the addition may have counted.
   */
  add(name: string, units: number, id: string): Promise<number | null>;
  /** Reads the counter from a replica, which may be slightly behind. @throws without an answer in time. */
  read(name: string): Promise<number>;
}

export function counterName(day: number, key: string): string {
  return `${day}.${key}`;
}

/** Counters in a stream of NATS (`allow_msg_counter`), which only one version of a count can be added to. */
export class StreamCounters implements Counters {
  readonly #stream: Stream;
  #making: Promise<void> | null = null;
  /** Why the stream could not be made. */
  #refusal: unknown = null;

  constructor(connection: Connection) {
    this.#stream = new Stream(connection, QUOTA_STREAM, {
      subjects: ['jur.quota.*.*'],
      allow_msg_counter: true,
      max_age: nanos(COUNTER_AGE_MS_MAX),
      duplicate_window: nanos(SAME_MESSAGE_MS),
    });
  }

  /** If the stream is missing it is made meanwhile, which takes longer than a charge may. */
  async add(name: string, units: number, id: string): Promise<number | null> {
    const sent = headers();
    sent.set('Nats-Incr', units < 0 ? String(units) : `+${units}`);
    sent.set('Nats-Msg-Id', id);
    try {
      const answer = await this.#stream.ask(subjectOf(name), '', QUOTA_ACK_MS_MAX, sent);
      return 'duplicate' in answer && answer.duplicate === true ? null : valueIn(answer);
    } catch (error) {
      if (!(error instanceof NoStream)) throw error;
      void this.make();
      throw this.#refusal ?? error;
    }
  }

  async read(name: string): Promise<number> {
    const query = { multi_last: [subjectOf(name)], batch: 1 };
    const [last] = await this.#stream.read(query, QUOTA_ACK_MS_MAX);
    return last === undefined ? 0 : valueIn(JSON.parse(last.text));
  }

  /** Makes the stream unless it is there. The next charge tries again. */
  make(): Promise<void> {
    this.#making ??= this.#make().finally(() => (this.#making = null));
    return this.#making;
  }

  async #make(): Promise<void> {
    this.#refusal = await this.#stream.make().then(
      () => null,
      (error: unknown) => error,
    );
  }
}

function subjectOf(name: string): string {
  return `jur.quota.${name}`;
}

function valueIn(answer: unknown): number {
  const value =
    typeof answer === 'object' && answer !== null && 'val' in answer ? Number(answer.val) : Number.NaN;
  if (!Number.isSafeInteger(value))
    throw new Error(`${QUOTA_STREAM} does not count: remove it, and it is made anew`);
  return value;
}
