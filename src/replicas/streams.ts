import {
  RequestError,
  TimeoutError,
  createInbox,
  nanos,
  type Msg,
  type MsgHdrs,
} from '@nats-io/transport-node';
import type { Connection } from './connection.ts';

/** Longest wait for an answer: whoever gets none asks again, since a leader may have died with the question. */
export const STREAM_MS_MAX = 2_000;
const BATCH = 256;
const COPIES = 3;
const IN_USE = 10_058;

/** No server that answers has the stream. */
export class NoStream extends Error {}

/** JetStream answers with an error. */
export class Refused extends Error {
  readonly code: number;

  constructor(stream: string, { err_code, description }: { err_code: number; description: string }) {
    super(
      `JetStream refuses ${stream}: ${description} (${err_code}); see jetstream and its limits in nats.conf`,
    );
    this.code = err_code;
  }
}

export interface Question {
  readonly stream: string;
  readonly subject: string;
  readonly text: string;
  readonly msMax: number;
  readonly headers?: MsgHdrs;
}

/** Asks JetStream, or has it store a message. @throws in an operator's words: `NoStream`, `Refused`, no answer in time. */
export async function ask({ client }: Pick<Connection, 'client'>, question: Question): Promise<object> {
  const { stream, subject, text, msMax, headers } = question;
  let reply: Msg;
  try {
    reply = await client.request(subject, text, { timeout: msMax, ...(headers && { headers }) });
  } catch (error) {
    if (error instanceof RequestError && error.isNoResponders()) throw noStream(client, stream);
    throw error instanceof TimeoutError ? timedOut(stream, msMax) : error;
  }
  const answer = reply.json<{ readonly error?: ConstructorParameters<typeof Refused>[1] }>();
  if (answer.error !== undefined) throw new Refused(stream, answer.error);
  return answer;
}

function timedOut(stream: string, msMax: number): Error {
  return new Error(`${stream} did not answer within ${msMax} ms`);
}

/** JetStream that is off and a stream without a leader look alike. */
function noStream(client: Connection['client'], stream: string): NoStream {
  return new NoStream(
    client.info?.cluster === undefined
      ? `JetStream is off in NATS or for this account, or ${stream} is lost: see jetstream in nats.conf`
      : `${stream} has no leader, or JetStream is off: the NATS servers choose one in seconds unless a majority is missing`,
  );
}

/** Makes a stream unless it is there: with three copies where the servers are a cluster, which has at least three. @throws */
export async function makeStream(
  connection: Pick<Connection, 'client'>,
  name: string,
  { max_age_ms = 0, ...more }: Readonly<Record<string, unknown>> & { readonly max_age_ms?: number },
): Promise<void> {
  const num_replicas = connection.client.info?.cluster === undefined ? 1 : COPIES;
  const config = { name, num_replicas, allow_direct: true, max_msgs_per_subject: 1, ...more };
  const text = JSON.stringify({
    retention: 'limits',
    storage: 'file',
    max_age: nanos(max_age_ms),
    ...config,
  });
  const subject = `$JS.API.STREAM.CREATE.${name}`;
  try {
    await ask(connection, { stream: name, subject, text, msMax: STREAM_MS_MAX });
  } catch (error) {
    // It was made with other settings, by an operator.
    if (!(error instanceof Refused && error.code === IN_USE)) throw error;
  }
}

export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  /** When the server stored it, milliseconds since 1970. */
  readonly time: number;
  readonly text: string;
}

/** Reads a stream's messages, from `seq` on, from any replica: it needs no leader. @throws as `ask`. */
export async function readFrom(
  connection: Pick<Connection, 'client'>,
  stream: string,
  seq: number,
): Promise<StoredMessage[]> {
  const found = await read(connection, stream, { seq, batch: BATCH });
  const last = found.at(-1);
  return found.length < BATCH || last === undefined
    ? found
    : [...found, ...(await readFrom(connection, stream, last.seq + 1))];
}

/** A header that the server adds to stored messages, after the writer's headers. */
const SEQUENCE = 'Nats-Sequence';
const END_OF_BATCH = 204;
const NOT_FOUND = 404;
const NOBODY = 503;

/** Reads what a query of JetStream's direct access selects. @throws as `ask`. */
export function read(
  { client }: Pick<Connection, 'client'>,
  stream: string,
  query: Readonly<Record<string, unknown>>,
  msMax = STREAM_MS_MAX,
): Promise<StoredMessage[]> {
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
        });
      else if (code === END_OF_BATCH || code === NOT_FOUND) resolve(found);
      else
        reject(code === NOBODY ? noStream(client, stream) : new Error(`${stream} cannot be read (${code})`));
    },
  });
  const timer = setTimeout(() => {
    reject(timedOut(stream, msMax));
  }, msMax).unref();
  client.publish(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(query), { reply });
  return promise.finally(() => {
    clearTimeout(timer);
    subscription.unsubscribe();
  });
}
