import { NoRespondersError, RequestError, TimeoutError, type MsgHdrs } from '@nats-io/transport-node';
import type { Connection } from './connection.ts';

/** Longest wait for an answer: whoever gets none asks again, since a leader may have died with the question. */
const STREAM_MS_MAX = 2_000;
const BATCH = 256;
const COPIES = 3;
const IN_USE = 10_058;
/** A header that the server adds to stored messages, after the writer's headers. */
const SEQUENCE = 'Nats-Sequence';
const END_OF_BATCH = 204;
const NOT_FOUND = 404;

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

export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  /** When the server stored it, milliseconds since 1970. */
  readonly time: number;
  readonly text: string;
}

/** A stream of NATS with one message for each subject. It throws in an operator's words: `NoStream`, `Refused`, no answer in time. */
export class Stream {
  readonly #connection: Pick<Connection, 'client'>;
  readonly #name: string;
  readonly #config: Readonly<Record<string, unknown>> | null;
  #isThere = false;

  /** @param config null for one that is not made here. */
  constructor(
    connection: Pick<Connection, 'client'>,
    name: string,
    config: Readonly<Record<string, unknown>> | null,
  ) {
    this.#connection = connection;
    this.#name = name;
    this.#config = config;
  }

  /** Makes the stream unless it is there: with three copies where the servers are a cluster, which has at least three. */
  async make(): Promise<void> {
    if (this.#config === null || this.#isThere) return;
    const num_replicas = this.#connection.client.info?.cluster === undefined ? 1 : COPIES;
    const always = { retention: 'limits', storage: 'file', allow_direct: true, max_msgs_per_subject: 1 };
    const text = JSON.stringify({ name: this.#name, num_replicas, ...always, ...this.#config });
    try {
      await this.ask(`$JS.API.STREAM.CREATE.${this.#name}`, text);
    } catch (error) {
      // It was made with other settings, by an operator.
      if (!(error instanceof Refused && error.code === IN_USE)) throw error;
    }
    this.#isThere = true;
  }

  /** Asks JetStream, or has it store a message. */
  async ask(subject: string, text: string, msMax = STREAM_MS_MAX, headers?: MsgHdrs): Promise<object> {
    const { client } = this.#connection;
    const reply = await client
      .request(subject, text, { timeout: msMax, ...(headers && { headers }) })
      .catch((error: unknown) => this.#refuse(error, msMax));
    const answer = reply.json<{ readonly error?: ConstructorParameters<typeof Refused>[1] }>();
    if (answer.error !== undefined) throw new Refused(this.#name, answer.error);
    return answer;
  }

  /** Reads the messages from `seq` on, from any replica: it needs no leader. */
  async readFrom(seq: number): Promise<StoredMessage[]> {
    const found = await this.read({ seq, batch: BATCH });
    const last = found.at(-1);
    return found.length < BATCH || last === undefined
      ? found
      : [...found, ...(await this.readFrom(last.seq + 1))];
  }

  /** Reads what a query of JetStream's direct access selects. */
  async read(query: object, msMax = STREAM_MS_MAX): Promise<StoredMessage[]> {
    const { client } = this.#connection;
    const found: StoredMessage[] = [];
    const subject = `$JS.API.DIRECT.GET.${this.#name}`;
    try {
      const answers = await client.requestMany(subject, JSON.stringify(query), { maxWait: msMax });
      for await (const message of answers) {
        const { headers } = message;
        // A stored message may have a code too, set by its writer.
        if (headers?.has(SEQUENCE) === true)
          found.push({
            subject: headers.last('Nats-Subject'),
            seq: Number(headers.last(SEQUENCE)),
            time: Date.parse(headers.last('Nats-Time-Stamp')),
            text: message.string(),
          });
        else if (headers?.code === END_OF_BATCH || headers?.code === NOT_FOUND) return found;
        else throw new Error(`${this.#name} cannot be read (${headers?.code})`);
      }
    } catch (error) {
      this.#refuse(error, msMax);
    }
    return this.#refuse(new TimeoutError(), msMax);
  }

  /** JetStream that is off and a stream without a leader look alike. */
  #refuse(error: unknown, msMax: number): never {
    const name = this.#name;
    if (error instanceof TimeoutError) throw new Error(`${name} did not answer within ${msMax} ms`);
    const isNobody =
      error instanceof RequestError ? error.isNoResponders() : error instanceof NoRespondersError;
    if (!isNobody) throw error;
    this.#isThere = false;
    throw new NoStream(
      this.#connection.client.info?.cluster === undefined
        ? `JetStream is off in NATS or for this account, or no replica has made ${name} yet: start one, or see jetstream in nats.conf`
        : `${name} has no leader, or JetStream is off: the NATS servers choose one in seconds unless a majority is missing`,
    );
  }
}
