import type { Clock } from './clock.ts';
import { CONGESTED_SHARE, DROP_EVERY_MS } from '../config/limits.ts';
import { ASKERS, type Asker } from './asker.ts';
import { Ledger } from './ledger.ts';
import { failed, type Outcome } from './outcome.ts';
import type { Abandonment } from './port.ts';

/** A message on its way to an actor, with the time by which its sender stops waiting. */
export interface Envelope<Message, Reply> {
  readonly message: Message;
  readonly asker: number;
  /** On the clock's `now`, milliseconds, as the next one. */
  readonly arrived: number;
  readonly deadline: number;
  /** What the sender gets at the deadline; `deadline` where there is nothing yet. */
  otherwise: Outcome<Reply>;
  /** False once the sender has its outcome: from the actor, from the time limit, or because it left. */
  readonly open: () => boolean;
  /** Aborted when the sender leaves; work on the message may then stop. */
  readonly abandoned: Abandonment | undefined;
  readonly reply: (outcome: Outcome<Reply>) => void;
}

/**
 * The bounded mailbox of an actor. Askers take turns: the next message is the oldest of the asker who has had least work
 * lately. Every ask ends: with the actor's reply, with `deadline` when its time limit passes, with `abandoned` when its
 * sender leaves, or with `overloaded` when the mailbox is full: then the asker with most messages loses its latest.
 */
