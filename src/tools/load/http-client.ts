import { HttpReader, type Answer } from './http-reader.ts';

/** Why a request has no answer. `unsent`: it timed out while all connections were busy. */
export type Mishap = 'connect' | 'closed' | 'timeout' | 'unframed' | 'unsent';

/** The result of a request. Times are milliseconds of `performance.now()`. */
export interface Reply {
  readonly sentAt: number;
  readonly endedAt: number;
  readonly result: Answer | Mishap;
}

/** Request options except the path. */
export interface Ask {
  readonly path: string;
  readonly key?: string;
  readonly method?: string;
  /** The client address that a trusted proxy would forward. */
  readonly from?: string;
}

/** How often the client checks for timeouts. */
const SWEEP_MS = 100;

/** The address of the service: `authority` is the `Host` header, `prefix` a proxy's path before every path. */
type Target = ReturnType<typeof targetOf>;

/** @param url `http` or `https`; user, query and fragment are ignored. */
export function targetOf(url: string) {
  const { protocol, hostname, port, host, pathname } = new URL(url);
  const isTls = protocol === 'https:';
  return {
    host: hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    isTls,
    authority: host,
    prefix: pathname.replace(/\/+$/u, ''),
  };
}

/**
 * One keep-alive connection, one request at a time. It uses plain sockets, because the generator often shares a
 * machine with the service and must use little CPU time.
 */
export class Connection {
  #socket: Bun.Socket | null = null;
  #reader = new HttpReader();
  #waiting: ((result: Answer | Mishap) => void) | null = null;
  #unwritten: Uint8Array = new Uint8Array(0);
  #sentAt = 0;

  /** @returns null if the service refuses the connection or has no trusted certificate. */
  static async open({ host, port, isTls }: Target): Promise<Connection | null> {
    const connection = new Connection();
    const ready = Promise.withResolvers<boolean>();
    const ended = () => {
      ready.resolve(false);
      connection.#end('closed');
    };
    try {
      connection.#socket = await Bun.connect({
        hostname: host,
        port,
        ...(isTls ? { tls: { serverName: host } } : {}),
        socket: {
          data: (_, chunk) => {
            connection.#take(chunk);
          },
          drain: () => {
            connection.#write(connection.#unwritten);
          },
          // Otherwise the connection would send the key before the certificate is verified.
          handshake: (socket, isDone) => {
            ready.resolve(isDone && socket.authorized);
          },
          close: ended,
          error: ended,
        },
      });
    } catch {
      return null;
    }
    if (!isTls || (await ready.promise)) return connection;
    connection.drop();
    return null;
  }

  get isOpen(): boolean {
    return this.#socket !== null;
  }

  /** When the current request was sent; null if there is none. */
  get sentAt(): number | null {
    return this.#waiting === null ? null : this.#sentAt;
  }

  exchange(request: string): Promise<Answer | Mishap> {
    return new Promise((resolve) => {
      if (this.#socket === null) {
        resolve('closed');
        return;
      }
      this.#reader = new HttpReader();
      this.#waiting = resolve;
      this.#sentAt = performance.now();
      this.#write(Buffer.from(request));
    });
  }

  /** Closes the connection. A running request ends with `why`. */
  drop(why: Mishap = 'closed'): void {
    const socket = this.#socket;
    this.#end(why);
    socket?.terminate();
  }

  #write(bytes: Uint8Array): void {
    const written = this.#socket?.write(bytes) ?? 0;
    this.#unwritten = bytes.subarray(Math.max(0, written));
  }

  #take(chunk: Uint8Array): void {
    const read = this.#reader.push(chunk);
    if (read === null) return;
    if (read === 'unframed') {
      this.drop('unframed');
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = null;
    if (read.closes) this.drop();
    waiting?.(read);
  }

  #end(why: Mishap): void {
    this.#socket = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(why);
  }
}

interface Queued {
  readonly giveUpAt: number;
  readonly resolve: (connection: Connection | Mishap | Promise<Connection | Mishap>) => void;
}

