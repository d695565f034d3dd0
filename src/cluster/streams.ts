import {
  DiscardPolicy,
  jetstreamManager,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import {
  NoRespondersError,
  RequestError,
  TimeoutError,
  createInbox,
  type Msg,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { Broker } from './connection.ts';
import { changesSubject, inboxPrefix } from './subjects.ts';

/** Size limit of a value: a manifest takes some kilobytes. */
const BUCKET_VALUE_BYTES_MAX = 262_144;
/** Longest wait for a bucket's answer. An election takes 5 to 8 s, and a command must outlast it. */
export const BUCKET_MS_MAX = 10_000;
/** Longest wait for a replica of a bucket; any replica can answer. */
const BUCKET_READ_MS_MAX = 2_000;

const COPIES = 3;

/** Creates a stream if it is missing. @param ms longest wait. @throws if the broker is silent, or refuses it. */
export async function makeStream(
  broker: Pick<Broker, 'ready' | 'jetstreamApi'>,
  ms: number,
  config: Omit<Partial<StreamConfig>, 'name'> & Pick<StreamConfig, 'name'>,
): Promise<void> {
  const manager = await managerOf(broker, ms);
  // A cluster of servers has at least three.
  const num_replicas = (await broker.ready).info?.cluster === undefined ? 1 : COPIES;
  await manager.streams.add({ allow_direct: true, num_replicas, ...config });
}

/** @param ms longest wait for each answer. */
export async function managerOf(
  broker: Pick<Broker, 'ready' | 'jetstreamApi'>,
  ms: number,
): Promise<JetStreamManager> {
  const apiPrefix = broker.jetstreamApi;
  return jetstreamManager(await broker.ready, { checkAPI: false, timeout: ms, apiPrefix });
}

/** Creates a bucket as NATS' clients do, but without `Nats-Rollup`, by which a message could remove all others. */
export async function makeBucket(broker: Parameters<typeof makeStream>[0], name: string): Promise<void> {
  await makeStream(broker, BUCKET_READ_MS_MAX, {
    name: `KV_${name}`,
    subjects: [`$KV.${name}.>`],
    max_msgs_per_subject: 1,
    max_msg_size: BUCKET_VALUE_BYTES_MAX,
    discard: DiscardPolicy.New,
    // Members import these: a message from a member to a stream does not reach other members by itself.
    republish: { src: `$KV.${name}.>`, dest: changesSubject(name), headers_only: true },
    deny_delete: true,
  });
}

/** The reason for a stream's silence. In a cluster of servers it may lack a leader, which the client reports as a timeout. */
export function withoutLeader(error: unknown, client: NatsConnection, stream: string): unknown {
  // Without responders the client reports that JetStream is not enabled.
  const silence = error instanceof Error && error.cause instanceof RequestError ? error.cause : error;
  const isSilent = [TimeoutError, RequestError, NoRespondersError].some((kind) => silence instanceof kind);
  if (!isSilent) return error;
  const isUnheard = silence instanceof RequestError && silence.isNoResponders();
  if (client.info?.cluster === undefined) return isUnheard ? new NoStream(`${stream} is not there`) : error;
  const what = `${stream} has no leader: the NATS servers choose one, or a majority of them is missing; start these`;
  return isUnheard ? new NoStream(what) : new Error(what);
}

export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  /** When it was stored; with `seq`, unique across streams. */
  readonly time: string;
  readonly text: string;
  /** The message deletes a key. */
  readonly isGone: boolean;
}

/** A header that the server adds to stored messages, after the writer's headers. */
const SEQUENCE = 'Nats-Sequence';
const END_OF_BATCH = 204;
const NONE = 404;
const NOBODY = 503;

/** No server that answers has the stream. */
export class NoStream extends Error {}

/**
 * Reads up to `count` messages, from `seq` on, from any replica. The client leaks a subscription per call (3.4.0).
 * @throws NoStream; also on a timeout.
 */
export function readMessages(
  client: NatsConnection,
  { name, jetstreamApi }: Pick<Broker, 'name' | 'jetstreamApi'>,
  { stream, seq, count }: { readonly stream: string; readonly seq: number; readonly count: number },
): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<StoredMessage[]>();
  const reply = createInbox(inboxPrefix(name));
  const subscription = client.subscribe(reply, {
    callback: (error, message) => {
      if (error !== null) {
        reject(error);
        return;
      }
      const code = message.headers?.code ?? 0;
      // A stored message may have a code too, set by its writer.
      if (message.headers?.has(SEQUENCE) === true) found.push(storedIn(message));
      else if (code === END_OF_BATCH || code === NONE) resolve(found);
      else if (code === NOBODY) reject(new NoStream(`${stream} is not there`));
      else reject(new Error(`${stream} cannot be read (${code})`));
    },
  });
  const timer = setTimeout(() => {
    reject(new Error(`${stream} did not answer within ${BUCKET_READ_MS_MAX} ms`));
  }, BUCKET_READ_MS_MAX).unref();
  client.publish(`${jetstreamApi}.DIRECT.GET.${stream}`, JSON.stringify({ seq, batch: count }), { reply });
  return promise.finally(() => {
    clearTimeout(timer);
    subscription.unsubscribe();
  });
}

function storedIn(message: Msg): StoredMessage {
  const { headers } = message;
  return {
    subject: headers?.last('Nats-Subject') ?? '',
    seq: Number(headers?.last(SEQUENCE) ?? 0),
    time: headers?.last('Nats-Time-Stamp') ?? '',
    text: message.string(),
    isGone: (headers?.get('KV-Operation') ?? '') !== '',
  };
}
