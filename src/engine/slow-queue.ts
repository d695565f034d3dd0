import type { BaseReply } from './messages.ts';
import { failed } from './outcome.ts';
import type { Envelope } from './mailbox.ts';

/** The dear that wait for a thread apart, bounded as the mailbox is. */
export class SlowQueue<Message> {
  #sizeMax: number;
  #waiting: Envelope<Message, BaseReply>[] = [];

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** From now on so many may wait; those beyond that wait on, and no other comes in. */
  set sizeMax(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#waiting.length;
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#sizeMax;
  }

  /** The first whose sender still waits. */
  get first(): Envelope<Message, BaseReply> | undefined {
    return this.#waiting.find((envelope) => envelope.open());
  }

  /** Takes that one; those before it are dropped. */
  take(): Envelope<Message, BaseReply> | undefined {
    while (this.#waiting.length > 0) {
      const envelope = this.#waiting.shift();
      if (envelope?.open() === true) return envelope;
    }
    return undefined;
  }

  /** What finds no place is answered so. */
  put(envelope: Envelope<Message, BaseReply>): void {
    if (this.isFull) this.#waiting = this.#waiting.filter((waiting) => waiting.open());
    if (!this.isFull) this.#waiting.push(envelope);
    else envelope.reply(failed('overloaded', 'queue of dear searches full'));
  }
}
