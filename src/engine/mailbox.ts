import { bug } from '../bug.ts';
import type { Clock, Abandonment } from '../clock.ts';
import { ASKERS, type Asker } from './asker.ts';
import type { Turn } from './expensive-work.ts';
import { Ledger } from './ledger.ts';
import { failed, type Outcome } from './outcome.ts';

/**
 * A base is congested when a request has spent more than this fraction of its time in the queue, and the base has answered others
 * in as long: one at a standstill lets the other bases answer without it. The rest of the time is enough to answer. With load
 * shedding by this limit, five times the peak load left 72% of the peak's complete answers; before, 23 to 33%.
 */
const CONGESTED_SHARE = 1 / 3;
/** Processor time, milliseconds, that an asker is charged for a message until it is known, so that a batch has fair shares. */
const EXPECTED_MS = 0.2;

/** A message on its way to an actor, with the time by which its sender stops waiting. */
export interface Envelope<Message, Reply> {
  readonly message: Message;
  readonly asker: number;
  /** On the clock's `now`, milliseconds, as the next one. */
  readonly arrived: number;
  readonly deadline: number;
  /** Expected processor time, milliseconds: what its asker is charged when it is taken. */
  costMs: number;
  /** False once the sender has its outcome: from the actor, from the time limit, or because it left. */
  isOpen: boolean;
  /** Aborted when the sender leaves; work on the message may then stop. */
  readonly abandoned: Abandonment | undefined;
  /** Null while an actor has the message. */
  waitsIn: Mailbox<Message, Reply> | null;
  readonly reply: (outcome: Outcome<Reply>) => void;
  /** Settles when it is no longer open. */
  readonly ended: Promise<unknown>;
}

/**
 * The bounded mailbox of an actor. Askers take turns: the next message is the oldest of the asker who has had least work
 * lately. Every ask ends: with the actor's reply, with `deadline` when its time limit passes, with `abandoned` when its
 * sender leaves, or with `overloaded` when the mailbox is full: then the asker with most messages loses its latest.
 */
export class Mailbox<Message, Reply> {
  readonly #clock: Clock;
  readonly #ledger: Ledger;
  /** How many messages may wait. Messages beyond a smaller bound stay; new ones are refused until there is room. */
  sizeMax: number;
  /** Each asker's messages, the oldest first; none is empty. */
  readonly #waiting = new Map<number, Envelope<Message, Reply>[]>();
  #size = 0;

