import { HttpReader, type Answer } from './http-reader.ts';

/** Why a request has no answer. `unsent`: it timed out while all connections were busy. */
export type Mishap = 'connect' | 'closed' | 'timeout' | 'unframed' | 'unsent';

/** The result of a request. Times are milliseconds of `performance.now()`. */
export interface Reply {
  readonly sentAt: number;
  readonly endedAt: number;
  /** True if all connections were busy, or being opened, when it was due to be sent. */
  readonly foundNoConnection: boolean;
  readonly result: Answer | Mishap;
}

/** Request options except the path. */
export interface Ask {
  readonly path: string;
  readonly key?: string;
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
  /** True if nobody waits for the connection to open any more. */
  #isGivenUp = false;

  /**
   * @param late ends the wait for a peer that takes no connection, or stays silent over TLS.
   * @returns `connect` if the service refuses the connection or has no trusted certificate.
   */
  static async open(target: Target, late: Promise<Mishap>): Promise<Connection | Mishap> {
    const connection = new Connection();
    const opened = await Promise.race([connection.#connect(target), late]);
    if (opened === true) return connection;
    connection.#isGivenUp = true;
    connection.drop();
    return opened === false ? 'connect' : opened;
  }

  async #connect({ host, port, isTls }: Target): Promise<boolean> {
    const ready = Promise.withResolvers<boolean>();
    const ended = () => {
      ready.resolve(false);
      this.#close();
    };
    try {
      const socket = await Bun.connect({
        hostname: host,
        port,
        ...(isTls ? { tls: { serverName: host } } : {}),
        socket: {
          data: (_, chunk) => {
            this.#take(chunk);
          },
          drain: () => {
            this.#write(this.#unwritten);
          },
          // Otherwise the connection would send the key before the certificate is verified.
          handshake: (opened, isDone) => {
            ready.resolve(isDone && opened.authorized);
          },
          close: ended,
          error: ended,
        },
      });
      if (this.#isGivenUp) socket.terminate();
      else this.#socket = socket;
      return !isTls || (await ready.promise);
    } catch {
      return false;
    }
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
    // Bytes that answer no request, such as a proxy's 408, would be read as the next one's answer.
    const read = this.#waiting === null ? 'unframed' : this.#reader.push(chunk);
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

  /** The peer closed, which may be the end of a body. */
  #close(): void {
    this.#end(this.#waiting === null ? 'closed' : (this.#reader.end() ?? 'closed'));
  }

  #end(result: Answer | Mishap): void {
    this.#socket = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(result);
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
  readonly #timeoutMs: number;
  /** In the order of arrival. Removing the front of an array would take linear time. */
  readonly #queue = new Set<Queued>();
  /** The ends of the waits for connections that are being opened. */
  readonly #opening = new Set<(why: Mishap) => void>();
  #isClosed = false;

  constructor(url: string, connectionsMax: number, timeoutMs = 30_000) {
    this.#target = targetOf(url);
    this.#connectionsMax = connectionsMax;
    this.#timeoutMs = timeoutMs;
    this.#sweep = setInterval(() => {
      this.#dropLate();
    }, SWEEP_MS);
    // A client that is not closed does not keep the process running; running requests do.
    this.#sweep.unref();
  }

  /** Opens connections in advance, so that the load does not include it. */
  async open(count: number): Promise<void> {
    const free = Math.min(count, this.#connectionsMax) - this.#all.size;
    const ready = await Promise.all(Array.from({ length: Math.max(0, free) }, () => this.#openOne()));
    for (const connection of ready) if (typeof connection !== 'string') this.#giveBack(connection);
  }

  /** @param giveUpAt when a request still without a connection times out. */
  async send(ask: Ask, giveUpAt = performance.now() + this.#timeoutMs): Promise<Reply> {
    const queued = this.#queue.size;
    const coming = this.#connection(giveUpAt);
    const foundNoConnection = this.#queue.size > queued;
    const connection = await coming;
    const sentAt = performance.now();
    if (typeof connection === 'string')
      return { sentAt, endedAt: sentAt, foundNoConnection, result: connection };
    const result = await connection.exchange(requestText(this.#target, ask));
    const endedAt = performance.now();
    this.#giveBack(connection);
    return { sentAt, endedAt, foundNoConnection, result };
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
    for (const giveUp of this.#opening) giveUp('unsent');
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
    if (this.#all.size + this.#opening.size < this.#connectionsMax) return this.#openOne();
    return new Promise((resolve) => this.#queue.add({ giveUpAt, resolve }));
  }

  async #openOne(): Promise<Connection | Mishap> {
    const late = Promise.withResolvers<Mishap>();
    const timer = setTimeout(late.resolve, this.#timeoutMs, 'timeout');
    this.#opening.add(late.resolve);
    const connection = await Connection.open(this.#target, late.promise);
    clearTimeout(timer);
    this.#opening.delete(late.resolve);
    if (typeof connection === 'string') {
      // Its place is free for the next in the queue.
      const next = this.#nextWaiting();
      next?.resolve(this.#openOne());
      return connection;
    }
    if (this.#isClosed) {
      connection.drop();
      return 'unsent';
    }
    this.#all.add(connection);
    return connection;
  }

  /** Ends the requests whose answer or connection did not come in time. */
  #dropLate(): void {
    const now = performance.now();
    for (const connection of this.#all)
      if ((connection.sentAt ?? now) < now - this.#timeoutMs) connection.drop('timeout');
    this.#giveUpLate(now);
  }

  #giveUpLate(now: number): void {
    for (const waiting of this.#queue) {
      if (waiting.giveUpAt > now) break;
      this.#queue.delete(waiting);
      waiting.resolve('unsent');
    }
  }

  #giveBack(connection: Connection): void {
    if (!connection.isOpen) this.#all.delete(connection);
    const next = this.#nextWaiting();
    if (next === null) {
      if (connection.isOpen) this.#idle.push(connection);
    } else next.resolve(connection.isOpen ? connection : this.#openOne());
  }

  #nextWaiting(): Queued | null {
    this.#giveUpLate(performance.now());
    const [first = null] = this.#queue;
    if (first !== null) this.#queue.delete(first);
    return first;
  }
}

function requestText({ prefix, authority }: Target, { path, key, from }: Ask): string {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  const forwarded = from === undefined ? '' : `X-Forwarded-For: ${from}\r\n`;
  return `GET ${prefix}${path} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}${forwarded}\r\n`;
}