/** A bounded pool of keep-alive connections. Further requests wait in order until they time out. */
export class HttpClient {
  readonly #target: Target;
  readonly #connectionsMax: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly #sweep: ReturnType<typeof setInterval>;
  /** In the order of arrival. Removing the front of an array would take linear time. */
  readonly #queue = new Set<Queued>();
  #opening = 0;
  #isClosed = false;

  constructor(url: string, connectionsMax: number, timeoutMs = 30_000) {
    this.#target = targetOf(url);
    this.#connectionsMax = connectionsMax;
    this.#sweep = setInterval(() => {
      const late = performance.now() - timeoutMs;
      for (const connection of this.#all) if ((connection.sentAt ?? late) < late) connection.drop('timeout');
    }, SWEEP_MS);
    // A client that is not closed does not keep the process running; running requests do.
    this.#sweep.unref();
  }

  /** Opens connections in advance, so that the load does not include it. */
  async open(count: number): Promise<void> {
    const ready: Connection[] = [];
    while (ready.length < Math.min(count, this.#connectionsMax)) {
      const connection = await this.#connection(Number.POSITIVE_INFINITY);
      if (typeof connection === 'string') break;
      ready.push(connection);
    }
    for (const connection of ready) this.#giveBack(connection);
  }

  /** @param giveUpAt when a request still without a connection times out. */
  async send(ask: Ask, giveUpAt = Number.POSITIVE_INFINITY): Promise<Reply> {
    const connection = await this.#connection(giveUpAt);
    const sentAt = performance.now();
    if (typeof connection === 'string') return { sentAt, endedAt: sentAt, result: connection };
    const result = await connection.exchange(requestText(this.#target, ask));
    const endedAt = performance.now();
    this.#giveBack(connection);
    return { sentAt, endedAt, result };
  }

  /** Sends a request on its own connection and closes it without waiting for the answer. */
  async abandon(ask: Ask, afterMs: number): Promise<void> {
    const connection = await Connection.open(this.#target);
    if (connection === null) return;
    const exchange = connection.exchange(requestText(this.#target, ask));
    await Promise.race([exchange, Bun.sleep(afterMs)]);
    connection.drop();
    await exchange;
  }

  /** Ends the requests that wait for a connection; sent requests continue. */
  giveUpWaiting(): void {
    for (const { resolve } of this.#queue) resolve('unsent');
    this.#queue.clear();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    this.giveUpWaiting();
    for (const connection of this.#all) connection.drop();
    this.#all.clear();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #connection(giveUpAt: number): Promise<Connection | Mishap> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isOpen) return idle;
      this.#all.delete(idle);
    }
    if (this.#isClosed) return 'unsent';
    if (this.#all.size + this.#opening < this.#connectionsMax) return this.#openOne();
    return new Promise((resolve) => this.#queue.add({ giveUpAt, resolve }));
  }

  async #openOne(): Promise<Connection | 'connect' | 'unsent'> {
    this.#opening += 1;
    const connection = await Connection.open(this.#target);
    this.#opening -= 1;
    if (connection === null) return 'connect';
    if (this.#isClosed) {
      connection.drop();
      return 'unsent';
    }
    this.#all.add(connection);
    return connection;
  }

  #giveBack(connection: Connection): void {
    if (!connection.isOpen) this.#all.delete(connection);
    const next = this.#nextWaiting();
    if (next === null) {
      if (connection.isOpen) this.#idle.push(connection);
    } else if (connection.isOpen) next(connection);
    else next(this.#openOne());
  }

  #nextWaiting(): Queued['resolve'] | null {
    const now = performance.now();
    for (const first of this.#queue) {
      this.#queue.delete(first);
      if (first.giveUpAt > now) return first.resolve;
      first.resolve('unsent');
    }
    return null;
  }
}

function requestText({ prefix, authority }: Target, { path, key, from, method = 'GET' }: Ask): string {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  const forwarded = from === undefined ? '' : `X-Forwarded-For: ${from}\r\n`;
  return `${method} ${prefix}${path} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}${forwarded}\r\n`;
}