export class Mailbox<Message, Reply> {
  readonly #clock: Clock;
  readonly #ledger: Ledger;
  #sizeMax: number;
  /** Each asker's messages, the oldest first; none is empty. */
  readonly #waiting = new Map<number, Envelope<Message, Reply>[]>();
  #size = 0;
  #droppedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, sizeMax: number, ledger = new Ledger()) {
    this.#clock = clock;
    this.#sizeMax = sizeMax;
    this.#ledger = ledger;
  }

  /** Changes the bound. Messages beyond a smaller bound stay; new ones are refused until there is room. */
  set sizeMax(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    this.#dropClosed();
    return this.#size;
  }

  /** True while it is late for any asker. */
  get isLate(): boolean {
    return [...this.#waiting.keys()].some((asker) => this.isLateFor(asker));
  }

  /** True while a new message of the asker would find no room, or would wait for most of its time behind its own. */
  isLateFor(asker: number): boolean {
    if (this.#isFull() && this.#longest()?.asker === asker) return true;
    const first = this.#waiting.get(asker)?.find(({ open }) => open());
    if (first === undefined) return false;
    const { arrived, deadline } = first;
    return (this.#clock.now() - arrived) / Math.max(1, deadline - arrived) > CONGESTED_SHARE;
  }

  /**
   * Puts a message in the mailbox and waits for its outcome, `limitMs` at the most.
   * @param isContinuation true for a message that completes work already admitted: it is admitted even when full.
   */
  ask(
    message: Message,
    limitMs: number,
    { id: asker = ASKERS.service, abandoned }: Asker = {},
    isContinuation = false,
  ): Promise<Outcome<Reply>> {
    if (abandoned?.aborted === true) return Promise.resolve(failed('abandoned'));
    const { promise, resolve } = Promise.withResolvers<Outcome<Reply>>();
    let isOpen = true;
    const close = (outcome: Outcome<Reply>) => {
      if (!isOpen) return;
      isOpen = false;
      cancelTimer();
      abandoned?.removeEventListener('abort', leave);
      resolve(outcome);
    };
    const leave = () => {
      close(failed('abandoned'));
    };
    abandoned?.addEventListener('abort', leave);
    const cancelTimer = this.#clock.after(limitMs, () => {
      close(envelope.otherwise);
    });
    const arrived = this.#clock.now();
    const envelope: Envelope<Message, Reply> = {
      message,
      asker,
      arrived,
      deadline: arrived + limitMs,
      otherwise: failed('deadline'),
      open: () => isOpen,
      abandoned,
      reply: close,
    };
    this.put(envelope, isContinuation);
    return promise;
  }

  /** Adds a message, which another mailbox may have taken in. */
  put(envelope: Envelope<Message, Reply>, isContinuation = false): void {
    const { asker } = envelope;
    if (!isContinuation && this.#isFull()) {
      const longest = this.#longest();
      // Where all wait for as much, the one who comes has to wait.
      if (longest === undefined || longest.count <= this.#countOf(asker) + 1) {
        envelope.reply(failed('overloaded', 'mailbox full'));
        return;
      }
      this.#waiting.get(longest.asker)?.pop()?.reply(failed('overloaded', 'mailbox full'));
      this.#size -= 1;
    }
    const own = this.#waiting.get(asker);
    if (own === undefined) this.#waiting.set(asker, [envelope]);
    else own.push(envelope);
    this.#size += 1;
  }

  /** What the asker who is next has had lately, and the deadline of its message; null where nobody waits. */
  next(): { readonly spent: number; readonly deadline: number } | null {
    const asker = this.#next();
    const first = asker === null ? undefined : this.#waiting.get(asker)?.[0];
    return first === undefined
      ? null
      : { spent: this.#ledger.spentBy(first.asker), deadline: first.deadline };
  }

  /**
   * Takes up to `most` messages whose senders still wait, of each asker its share of these; drops the others on the way.
   * @param expectedMs what each is charged at once. `settle` corrects it.
   */
  take(most: number, expectedMs: number): Envelope<Message, Reply>[] {
    const taken: Envelope<Message, Reply>[] = [];
    const share = Math.ceil(most / Math.max(1, this.#waiting.size));
    const counts = new Map<number, number>();
    while (taken.length < most) {
      const asker = this.#next();
      const count = asker === null ? share : (counts.get(asker) ?? 0);
      if (asker === null || count === share) break;
      counts.set(asker, count + 1);
      const envelope = this.#shift(asker);
      this.#ledger.serve(asker);
      this.#ledger.charge(asker, expectedMs);
      if (envelope !== undefined) taken.push(envelope);
    }
    return taken;
  }

  /** Charges what the work on a message took beyond what was expected. */
  settle({ asker }: Envelope<Message, Reply>, ms: number): void {
    this.#ledger.charge(asker, ms);
  }

  /** Puts taken messages back, each before the others of its asker. */
  putBack(envelopes: readonly Envelope<Message, Reply>[]): void {
    for (const envelope of envelopes.toReversed()) {
      this.#waiting.set(envelope.asker, [envelope, ...(this.#waiting.get(envelope.asker) ?? [])]);
      this.#size += 1;
    }
  }

  /** Who had least among those with a sender that still waits. */
  #next(): number | null {
    let next: number | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [asker, own] of this.#waiting) {
      if (this.#ledger.spentBy(asker) >= least || !this.#hasOpen(asker, own)) continue;
      next = asker;
      least = this.#ledger.spentBy(asker);
    }
    return next;
  }

  /** Drops what nobody waits for from the head of an asker's messages. */
  #hasOpen(asker: number, own: Envelope<Message, Reply>[]): boolean {
    const at = own.findIndex(({ open }) => open());
    const gone = at === -1 ? own.length : at;
    own.splice(0, gone);
    this.#size -= gone;
    if (own.length === 0) this.#waiting.delete(asker);
    return own.length > 0;
  }

  #shift(asker: number): Envelope<Message, Reply> | undefined {
    const own = this.#waiting.get(asker) ?? [];
    const envelope = own.shift();
    if (envelope !== undefined) this.#size -= 1;
    if (own.length === 0) this.#waiting.delete(asker);
    return envelope;
  }

  #countOf(asker: number): number {
    return this.#waiting.get(asker)?.length ?? 0;
  }

  #longest(): { readonly asker: number; readonly count: number } | undefined {
    let longest: { asker: number; count: number } | undefined;
    for (const [asker, { length }] of this.#waiting) {
      if (longest === undefined || length > longest.count) longest = { asker, count: length };
    }
    return longest;
  }

  #isFull(): boolean {
    if (this.#size >= this.#sizeMax) this.#dropClosed();
    return this.#size >= this.#sizeMax;
  }

  /** Reads the whole mailbox, and so not for each of the many messages that a full one refuses. */
  #dropClosed(): void {
    const now = this.#clock.now();
    if (now - this.#droppedAt < DROP_EVERY_MS) return;
    this.#droppedAt = now;
    for (const [asker, own] of this.#waiting) {
      const kept = own.filter(({ open }) => open());
      this.#size -= own.length - kept.length;
      if (kept.length === 0) this.#waiting.delete(asker);
      else this.#waiting.set(asker, kept);
    }
  }
}
