/** An incoming message, such as the client's own. */
export interface BusMessage {
  readonly subject: string;
  readonly reply?: string;
  /** `code` 503: the subject of the request has no subscriber. */
  readonly headers?: { readonly code: number };
  readonly string: () => string;
}

/** The broker's functions for requests and heartbeats. Simulations implement it too. */
export interface Bus {
  readonly isConnected: boolean;
  /** True if another server can accept this process immediately. */
  readonly hasOtherServer: boolean;
  readonly name: string;
  /** @returns false if there is no connection; the message is then lost. */
  publish(subject: string, payload: string, reply?: string): boolean;
  subscribe(subject: string, onMessage: (message: BusMessage) => void): void;
  onChange(listener: (isConnected: boolean) => void): void;
}

const NOBODY_LISTENS = 503;

/** True for the broker's reply that nobody listens. */
export function isUnheard({ headers }: BusMessage): boolean {
  return headers?.code === NOBODY_LISTENS;
}

export function lastToken(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}
