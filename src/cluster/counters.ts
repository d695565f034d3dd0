import { DiscardPolicy, JetStreamApiError } from '@nats-io/jetstream';
import { headers, nanos, type NatsConnection } from '@nats-io/transport-node';
import { explain } from '../process/fail.ts';
import type { Counters } from '../shared/counters.ts';
import type { Broker } from './connection.ts';
import { BUCKET_MS_MAX, makeStream, managerOf, withoutLeader } from './streams.ts';

/** Longest wait for a quota counter's answer; three replicas take 0.6 ms (p99 2.4 ms). */
export const QUOTA_ACK_MS_MAX = 100;
/** Interval at which a start checks that the counters exist. */
const MADE_LOOK_MS = 20;
/** Counters are kept this long after their last charge; a counter is used for a day. */
const COUNTER_AGE_MS_MAX = 2 * 86_400_000;
/** A charge resent within this time counts once. */
const SAME_MESSAGE_MS = 120_000;

export const QUOTA_STREAM = 'jur_quota';
const NOT_FOUND = 404;

export class StreamCounters implements Counters {
  readonly #broker: Broker;
  readonly #ackMsMax: number;
  #isMade = false;
  #isMaking = false;
  /** Why the latest attempt to create the stream failed. */
  #fault = '';

  constructor(broker: Broker, ackMsMax = QUOTA_ACK_MS_MAX) {
    this.#broker = broker;
    this.#ackMsMax = ackMsMax;
    broker.onChange((isConnected) => {
      if (isConnected) this.#make();
    });
    if (broker.isConnected) this.#make();
  }

  /** Adds nothing until the stream exists: creating it takes longer than a charge may. */
  async add(name: string, units: number, id: string): Promise<number | null> {
    const client = await this.#client();
    const sent = headers();
    sent.set('Nats-Incr', units < 0 ? String(units) : `+${units}`);
    sent.set('Nats-Msg-Id', id);
    try {
      const { data } = await client.request(subjectOf(name), '', {
        headers: sent,
        timeout: this.#ackMsMax,
      });
      return counterIn(new TextDecoder().decode(data));
    } catch (error) {
      // It may have been lost.
      this.#make();
      throw withoutLeader(error, client, QUOTA_STREAM);
    }
  }

  async read(name: string): Promise<number> {
    const client = await this.#client();
    const options = { timeout: this.#ackMsMax };
    const asked = JSON.stringify({ last_by_subj: subjectOf(name) });
    const api = this.#broker.jetstreamApi;
    const message = await client.request(`${api}.DIRECT.GET.${QUOTA_STREAM}`, asked, options);
    const code = message.headers?.code ?? 0;
    if (code === NOT_FOUND) return 0;
    if (code !== 0) throw new Error(`the counter cannot be read (${code})`);
    return counterIn(message.string()) ?? 0;
  }

  /** The time of the counters' server, milliseconds since 1970. @throws unless it answers. */
  async time(): Promise<number> {
    const manager = await managerOf(this.#broker, BUCKET_MS_MAX);
    const { ts = '' } = await manager.streams.info(QUOTA_STREAM);
    const time = Date.parse(ts);
    if (Number.isNaN(time)) throw new Error(`the time of the counters is ${JSON.stringify(ts)}`);
    return time;
  }

  /** Resolves when the stream exists, or after `ms`. */
  async untilMade(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!this.#isMade && performance.now() < until) {
      this.#make();
      await Bun.sleep(MADE_LOOK_MS);
    }
  }

  async #client(): Promise<NatsConnection> {
    if (!this.#broker.isConnected) throw new Error('no NATS server is connected');
    if (!this.#isMade) this.#make();
    if (!this.#isMade) throw new Error(`the stream ${QUOTA_STREAM} is not there${this.#fault}`);
    return this.#broker.ready;
  }

  #make(): void {
    if (this.#isMaking || !this.#broker.isConnected) return;
    this.#isMaking = true;
    void this.#tryToMake().finally(() => (this.#isMaking = false));
  }

  async #tryToMake(): Promise<void> {
    try {
      await makeQuotaStream(this.#broker);
      this.#isMade = true;
      this.#fault = '';
    } catch (error) {
      // The next charge, or the next connection, tries again.
      this.#fault = `: ${explain(withoutLeader(error, await this.#broker.ready, QUOTA_STREAM))}`;
    }
  }
}

/** Creates the stream of counters if it is missing. @throws unless the broker answers, or if the existing one cannot count. */
async function makeQuotaStream(broker: Broker): Promise<void> {
  const manager = await managerOf(broker, BUCKET_MS_MAX);
  const found = await manager.streams.info(QUOTA_STREAM).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return null;
    throw error;
  });
  if (found?.config.allow_msg_counter === true && found.config.allow_direct) return;
  if (found !== null) throw new Error(`the stream ${QUOTA_STREAM} is another one; remove it`);
  await makeStream(broker, BUCKET_MS_MAX, {
    name: QUOTA_STREAM,
    subjects: ['jur.quota.*.*'],
    allow_msg_counter: true,
    max_age: nanos(COUNTER_AGE_MS_MAX),
    max_msgs_per_subject: 1,
    duplicate_window: nanos(SAME_MESSAGE_MS),
    discard: DiscardPolicy.Old,
  });
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
