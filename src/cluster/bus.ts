/** A message as it comes in. The client's own messages are such. */
export interface BusMessage {
  readonly subject: string;
  /** Where an answer goes. */
  readonly reply?: string;
  /** `code` 503: nobody listens to what was published with this reply subject. */
  readonly headers?: { readonly code: number };
  readonly string: () => string;
}

/** What requests and heartbeats need of the broker. A simulation has another one. */
export interface Bus {
  readonly isConnected: boolean;
  /** True if another server can take this process in at once. */
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

/** The last token of a subject. */
export function lastToken(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}
