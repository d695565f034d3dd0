import { readFileSync } from 'node:fs';
import {
  NatsConnectionImpl,
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
  type Authenticator,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
  type Server,
} from '@nats-io/transport-node';
import type { Config } from '../config/config.ts';
import { systemClock, type Clock } from '../clock.ts';
import { PlainError, explain } from '../process/fail.ts';
import { BROKER_CONNECT_MS_MAX, fromHomeOn, keepHome } from './home-server.ts';
import { JETSTREAM_API, inboxPrefix } from './subjects.ts';

/** A server is left after two pings without an answer: a silent host was detected in 2.9 s, with the defaults in 90 s. */
const BROKER_PING_MS = 1_000;
const BROKER_PINGS_MAX = 2;
const BROKER_RETRY_MS = 100;
/** Longest wait for the last messages when a connection is closed. */
const BROKER_END_MS_MAX = 500;

export type BrokerSettings = Pick<
  Config,
  'nats_url' | 'nats_creds' | 'nats_ca' | 'nats_cert' | 'nats_key' | 'node_name'
>;

/** The connection to the NATS servers. It reconnects without limit; subscriptions survive; without a server messages are lost. */
export class Broker {
  readonly #settings: BrokerSettings;
  /** The home server first. */
  readonly #servers: readonly string[];
  readonly #leaveHome: () => void;
  #server = '';
  #goesHome = false;
  readonly #listeners = new Set<(isConnected: boolean) => void>();
  readonly #faultListeners = new Set<(reason: string) => void>();
  #fault = '';
  readonly #ready = Promise.withResolvers<NatsConnection>();
  #client: NatsConnection | null = null;
  #isConnected = false;
  #isClosed = false;

