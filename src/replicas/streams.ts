import { JetStreamApiError, jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import {
  NoRespondersError,
  RequestError,
  TimeoutError,
  createInbox,
  type NatsConnection,
} from '@nats-io/transport-node';

/** Longest wait for a write of a value. An election takes 5 to 8 s, and a command must outlast it. */
export const STREAM_MS_MAX = 10_000;
/** Longest wait for a read; any replica of a stream can answer. */
const READ_MS_MAX = 2_000;
const BATCH = 256;
const COPIES = 3;
const NOT_FOUND = 404;
const IN_USE = 10_058;

/** Creates a stream if it is missing: with three copies where the servers are a cluster, which has at least three. @throws */
export async function makeStream(client: NatsConnection, config: Partial<StreamConfig> & { name: string }) {
  const manager = await jetstreamManager(client, { checkAPI: false, timeout: STREAM_MS_MAX });
  const found = await manager.streams.info(config.name).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return null;
    throw error;
  });
  if (found !== null) return found.config;
  const num_replicas = client.info?.cluster === undefined ? 1 : COPIES;
  try {
    return (await manager.streams.add({ allow_direct: true, num_replicas, ...config })).config;
  } catch (error) {
    // Another replica was first.
    if (error instanceof JetStreamApiError && error.code === IN_USE) return config;
    throw error;
  }
}

/** What an operator can mend, in place of the client's words: JetStream that is off, a full limit, a stream without a leader. */
export function plainly(error: unknown, client: NatsConnection, stream: string): Error {
  const isCluster = client.info?.cluster !== undefined;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (error instanceof JetStreamApiError) return new Error(refusalOf(error, stream));
  const isUnheard =
    (error instanceof Error && error.name === 'JetStreamNotEnabled') ||
    cause instanceof NoRespondersError ||
    (cause instanceof RequestError && cause.isNoResponders());
  if (isUnheard && !isCluster)
    return new Error(
      `JetStream is off in NATS or for this account, or ${stream} is lost: see jetstream in nats.conf`,
    );
  const isSilent = isUnheard || cause instanceof TimeoutError || cause instanceof RequestError;
  if (isSilent && isCluster)
    return new Error(
      `${stream} has no leader, or JetStream is off: the NATS servers choose one in seconds unless a majority is missing`,
    );
  return error instanceof Error ? error : new Error(String(error));
}

const NOT_FOR_ACCOUNT = 10_039;
const NO_STREAM = 10_059;

function refusalOf({ code, message }: JetStreamApiError, stream: string): string {
  if (code === NOT_FOR_ACCOUNT)
    return 'JetStream is off for this account of NATS: put jetstream: enabled into the account in nats.conf';
  if (code === NO_STREAM) return `${stream} is not there: a replica makes it when it starts`;
  return `JetStream refuses ${stream}: ${message} (${code}); where a limit is full, raise it in nats.conf`;
}

/** No server that answers has the stream. */
export class NoStream extends Error {}

export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  /** When the server stored it, milliseconds since 1970. */
  readonly time: number;
  readonly text: string;
  /** The message deletes a key. */
  readonly isGone: boolean;
}

/** A header that the server adds to stored messages, after the writer's headers. */
const SEQUENCE = 'Nats-Sequence';
const END_OF_BATCH = 204;
const NOBODY = 503;

/** Reads a stream's messages, from `seq` on, from any replica: it needs no leader. @throws as `plainly`. */
export async function readFrom(
  client: NatsConnection,
  stream: string,
  seq: number,
): Promise<StoredMessage[]> {
  const found = await readBatch(client, stream, seq);
  const last = found.at(-1);
  return found.length < BATCH || last === undefined
    ? found
    : [...found, ...(await readFrom(client, stream, last.seq + 1))];
}

/** The client's own reader leaves a subscription behind at each call (@nats-io/jetstream 3.4.0). */
function readBatch(client: NatsConnection, stream: string, seq: number): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<StoredMessage[]>();
  const reply = createInbox();
  const subscription = client.subscribe(reply, {
    callback: (error, message) => {
      const { headers } = message;
      const code = headers?.code ?? 0;
      if (error !== null) reject(error);
      // A stored message may have a code too, set by its writer.
      else if (headers?.has(SEQUENCE) === true)
        found.push({
          subject: headers.last('Nats-Subject'),
          seq: Number(headers.last(SEQUENCE)),
          time: Date.parse(headers.last('Nats-Time-Stamp')),
          text: message.string(),
          isGone: headers.get('KV-Operation') !== '',
        });
      else if (code === END_OF_BATCH || code === NOT_FOUND) resolve(found);
      else if (code === NOBODY)
        reject(new NoStream(plainly(new NoRespondersError(stream), client, stream).message));
      else reject(new Error(`${stream} cannot be read (${code})`));
    },
  });
  const timer = setTimeout(() => {
    reject(new Error(`${stream} did not answer within ${READ_MS_MAX} ms`));
  }, READ_MS_MAX).unref();
  client.publish(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify({ seq, batch: BATCH }), { reply });
  return promise.finally(() => {
    clearTimeout(timer);
    subscription.unsubscribe();
  });
}
