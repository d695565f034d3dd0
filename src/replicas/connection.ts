import { readFileSync } from 'node:fs';
import {
  NatsConnectionImpl,
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
  type Authenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  type Server,
} from '@nats-io/transport-node';
import type { Config } from '../config/config.ts';
import { PlainError, explain } from '../process/fail.ts';

/** Time limit of an attempt to connect. */
const NATS_CONNECT_MS_MAX = 2_000;
/** A server is left at the ping after two without an answer, so within 3 s with the connection to another; by default in 90 s. */
const NATS_PING_MS = 900;
const NATS_PINGS_MAX = 2;
const NATS_RETRY_MS = 100;
/** Longest wait for the last messages when a connection is closed. */
const NATS_END_MS_MAX = 500;

export type NatsSettings = Pick<Config, 'nats_url' | 'nats_creds' | 'nats_ca' | 'nats_cert' | 'nats_key'>;

/** The connection to the NATS servers. It reconnects without limit, and subscriptions survive. */
export class Connection {
  readonly #settings: NatsSettings;
  readonly #listeners = new Set<(isConnected: boolean) => void>();
  readonly #onFault: (reason: string) => void;
  readonly #ready = Promise.withResolvers<NatsConnection>();
  #fault = '';
  #client: NatsConnection | null = null;
  #isConnected = false;
  #isClosed = false;

  /**
   * Starts to connect. @param onFault called with each fault that differs from the last.
   * @param isForCommand true if a refused credential ends the connection: a command fails on any error.
   * @throws PlainError that names an unreadable file.
   */
  constructor(settings: NatsSettings, onFault: (reason: string) => void, isForCommand = false) {
    this.#settings = settings;
    this.#onFault = onFault;
    // Nobody has to wait for the first connection.
    this.#ready.promise.catch(() => undefined);
    // A refused credential may become valid with the server's next configuration.
    void this.#connect({ ...optionsOf(settings), ignoreAuthErrorAbort: !isForCommand });
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** The client; resolves at the first connection. */
  get ready(): Promise<NatsConnection> {
    return this.#ready.promise;
  }

  /** Why the latest attempt to connect failed, or the server's latest refusal; empty if none. */
  get fault(): string {
    return this.#fault;
  }

  /** @throws without a connection. */
  get client(): NatsConnection {
    if (this.#client === null || !this.#isConnected) throw new Error('no NATS server is connected');
    return this.#client;
  }

  onChange(listener: (isConnected: boolean) => void): void {
    this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ready.reject(new Error('the connection is closed'));
    this.#change(false);
    const client = this.#client;
    if (client === null) return;
    await Promise.race([client.close().catch(() => undefined), Bun.sleep(NATS_END_MS_MAX)]);
    leaveStale(client);
  }

  async #connect(options: NodeConnectionOptions): Promise<void> {
    while (!this.#isClosed) {
      try {
        const client = await connect(options);
        this.#client = client;
        if (this.#isClosed) await client.close();
        this.#change(!this.#isClosed);
        this.#ready.resolve(client);
        await this.#watch(client);
      } catch (error) {
        this.#noteFault(error);
      }
      await Bun.sleep(NATS_RETRY_MS);
    }
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

  #noteFault(error: unknown): void {
    const reason = explain(error) + mendOf(explain(error), this.#settings);
    if (this.#isClosed || reason === this.#fault) return;
    this.#fault = reason;
    this.#onFault(reason);
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

/** Overrides the client's order, which begins with the lost server: if that host is silent, this costs a full timeout. */
function longestUnused(servers: readonly Server[]): Server | null {
  return servers.toSorted((a, b) => a.lastConnect - b.lastConnect)[0] ?? null;
}

function optionsOf(settings: NatsSettings): NodeConnectionOptions {
  const { nats_url, nats_ca, nats_cert, nats_key } = settings;
  const authenticator = authenticatorOf(settings.nats_creds);
  return {
    servers: [...nats_url],
    pingInterval: NATS_PING_MS,
    maxPingOut: NATS_PINGS_MAX,
    timeout: NATS_CONNECT_MS_MAX,
    reconnectTimeWait: NATS_RETRY_MS,
    reconnectJitter: NATS_RETRY_MS,
    maxReconnectAttempts: -1,
    reconnectToServer: longestUnused,
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
function mendOf(reason: string, { nats_ca, nats_cert, nats_creds }: NatsSettings): string {
  if (nats_creds === '' && reason === 'Authorization Violation') return '; set NATS_CREDS';
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
