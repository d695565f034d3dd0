import type { Bus, BusMessage } from '../../src/cluster/bus.ts';

type OnMessage = (message: BusMessage) => void;

/** When a message arrives: told to run `deliver` at once, later, or never. */
export type Travel = (from: string, to: string, subject: string, deliver: () => void) => void;

const AT_ONCE: Travel = (_from, _to, _subject, deliver) => {
  queueMicrotask(deliver);
};

/** A broker in this process, whose messages are texts: nothing may rely on shared memory. */
export class LocalBroker {
  readonly #members = new Set<LocalBus>();
  readonly #travel: Travel;

  constructor(travel: Travel = AT_ONCE) {
    this.#travel = travel;
  }

  /** A connection for a process of this name. */
  join(name: string): LocalBus {
    const bus = new LocalBus(name, this);
    this.#members.add(bus);
    return bus;
  }

  publish(from: LocalBus, subject: string, payload: string, reply: string | undefined): void {
    let isHeard = false;
    for (const to of this.#members) {
      if (!to.isConnected) continue;
      for (const [pattern, onMessage] of to.subscriptions) {
        if (!fits(pattern, subject)) continue;
        isHeard = true;
        this.#deliver(
          [from, to],
          { subject, string: () => payload, ...(reply !== undefined && { reply }) },
          onMessage,
        );
      }
    }
    if (isHeard || reply === undefined) return;
    const unheard: BusMessage = { subject: reply, string: () => '', headers: { code: 503 } };
    for (const [pattern, onMessage] of from.subscriptions)
      if (fits(pattern, reply)) this.#deliver([from, from], unheard, onMessage);
  }

  #deliver([from, to]: readonly [LocalBus, LocalBus], message: BusMessage, onMessage: OnMessage): void {
    this.#travel(from.name, to.name, message.subject, () => {
      if (to.isConnected) onMessage(message);
    });
  }
}

export class LocalBus implements Bus {
  readonly name: string;
  readonly subscriptions: (readonly [string, OnMessage])[] = [];
  readonly #broker: LocalBroker;
  readonly #listeners = new Set<(isConnected: boolean) => void>();
  #isConnected = true;

  constructor(name: string, broker: LocalBroker) {
    this.name = name;
    this.#broker = broker;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  set isConnected(isConnected: boolean) {
    if (this.#isConnected === isConnected) return;
    this.#isConnected = isConnected;
    for (const listener of this.#listeners) listener(isConnected);
  }

  publish(subject: string, payload: string, reply?: string): boolean {
    if (!this.#isConnected) return false;
    this.#broker.publish(this, subject, payload, reply);
    return true;
  }

  subscribe(subject: string, onMessage: OnMessage): void {
    this.subscriptions.push([subject, onMessage]);
  }

  onChange(listener: (isConnected: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}

/** Whether a pattern with `*` for a token, and `>` for the rest, names the subject. */
function fits(pattern: string, subject: string): boolean {
  const [wanted, given] = [pattern.split('.'), subject.split('.')];
  for (const [at, token] of wanted.entries()) {
    if (token === '>') return given.length > at;
    if (given[at] === undefined || (token !== '*' && token !== given[at])) return false;
  }
  return wanted.length === given.length;
}
