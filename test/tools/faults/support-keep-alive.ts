import { connect, type Socket } from 'node:net';
import { framedBody } from '../../support/framing.ts';

/** How one request on a connection ended. */
export type Ending =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string; readonly closes: boolean }
  /** The connection never came to be: the service did not accept it. */
  | { readonly kind: 'refused' }
  /** Sent on a connection that had been accepted, and then no full answer. */
  | { readonly kind: 'lost'; readonly got: string };

/** One HTTP connection, kept open, on which requests go one after the other; every byte is accounted for. */
export class KeepAlive {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #isOpen = false;
  #isOver = false;
  /** True once the server has shown, by an answer, that it has accepted this connection. */
  #isAccepted = false;
  #wake: () => void = () => undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('connect', () => {
      this.#isOpen = true;
      this.#wake();
    });
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    // An error is followed by the close, which is what counts.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.#isOver = true;
      this.#wake();
    });
    this.#socket.on('end', () => {
      this.#isOver = true;
      this.#wake();
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  async request(path: string, key: string): Promise<Ending> {
    while (!this.#isOpen && !this.#isOver) await this.#event();
    if (this.#isOver) return { kind: 'refused' };
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: teste\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer !== null) {
        this.#isAccepted = true;
        return answer;
      }
      if (this.#isOver) {
        const got = this.#received.toString();
        return this.#isAccepted || got !== '' ? { kind: 'lost', got } : { kind: 'refused' };
      }
      await this.#event();
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #event(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #takeAnswer(): Ending | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const head = this.#received.subarray(0, end).toString('latin1');
    const framed = framedBody(this.#received, head, end + 4);
    if (framed === null) return null;
    this.#received = this.#received.subarray(framed.next);
    return {
      kind: 'answered',
      status: Number(head.split(' ')[1]),
      body: framed.body.toString(),
      closes: /^connection: *close/im.test(head),
    };
  }
}
