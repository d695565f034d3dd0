import type { Clock } from '../clock.ts';
import { isUnheard, lastToken, type Bus, type BusMessage } from './bus.ts';
import { VERSION, readAnswers, type Answer, type Ask, type Cancel } from './messages.ts';
import type { Node, Nodes } from './nodes.ts';
import { answererOf, askSubject, cancelSubject, replySubject } from './subjects.ts';

/** Most requests in a message to a node: a small part of the largest message that NATS allows, 4 MB. */
export const ASKS_PER_MESSAGE_MAX = 64;
/** An unneeded, unanswered request counts as its node's load for this long. */
export const UNANSWERED_MS_MAX = 10_000;
/**
 * While a front, or every node of a base, has lost its NATS server for no longer than this, requests wait, if there is another
 * server: in twelve kills of one of three servers, another accepted them after 1 to 8 ms, and without the wait the requests
 * made in that time were lost. A single server needs 550 ms to restart, so then requests fail immediately.
 */
export const RECONNECT_MS_MAX = 250;

/** Why a node gives no answer: its subject has no subscriber, it is gone or silent, or there is no broker. */
export type Lost = 'unheard' | 'gone' | 'silent' | 'disconnected';

/** Receives the outcome of a request to a node. */
export interface Receiver {
  answered(node: string, answer: Answer): void;
  /** After `silent` the answer may still come. */
  lost(node: string, why: Lost): void;
}

interface Pending {
  readonly node: Node;
  readonly ask: Ask;
  /** Null once the answer is not needed. */
  receiver: Receiver | null;
  /** Number of the message that carried it; 0 before it is sent. */
  batch: number;
  cancelTimer: (() => void) | null;
}

export interface CallerOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Distinguishes this process from an earlier one of the same name. */
  readonly instance: string;
  /** Records which nodes answer, and reports which of them lose requests. */
  readonly nodes: Nodes;
  readonly onStrange: (subject: string) => void;
}

