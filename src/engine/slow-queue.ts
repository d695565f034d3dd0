import type { BaseReply } from './messages.ts';
import { failed } from './outcome.ts';
import type { Envelope } from './mailbox.ts';

/** The queue of the slow lane: a bounded list of expensive requests that wait for a thread. */
export class SlowQueue<Message> {
  #sizeMax: number;
  #waiting: Envelope<Message, BaseReply>[] = [];

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** Changes the bound. Requests beyond a smaller bound stay; new ones are refused until there is room. */
  set sizeMax(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#waiting.length;
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#sizeMax;
  }

  /** The first request whose sender still waits. */
  get first(): Envelope<Message, BaseReply> | undefined {
    return this.#waiting.find((envelope) => envelope.open());
  }

  /** Removes and returns the first request whose sender still waits; drops those before it. */
  take(): Envelope<Message, BaseReply> | undefined {
    while (this.#waiting.length > 0) {
      const envelope = this.#waiting.shift();
      if (envelope?.open() === true) return envelope;
    }
    return undefined;
  }

  /** Adds a request, or answers it with `overloaded` when there is no room. */
  put(envelope: Envelope<Message, BaseReply>): void {
    if (this.isFull) this.#waiting = this.#waiting.filter((waiting) => waiting.open());
    if (!this.isFull) this.#waiting.push(envelope);
    else envelope.reply(failed('overloaded', 'slow lane full'));
  }
}
