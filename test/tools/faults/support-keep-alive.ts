import { connect, type Socket } from 'node:net';
import { HttpReader, type Answer } from '../../../src/tools/load/http-reader.ts';

export type Ending =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string; readonly closes: boolean }
  /** The connection never came to be: the service did not accept it. */
  | { readonly kind: 'refused' }
  /** Sent on a connection that had been accepted, and then no full answer. */
  | { readonly kind: 'lost'; readonly got: string };

/** One HTTP connection, kept open, on which requests go one after the other. */
export class KeepAlive {
  readonly #socket: Socket;
  #reader = new HttpReader();
  #read: Answer | 'unframed' | null = null;
  #got = '';
  #isOpen = false;
  #isOver = false;
  /** True once the server has shown, by an answer, that it has accepted this connection. */
  #isAccepted = false;
  #wake: () => void = () => undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const on = (event: 'connect' | 'end' | 'close', note: () => void) =>
      this.#socket.on(event, () => {
        note();
        this.#wake();
      });
    on('connect', () => (this.#isOpen = true));
    for (const event of ['end', 'close'] as const) on(event, () => (this.#isOver = true));
    this.#socket.on('data', (chunk: Buffer) => {
      this.#got += chunk.toString();
      this.#read = this.#reader.push(chunk);
      this.#wake();
    });
    // An error is followed by the close, which is what counts.
    this.#socket.on('error', () => undefined);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  async request(path: string, key: string): Promise<Ending> {
    while (!this.#isOpen && !this.#isOver) await this.#event();
    if (this.#isOver) return { kind: 'refused' };
    this.#send(`GET ${path} HTTP/1.1\r\nHost: teste\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    while (this.#read === null && !this.#isOver) await this.#event();
    if (this.#read === null || this.#read === 'unframed')
      return this.#isAccepted || this.#got !== '' ? { kind: 'lost', got: this.#got } : { kind: 'refused' };
    this.#isAccepted = true;
    const { status, body, closes } = this.#read;
    return { kind: 'answered', status, body: body.toString(), closes };
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(request: string): void {
    [this.#reader, this.#read, this.#got] = [new HttpReader(), null, ''];
    this.#socket.write(request);
  }

  #event(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
