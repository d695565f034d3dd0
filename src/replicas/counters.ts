import { DiscardPolicy } from '@nats-io/jetstream';
import { headers, nanos, type NatsConnection } from '@nats-io/transport-node';
import { explain } from '../process/fail.ts';
import type { Counters } from '../shared/counters.ts';
import type { Connection } from './connection.ts';
import { makeStream, plainly } from './streams.ts';

/** Longest wait for a quota counter's answer; three copies take 0.6 ms (p99 2.4 ms). */
const QUOTA_ACK_MS_MAX = 100;
/** Counters are kept this long after their last charge; a counter is used for a day. */
const COUNTER_AGE_MS_MAX = 2 * 86_400_000;
/** A charge resent within this time counts once. */
const SAME_MESSAGE_MS = 120_000;

export const QUOTA_STREAM = 'jur_quota';
const NOT_FOUND = 404;

/** Counters in a stream of NATS (`allow_msg_counter`), which only one version of a count can be added to. */
export class StreamCounters implements Counters {
  readonly #connection: Connection;
  #isMade = false;
  #making: Promise<void> | null = null;
  /** Why the latest attempt to create the stream failed. */
  #fault = '';

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onChange((isConnected) => {
      if (isConnected) void this.make();
    });
  }

  /** Adds nothing until the stream exists: creating it takes longer than a charge may. */
  async add(name: string, units: number, id: string): Promise<number | null> {
    const client = this.#clientOfMade();
    const sent = headers();
    sent.set('Nats-Incr', units < 0 ? String(units) : `+${units}`);
    sent.set('Nats-Msg-Id', id);
    try {
      const { data } = await client.request(subjectOf(name), '', {
        headers: sent,
        timeout: QUOTA_ACK_MS_MAX,
      });
      return counterIn(new TextDecoder().decode(data));
    } catch (error) {
      // The stream may have been lost.
      void this.make();
      throw plainly(error, client, QUOTA_STREAM);
    }
  }

  async read(name: string): Promise<number> {
    const client = this.#clientOfMade();
    const asked = JSON.stringify({ last_by_subj: subjectOf(name) });
    const message = await client.request(`$JS.API.DIRECT.GET.${QUOTA_STREAM}`, asked, {
      timeout: QUOTA_ACK_MS_MAX,
    });
    const code = message.headers?.code ?? 0;
    if (code === NOT_FOUND) return 0;
    if (code !== 0) throw new Error(`the counter cannot be read (${code})`);
    return counterIn(message.string()) ?? 0;
  }

  /** Creates the stream if it is missing. The next charge, or the next connection, tries again. */
  make(): Promise<void> {
    this.#making ??= this.#make().finally(() => (this.#making = null));
    return this.#making;
  }

  async #make(): Promise<void> {
    try {
      const config = await makeStream(this.#connection.client, {
        name: QUOTA_STREAM,
        subjects: ['jur.quota.*.*'],
        allow_msg_counter: true,
        max_age: nanos(COUNTER_AGE_MS_MAX),
        max_msgs_per_subject: 1,
        duplicate_window: nanos(SAME_MESSAGE_MS),
        discard: DiscardPolicy.Old,
      });
      this.#isMade = config.allow_msg_counter === true;
      this.#fault = this.#isMade ? '' : ': another one has its name; remove that';
    } catch (error) {
      this.#isMade = false;
      this.#fault = this.#connection.isConnected
        ? `: ${explain(plainly(error, this.#connection.client, QUOTA_STREAM))}`
        : '';
    }
  }

  #clientOfMade(): NatsConnection {
    const { client } = this.#connection;
    if (this.#isMade) return client;
    void this.make();
    throw new Error(`the stream ${QUOTA_STREAM} is not there${this.#fault}`);
  }
}

function subjectOf(name: string): string {
  return `jur.quota.${name}`;
}

/** @throws if the answer is an error. */
function counterIn(text: string): number | null {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null) throw new Error('no answer of a counter');
  if ('error' in answer) throw new Error(JSON.stringify(answer.error));
  if ('duplicate' in answer && answer.duplicate === true) return null;
  const value = 'val' in answer ? Number(answer.val) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new Error('no value of a counter');
  return value;
}
