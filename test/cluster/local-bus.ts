import type { Bus, BusMessage } from '../../src/cluster/bus.ts';

type OnMessage = (message: BusMessage) => void;

/** When a message arrives: told to run `deliver` at once, later, or never. */
export type Travel = (from: string, to: string, subject: string, deliver: () => void) => void;

const AT_ONCE: Travel = (_from, _to, _subject, deliver) => {
  queueMicrotask(deliver);
};

/** A broker in this process, whose messages are texts: nothing may rely on shared memory. */
export class LocalBroker {
  /** Who may hear a subject, by its third and fourth token: a thousand members have thousands of patterns. */
  readonly #hearers = new Map<string, Set<LocalBus>>();
  readonly #travel: Travel;

  constructor(travel: Travel = AT_ONCE) {
    this.#travel = travel;
  }

  /** A connection for a process of this name. */
  join(name: string): LocalBus {
    return new LocalBus(name, this);
  }

  publish(from: LocalBus, subject: string, payload: string, reply: string | undefined): void {
    let isHeard = false;
    const tokens = subject.split('.');
    const [, , kind = '', whose = ''] = tokens;
    for (const to of new Set([...this.#hearersOf(kind, whose), ...this.#hearersOf(kind, '*')])) {
      if (!to.isConnected) continue;
      for (const onMessage of to.heardBy(subject, tokens)) {
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
    for (const onMessage of from.heardBy(reply)) this.#deliver([from, from], unheard, onMessage);
  }

  /** Has the broker know who hears a subject, or a pattern. */
  listen(bus: LocalBus, [, , kind = '', whose = '']: readonly string[]): void {
    this.#hearers.set(`${kind}.${whose}`, this.#hearersOf(kind, whose).add(bus));
  }

  #hearersOf(kind: string, whose: string): Set<LocalBus> {
    return this.#hearers.get(`${kind}.${whose}`) ?? new Set();
  }

  #deliver([from, to]: readonly [LocalBus, LocalBus], message: BusMessage, onMessage: OnMessage): void {
    this.#travel(from.name, to.name, message.subject, () => {
      if (to.isConnected) onMessage(message);
    });
  }
}

export class LocalBus implements Bus {
  readonly name: string;
  hasOtherServer = true;
  /** By subject, and by pattern: with a thousand members most of the time went into patterns. */
  readonly #exact = new Map<string, OnMessage[]>();
  readonly #patterns: (readonly [readonly string[], OnMessage])[] = [];
  readonly #broker: LocalBroker;
  readonly #listeners = new Set<(isConnected: boolean) => void>();
  #isConnected = true;
  /** NATS throws where a message has more. */
  payloadMax = Number.POSITIVE_INFINITY;

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
    if (payload.length > this.payloadMax) throw new Error('payload too large');
    if (!this.#isConnected) return false;
    this.#broker.publish(this, subject, payload, reply);
    return true;
  }

  subscribe(subject: string, onMessage: OnMessage): void {
    const tokens = subject.split('.');
    this.#broker.listen(this, tokens);
    if (/[*>]/u.test(subject)) this.#patterns.push([tokens, onMessage]);
    else this.#exact.set(subject, [...(this.#exact.get(subject) ?? []), onMessage]);
  }

  /** Ends all subscriptions. */
  hearNothing(): void {
    this.#exact.clear();
    this.#patterns.length = 0;
  }

  heardBy(subject: string, tokens: readonly string[] = subject.split('.')): readonly OnMessage[] {
    const fitting = this.#patterns.filter(([pattern]) => fits(pattern, tokens));
    return [...(this.#exact.get(subject) ?? []), ...fitting.map(([, onMessage]) => onMessage)];
  }

  onChange(listener: (isConnected: boolean) => void): void {
    this.#listeners.add(listener);
  }
}

/** Whether a pattern with `*` for a token, and `>` for the rest, names the subject. */
function fits(pattern: readonly string[], subject: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '>';
  if (isOpen ? subject.length < pattern.length : subject.length !== pattern.length) return false;
  return pattern.every((token, at) => token === '*' || token === '>' || token === subject[at]);
}
