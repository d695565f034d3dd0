import type { Clock } from './clock.ts';
import { CONGESTED_SHARE, DROP_EVERY_MS } from '../config/limits.ts';
import { failed, type Outcome } from './outcome.ts';
import type { Abandonment } from './port.ts';

/** A message on its way to an actor, with the time by which its sender stops waiting. */
export interface Envelope<Message, Reply> {
  readonly message: Message;
  /** On the clock's `now`, milliseconds, as the next one. */
  readonly arrived: number;
  readonly deadline: number;
  /** False once the sender has its outcome: from the actor, from the time limit, or because it left. */
  readonly open: () => boolean;
  /** Aborted when the sender leaves; work on the message may then stop. */
  readonly abandoned: Abandonment | undefined;
  readonly reply: (outcome: Outcome<Reply>) => void;
}

/**
 * The bounded mailbox of an actor. Every ask ends: with the actor's reply, with `deadline` when its time
 * limit passes, with `abandoned` when its sender leaves, or at once with `overloaded` when the mailbox is full.
 */
export class Mailbox<Message, Reply> {
  readonly #clock: Clock;
  #sizeMax: number;
  #waiting: Envelope<Message, Reply>[] = [];
  #droppedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, sizeMax: number) {
    this.#clock = clock;
    this.#sizeMax = sizeMax;
  }

  /** Changes the bound. Messages beyond a smaller bound stay; new ones are refused until there is room. */
  set sizeMax(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** How much of its time the first message in line has spent waiting, 0 to 1; 0 when none waits. */
  get spent(): number {
    const first = this.#waiting.find((envelope) => envelope.open());
    if (first === undefined) return 0;
    const { arrived, deadline } = first;
    return (this.#clock.now() - arrived) / Math.max(1, deadline - arrived);
  }

  get isFull(): boolean {
    if (this.#waiting.length >= this.#sizeMax && this.#clock.now() - this.#droppedAt >= DROP_EVERY_MS) {
      this.#dropClosed();
    }
    return this.#waiting.length >= this.#sizeMax;
  }

  /** True while a new message would find no room, or would wait for most of its time. */
  get isLate(): boolean {
    return this.isFull || this.spent > CONGESTED_SHARE;
  }

  /**
   * Puts a message in the mailbox and waits for its outcome, `limitMs` at the most.
   * @param abandoned aborted when the sender leaves: a waiting message is then dropped before it starts.
   * @param isContinuation true for a message that completes work already admitted: it is admitted even when full.
   */
  ask(
    message: Message,
    limitMs: number,
    abandoned?: Abandonment,
    isContinuation = false,
  ): Promise<Outcome<Reply>> {
    if (abandoned?.aborted === true) return Promise.resolve(failed('abandoned'));
    if (!isContinuation && this.isFull) return Promise.resolve(failed('overloaded', 'mailbox full'));
    const { promise, resolve } = Promise.withResolvers<Outcome<Reply>>();
    let isOpen = true;
    const close = (outcome: Outcome<Reply>) => {
      if (!isOpen) return;
      isOpen = false;
      takeBack();
      abandoned?.removeEventListener('abort', leave);
      resolve(outcome);
    };
    const leave = () => {
      close(failed('abandoned'));
    };
    abandoned?.addEventListener('abort', leave);
    const takeBack = this.#clock.after(limitMs, () => {
      close(failed('deadline'));
    });
    const arrived = this.#clock.now();
    const open = () => isOpen;
    this.#waiting.push({ message, arrived, deadline: arrived + limitMs, open, abandoned, reply: close });
    return promise;
  }

  /** Takes up to `most` messages whose senders still wait, in order; drops the others on the way. */
  take(most: number): Envelope<Message, Reply>[] {
    const taken: Envelope<Message, Reply>[] = [];
    let at = 0;
    while (at < this.#waiting.length && taken.length < most) {
      const envelope = this.#waiting[at];
      if (envelope?.open() === true) taken.push(envelope);
      at += 1;
    }
    this.#waiting.splice(0, at);
    return taken;
  }

  /** Adds a message that another mailbox took in, or answers it with `overloaded` when there is no room. */
  put(envelope: Envelope<Message, Reply>): void {
    if (this.#waiting.length >= this.#sizeMax) this.#dropClosed();
    if (this.#waiting.length < this.#sizeMax) this.#waiting.push(envelope);
    else envelope.reply(failed('overloaded', 'mailbox full'));
  }

  /** Puts taken messages back at the head, in their order. */
  putBack(envelopes: readonly Envelope<Message, Reply>[]): void {
    this.#waiting.unshift(...envelopes);
  }

  /** Reads the whole mailbox, and so not for each of the many messages that a full one refuses. */
  #dropClosed(): void {
    this.#droppedAt = this.#clock.now();
    this.#waiting = this.#waiting.filter((envelope) => envelope.open());
  }
}