  /**
   * Starts to connect. @param isForCommand true if a refused credential ends the connection: a command fails on any error.
   * @throws PlainError that names an unreadable file.
   */
  constructor(settings: BrokerSettings, isForCommand = false, clock: Clock = systemClock) {
    this.#settings = settings;
    this.#servers = fromHomeOn(settings.nats_url, settings.node_name);
    const [home = ''] = this.#servers;
    this.#leaveHome = keepHome({
      clock,
      home,
      isAway: () => this.#isConnected && this.#server !== home,
      goHome: () => {
        this.#goHome();
      },
    });
    // Nobody has to wait for the first connection.
    this.#ready.promise.catch(() => undefined);
    // A refused credential may become valid with the server's next configuration.
    void this.#connect({
      ...optionsOf(settings),
      reconnectToServer: (servers) => this.#choose(servers),
      ignoreAuthErrorAbort: !isForCommand,
    });
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get hasOtherServer(): boolean {
    return this.#settings.nats_url.length > 1;
  }

  /** Prefix of JetStream's API; users made by `bun run cluster-users` reach it through an import from another account. */
  get jetstreamApi(): string {
    return this.#settings.nats_creds === '' ? '$JS.API' : JETSTREAM_API;
  }

  /** The client itself, for streams; resolves at the first connection. */
  get ready(): Promise<NatsConnection> {
    return this.#ready.promise;
  }

  get name(): string {
    return this.#settings.node_name;
  }

  onChange(listener: (isConnected: boolean) => void): void {
    this.#listeners.add(listener);
  }

  /** Why the latest attempt to connect failed, or the server's latest refusal; empty if none. */
  get fault(): string {
    return this.#fault;
  }

  /** Calls `listener` with each fault that differs from the last. */
  onFault(listener: (reason: string) => void): void {
    this.#faultListeners.add(listener);
  }

  /** @param reply subject for the answer. @returns false if there is no server; the message is then lost. */
  publish(subject: string, payload: string | Uint8Array, reply?: string): boolean {
    if (!this.#isConnected || this.#client === null) return false;
    this.#client.publish(subject, payload, reply === undefined ? {} : { reply });
    return true;
  }

  /** Calls `onMessage` for each message to the subject, from the first connection on. */
  subscribe(subject: string, onMessage: (message: Msg) => void): void {
    const callback = (error: Error | null, message: Msg) => {
      if (error === null) onMessage(message);
      else this.#noteFault(error);
    };
    void this.#ready.promise.then(
      (client) => client.subscribe(subject, { callback }),
      // Rejected only once it is closed.
      () => undefined,
    );
  }

  /** Flushes published messages and closes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leaveHome();
    this.#ready.reject(new Error('the connection is closed'));
    const client = this.#client;
    if (this.#isConnected)
      await Promise.race([client?.flush().catch(() => undefined), Bun.sleep(BROKER_END_MS_MAX)]);
    this.#change(false);
    await client?.close().catch(() => undefined);
  }

  async #connect(options: NodeConnectionOptions): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#use(await connect(options));
        return;
      } catch (error) {
        this.#noteFault(error);
        await Bun.sleep(BROKER_RETRY_MS);
      }
    }
  }

  async #use(client: NatsConnection): Promise<void> {
    if (this.#isClosed) {
      await client.close();
      return;
    }
    this.#client = client;
    this.#change(true);
    this.#ready.resolve(client);
    void this.#watch(client);
  }

  async #watch(client: NatsConnection): Promise<void> {
    for await (const status of client.status()) {
      const { type } = status;
      if (type === 'staleConnection') leaveStale(client);
      if (type === 'disconnect' || type === 'staleConnection' || type === 'close') this.#change(false);
      else if (type === 'reconnect') this.#change(true);
      else if (type === 'error') this.#noteFault(status.error);
    }
  }

  /** Overrides the client's order, which begins with the lost server: if that host is silent, this costs a full timeout. */
  #choose(servers: readonly Server[]): Server | null {
    const place = ({ src }: Server) => this.#servers.indexOf(src);
    const [next = null] = servers.toSorted(
      (a, b) => (this.#goesHome ? 0 : a.lastConnect - b.lastConnect) || place(a) - place(b),
    );
    this.#goesHome = false;
    this.#server = next?.src ?? '';
    return next;
  }

  /** Reconnects, as after a loss: running requests are sent again. */
  #goHome(): void {
    this.#goesHome = true;
    void this.#client?.reconnect();
  }

  #noteFault(error: unknown): void {
    const reason = explain(error) + mendOf(explain(error), this.#settings);
    if (this.#isClosed || reason === this.#fault) return;
    this.#fault = reason;
    for (const listener of this.#faultListeners) listener(reason);
  }

  #change(isConnected: boolean): void {
    if (this.#isConnected === isConnected) return;
    this.#isConnected = isConnected;
    // The same fault of a later connection is reported again.
    if (isConnected) this.#fault = '';
    for (const listener of this.#listeners) listener(isConnected);
  }
}

/**
 * The client first waits until all written data has left (`_closed` in node_transport.js of @nats-io/transport-node 3.4.0).
 * With a silent host and full buffers this lasts until TCP gives up, up to 15 minutes, and no other server is tried.
 */
function leaveStale(client: NatsConnection): void {
  if (client instanceof NatsConnectionImpl) void client.protocol.transport.close();
}

function optionsOf(settings: BrokerSettings): NodeConnectionOptions {
  const { nats_url, nats_ca, nats_cert, nats_key, node_name } = settings;
  const authenticator = authenticatorOf(settings.nats_creds);
  return {
    servers: [...nats_url],
    name: node_name,
    inboxPrefix: inboxPrefix(node_name),
    pingInterval: BROKER_PING_MS,
    maxPingOut: BROKER_PINGS_MAX,
    timeout: BROKER_CONNECT_MS_MAX,
    reconnectTimeWait: BROKER_RETRY_MS,
    reconnectJitter: BROKER_RETRY_MS,
    maxReconnectAttempts: -1,
    // Each attempt would add the announced servers: the first connection would be tried forever, and its fault stay unknown.
    ignoreClusterUpdates: true,
    ...(authenticator !== null && { authenticator }),
    ...(nats_ca !== '' && {
      tls: {
        ca: textOf('NATS_CA', nats_ca),
        ...(nats_cert !== '' && {
          cert: textOf('NATS_CERT', nats_cert),
          key: textOf('NATS_KEY', nats_key),
        }),
      },
    }),
  };
}

/** The client reports only that a certificate was not trusted; for a missing client certificate, only a timeout. */
function mendOf(reason: string, { nats_ca, nats_cert }: BrokerSettings): string {
  if (nats_ca === '' && reason.includes('certificate')) return '; set NATS_CA';
  if (nats_ca !== '' && nats_cert === '' && reason === 'timeout')
    return '; if the server asks for a certificate, set NATS_CERT and NATS_KEY';
  return '';
}

/** A seed begins with `SU`; a `.creds` file contains a token and a seed. */
function authenticatorOf(file: string): Authenticator | null {
  if (file === '') return null;
  const text = textOf('NATS_CREDS', file).trim();
  const bytes = new TextEncoder().encode(text);
  return text.startsWith('SU') ? nkeyAuthenticator(bytes) : credsAuthenticator(bytes);
}

function textOf(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PlainError(`${setting}: ${file} cannot be read: ${explain(error)}`);
  }
}
