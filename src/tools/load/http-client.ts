import { HttpReader, type Answer } from './http-reader.ts';

/** Why a request brought no answer. `unsent`: every connection was busy until the request was no longer worth it. */
export type Mishap = 'connect' | 'closed' | 'timeout' | 'unframed' | 'unsent';

/** What became of a request; times in milliseconds on the clock of `performance.now()`. */
export interface Reply {
  readonly sentAt: number;
  readonly endedAt: number;
  readonly result: Answer | Mishap;
}

/** What a request says beyond its path. */
export interface Ask {
  readonly path: string;
  readonly key?: string;
  readonly method?: string;
  /** The client that a trusted proxy would name. */
  readonly from?: string;
}

/** How often requests that wait too long for their answer are looked for. */
const SWEEP_MS = 100;

/** Where requests go. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The value of the `Host` header. */
  readonly authority: string;
  /** What stands before every path, where a proxy serves the routes below one of its own. */
  readonly prefix: string;
}

/** @param url `http` or `https`; user, query and fragment do not count. */
export function targetOf(url: string): Target {
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
 * One keep-alive connection to the service, one request at a time. Plain sockets: what the generator spends
 * per request is not there for the service to use, since both run on one machine.
 */
export class Connection {
  #socket: Bun.Socket | null = null;
  #reader = new HttpReader();
  #waiting: ((result: Answer | Mishap) => void) | null = null;
  #unwritten: Uint8Array = new Uint8Array(0);
  #sentAt = 0;

  /** @returns null when the service does not take the connection, or has no certificate that is trusted. */
  static async open({ host, port, isTls }: Target): Promise<Connection | null> {
    const connection = new Connection();
    const ready = Promise.withResolvers<boolean>();
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
          // Without one the connection would stand, and take the key, before the certificate was looked at.
          handshake: (socket, isDone) => {
            ready.resolve(isDone && socket.authorized);
          },
          close: () => {
            ready.resolve(false);
            connection.#end('closed');
          },
          error: () => {
            ready.resolve(false);
            connection.#end('closed');
          },
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

  /** When the request under way was sent; null when there is none. */
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

  /** Closes the connection, as a client that loses its patience does; a request under way ends with `why`. */
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
  readonly resolve: (connection: Connection | Mishap) => void;
}

/** A bounded set of keep-alive connections; requests beyond it wait for one, in order, until they give up. */
export class HttpClient {
  readonly #target: Target;
  readonly #connectionsMax: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly #sweep: ReturnType<typeof setInterval>;
  #queue: Queued[] = [];
  /** The first of the queue that still waits: taking from an array's front costs its whole length. */
  #front = 0;
  #opening = 0;
  #isClosed = false;

  constructor(url: string, connectionsMax: number, timeoutMs = 30_000) {
    this.#target = targetOf(url);
    this.#connectionsMax = connectionsMax;
    this.#sweep = setInterval(() => {
      const late = performance.now() - timeoutMs;
      for (const connection of this.#all) if ((connection.sentAt ?? late) < late) connection.drop('timeout');
    }, SWEEP_MS);
  }

  /** Opens connections before they are needed, so that opening them is no part of a load. */
  async open(count: number): Promise<void> {
    const ready: Connection[] = [];
    while (ready.length < Math.min(count, this.#connectionsMax)) {
      const connection = await this.#connection(Number.POSITIVE_INFINITY);
      if (typeof connection === 'string') break;
      ready.push(connection);
    }
    for (const connection of ready) this.#giveBack(connection);
  }

  /** @param giveUpAt when a request that still waits for a connection is no longer worth sending. */
  async send(ask: Ask, giveUpAt = Number.POSITIVE_INFINITY): Promise<Reply> {
    const connection = await this.#connection(giveUpAt);
    const sentAt = performance.now();
    if (typeof connection === 'string') return { sentAt, endedAt: sentAt, result: connection };
    const result = await connection.exchange(requestText(this.#target, ask));
    const endedAt = performance.now();
    this.#giveBack(connection);
    return { sentAt, endedAt, result };
  }

  /** Sends a request and goes away without its answer, on a connection of its own. */
  async abandon(ask: Ask, afterMs: number): Promise<void> {
    const connection = await Connection.open(this.#target);
    if (connection === null) return;
    const exchange = connection.exchange(requestText(this.#target, ask));
    await Promise.race([exchange, Bun.sleep(afterMs)]);
    connection.drop();
    await exchange;
  }

  /** Gives up what waits for a connection; what was sent goes on. */
  giveUpWaiting(): void {
    const waiting = this.#queue.slice(this.#front);
    this.#queue = [];
    this.#front = 0;
    for (const { resolve } of waiting) resolve('unsent');
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    this.giveUpWaiting();
    for (const connection of this.#all) connection.drop();
    this.#all.clear();
  }

  async #connection(giveUpAt: number): Promise<Connection | Mishap> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isOpen) return idle;
      this.#all.delete(idle);
    }
    if (this.#isClosed) return 'unsent';
    if (this.#all.size + this.#opening < this.#connectionsMax) return this.#openOne();
    return new Promise((resolve) => this.#queue.push({ giveUpAt, resolve }));
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
    else void this.#openFor(next);
  }

  async #openFor(next: Queued['resolve']): Promise<void> {
    next(await this.#openOne());
  }

  #nextWaiting(): Queued['resolve'] | null {
    const now = performance.now();
    while (this.#front < this.#queue.length) {
      const first = this.#queue[this.#front];
      this.#front += 1;
      if (first === undefined) continue;
      if (first.giveUpAt > now) return first.resolve;
      first.resolve('unsent');
    }
    this.#queue = [];
    this.#front = 0;
    return null;
  }
}

function requestText({ prefix, authority }: Target, { path, key, from, method = 'GET' }: Ask): string {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  const forwarded = from === undefined ? '' : `X-Forwarded-For: ${from}\r\n`;
  return `${method} ${prefix}${path} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}${forwarded}\r\n`;
}
