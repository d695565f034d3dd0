import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { BUCKET_READ_MS_MAX } from '../config/limits.ts';
import type { Broker } from './connection.ts';
import { inboxPrefix } from './subjects.ts';

/** A message of a stream. */
export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  /** When it was stored: with `seq`, no message of another stream has the same. */
  readonly time: string;
  readonly text: string;
  /** It says that a key was deleted. */
  readonly isGone: boolean;
}

/** `seq`: of the first message; `count`: how many at most. */
export interface Range {
  readonly stream: string;
  readonly seq: number;
  readonly count: number;
}

/** The server gives it to each message of a stream, after those of its writer. */
const SEQUENCE = 'Nats-Sequence';
const END_OF_BATCH = 204;
const NONE = 404;
const NOBODY = 503;

/** No server that answers has the stream. */
export class NoStream extends Error {}

/**
 * Reads messages of a stream from one of its copies, which need not be the leader. The client's own function for it leaves a
 * subscription behind each time (3.4.0).
 * @throws NoStream, and where there is no answer in time.
 */
export function readMessages(
  client: NatsConnection,
  { name, jetstreamApi }: Pick<Broker, 'name' | 'jetstreamApi'>,
  { stream, seq, count }: Range,
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
      // What is stored may have a code too: of whoever wrote it.
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