/** Sends requests to nodes, those made in one turn as one message, and passes each answer to its receiver. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #pending = new Map<number, Pending>();
  /** Requests to send at the end of this turn. */
  #gathered: Pending[] = [];
  #id = 0;
  #batch = 0;
  /** Set during a short loss of the connection, while requests wait for it. */
  #cancelEnd: (() => void) | null = null;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  start(): void {
    const { bus, instance, nodes } = this.#options;
    nodes.follow(this);
    bus.subscribe(`${replySubject(bus.name, '*', instance)}.*`, this.#take);
    bus.onChange((isConnected) => {
      if (isConnected) this.#resume();
      else this.#waitForBroker();
    });
  }

  /** Unanswered requests. */
  get size(): number {
    return [...this.#pending.values()].filter(({ receiver }) => receiver !== null).length;
  }

  /** False without a broker, once the short wait for another server is over. */
  get canAsk(): boolean {
    return this.#options.bus.isConnected || this.#cancelEnd !== null;
  }

  /** @returns an id for `drop`; null without a broker. */
  ask(node: Node, ask: Omit<Ask, 'id'>, receiver: Receiver): number | null {
    if (!this.canAsk) return null;
    this.#id += 1;
    const id = this.#id;
    const pending: Pending = { node, ask: { id, ...ask }, receiver, batch: 0, cancelTimer: null };
    this.#pending.set(id, pending);
    node.waiting += 1;
    // Else it is sent when the connection is back.
    if (this.#options.bus.isConnected) this.#gather(pending);
    return id;
  }

  /** Drops a request whose answer is not needed. It counts as the node's load until answered. */
  drop(id: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (pending.batch === 0) {
      this.#settle(id, pending);
      return;
    }
    pending.receiver = null;
    const { bus, clock, instance } = this.#options;
    // A message may have been lost between two servers, which neither end notices.
    pending.cancelTimer = clock.after(UNANSWERED_MS_MAX, () => {
      this.#settle(id, pending);
    });
    const cancel: Cancel = { v: VERSION, instance, ids: [id] };
    bus.publish(cancelSubject(pending.node.name, bus.name), JSON.stringify(cancel));
  }

  /** Notifies the receivers of all requests to a node. */
  lose(node: string, why: Lost): void {
    for (const [id, pending] of this.#pending) if (pending.node.name === node) this.#lose(id, pending, why);
  }

  /** Resends a node's open requests, which may be lost with its connection. The node ignores those still running. */
  askAgain(node: string): void {
    for (const [id, pending] of this.#pending) if (pending.node.name === node) this.#askAgain(id, pending);
  }

  #askAgain(id: number, pending: Pending): void {
    if (pending.receiver === null) this.#settle(id, pending);
    else this.#gather(pending);
  }

  #lose(id: number, pending: Pending, why: Lost): void {
    if (why !== 'silent') this.#settle(id, pending);
    pending.receiver?.lost(pending.node.name, why);
  }

  #settle(id: number, { node, cancelTimer }: Pending): void {
    if (!this.#pending.delete(id)) return;
    cancelTimer?.();
    node.waiting -= 1;
  }

  #gather(pending: Pending): void {
    this.#gathered.push(pending);
    if (this.#gathered.length > 1) return;
    queueMicrotask(() => {
      this.#send();
    });
  }

  #send(): void {
    const wanted = this.#gathered.filter(
      ({ receiver, ask }) => receiver !== null && this.#pending.has(ask.id),
    );
    this.#gathered = [];
    for (const [node, all] of Map.groupBy(wanted, (pending) => pending.node.name))
      for (let at = 0; at < all.length; at += ASKS_PER_MESSAGE_MAX)
        this.#sendTo(node, all.slice(at, at + ASKS_PER_MESSAGE_MAX));
  }

  #sendTo(node: string, all: readonly Pending[]): void {
    this.#batch += 1;
    const batch = this.#batch;
    for (const pending of all) pending.batch = batch;
    const text = JSON.stringify({ v: VERSION, asks: all.map(({ ask }) => ask) });
    const { bus, instance } = this.#options;
    bus.publish(askSubject(node, bus.name), text, `${replySubject(bus.name, node, instance)}.${batch}`);
  }

  readonly #take = (message: BusMessage): void => {
    const node = answererOf(message.subject);
    if (isUnheard(message)) {
      this.#loseBatch(node, Number(lastToken(message.subject)));
      return;
    }
    const received = readAnswers(message.string());
    if (received === null) {
      this.#options.onStrange(message.subject);
      return;
    }
    const { late, answers } = received;
    this.#options.nodes.noteLate(node, late);
    for (const answer of answers) {
      const pending = this.#pending.get(answer.id);
      if (pending === undefined || pending.node.name !== node) continue;
      this.#settle(answer.id, pending);
      pending.receiver?.answered(node, answer);
    }
  };

  /** The broker replies in place of a node without a subscription, and only the node itself could reply there. */
  #loseBatch(node: string, batch: number): void {
    for (const [id, pending] of this.#pending)
      if (pending.node.name === node && pending.batch === batch) this.#lose(id, pending, 'unheard');
  }

  /** Resends requests: answers may have been lost with the connection, and requests only read. */
  #resume(): void {
    this.#cancelEnd?.();
    this.#cancelEnd = null;
    for (const [id, pending] of this.#pending) this.#askAgain(id, pending);
  }

  /** Waits only if there is another server: a single server takes longer to start than requests may wait. */
  #waitForBroker(): void {
    const end = () => {
      this.#cancelEnd = null;
      for (const [id, pending] of this.#pending) this.#lose(id, pending, 'disconnected');
    };
    const { bus, clock } = this.#options;
    if (bus.hasOtherServer) this.#cancelEnd = clock.after(RECONNECT_MS_MAX, end);
    else end();
  }
}