  constructor(clock: Clock, sizeMax: number, ledger = new Ledger()) {
    this.#clock = clock;
    this.sizeMax = sizeMax;
    this.#ledger = ledger;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * True while a new message of the asker would find no room, or would wait for most of its time behind its own.
   * @param answeredAt when the actor answered last.
   */
  isCongestedFor(asker: number, answeredAt: number): boolean {
    const own = this.#waiting.get(asker);
    const first = own?.[0];
    if (first === undefined) return false;
    const waitMsMax = (first.deadline - first.arrived) * CONGESTED_SHARE;
    const since = this.#clock.now() - waitMsMax;
    const isFull = this.#size >= this.sizeMax && this.#longest() === own;
    return answeredAt > since && (isFull || first.arrived < since);
  }

  /**
   * Puts a message in the mailbox and waits for its outcome until `deadline`, on the clock's `now`.
   * @param isContinuation true for a message that completes work already admitted: it is admitted even when full.
   */
  ask(
    message: Message,
    deadline: number,
    { id: asker = ASKERS.service, abandoned }: Asker = {},
    isContinuation = false,
  ): Promise<Outcome<Reply>> {
    if (abandoned?.aborted === true) return Promise.resolve(failed('abandoned'));
    const { promise, resolve } = Promise.withResolvers<Outcome<Reply>>();
    const arrived = this.#clock.now();
    const envelope: Envelope<Message, Reply> = {
      message,
      asker,
      arrived,
      deadline,
      costMs: EXPECTED_MS,
      isOpen: true,
      abandoned,
      waitsIn: null,
      reply: (outcome) => {
        if (!envelope.isOpen) return;
        envelope.isOpen = false;
        cancelTimer();
        abandoned?.removeEventListener('abort', leave);
        if (envelope.waitsIn !== null) envelope.waitsIn.#remove(envelope);
        resolve(outcome);
      },
      ended: promise,
    };
    const leave = () => {
      envelope.reply(failed('abandoned'));
    };
    abandoned?.addEventListener('abort', leave);
    const cancelTimer = this.#clock.after(Math.max(0, deadline - arrived), () => {
      envelope.reply(failed('deadline'));
    });
    this.put(envelope, isContinuation);
    return promise;
  }

  /** Adds a message, also one that another mailbox took in. */
  put(envelope: Envelope<Message, Reply>, isContinuation = false): void {
    if (envelope.isOpen && this.#size >= this.sizeMax && !isContinuation) {
      const longest = this.#longest();
      const own = this.#waiting.get(envelope.asker)?.length ?? 0;
      // If all have as many messages, the one who comes has to wait.
      const refused = longest.length > own + 1 ? longest.at(-1) : envelope;
      refused?.reply(failed('overloaded', 'mailbox full'));
    }
    this.#add(envelope, 'push');
  }

  /** What the asker who is next has had lately, and the deadline of its message; null if nobody waits. */
  next(): Turn | null {
    const first = this.#next();
    return first === null ? null : { spent: this.#ledger.spentBy(first.asker), deadline: first.deadline };
  }

  /** Takes up to `most` messages, of each asker its share of these. Each is charged as expected; `settle` corrects that. */
  take(most: number): Envelope<Message, Reply>[] {
    const taken: Envelope<Message, Reply>[] = [];
    const share = Math.ceil(most / Math.max(1, this.#waiting.size));
    const counts = new Map<number, number>();
    while (taken.length < most) {
      const next = this.#next();
      const count = next === null ? share : (counts.get(next.asker) ?? 0);
      if (next === null || count === share) break;
      counts.set(next.asker, count + 1);
      this.#remove(next);
      this.#ledger.serve(next.asker);
      this.#ledger.charge(next.asker, next.costMs);
      taken.push(next);
    }
    return taken;
  }

  /** Charges what the work on a taken message took beyond what was expected. */
  settle({ asker, costMs }: Envelope<Message, Reply>, workMs = costMs): void {
    this.#ledger.charge(asker, workMs - costMs);
  }

  /** Puts taken messages back, each before the others of its asker. */
  putBack(envelopes: readonly Envelope<Message, Reply>[]): void {
    for (const envelope of envelopes.toReversed()) this.#add(envelope, 'unshift');
  }

  /** The oldest message of the asker who had least. */
  #next(): Envelope<Message, Reply> | null {
    let next: Envelope<Message, Reply> | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [asker, own] of this.#waiting) {
      const spent = this.#ledger.spentBy(asker);
      if (spent >= least) continue;
      next = own[0] ?? null;
      least = spent;
    }
    return next;
  }

  /** The messages of the asker who has most. */
  #longest(): readonly Envelope<Message, Reply>[] {
    let longest: readonly Envelope<Message, Reply>[] = [];
    for (const own of this.#waiting.values()) if (own.length > longest.length) longest = own;
    return longest;
  }

  #add(envelope: Envelope<Message, Reply>, end: 'push' | 'unshift'): void {
    if (!envelope.isOpen) return;
    this.#waiting.getOrInsertComputed(envelope.asker, () => [])[end](envelope);
    this.#size += 1;
    envelope.waitsIn = this;
  }

  #remove(envelope: Envelope<Message, Reply>): void {
    const own = this.#waiting.get(envelope.asker) ?? bug('no messages of an asker');
    own.splice(own.indexOf(envelope), 1);
    this.#size -= 1;
    if (own.length === 0) this.#waiting.delete(envelope.asker);
    envelope.waitsIn = null;
  }
}
