import type { Clock } from './clock.ts';
import { ExpensiveSearches } from './expensive-searches.ts';
import { Mailbox, type Envelope } from './mailbox.ts';
import type { BaseReply, BaseRequest } from './messages.ts';
import type { Outcome } from './outcome.ts';

type Waiting<Message> = Envelope<Message, BaseReply>;

/**
 * Where expensive requests run: one at a time on a thread, with all the time they have left, and never on the last thread
 * of several, which stays for cheap ones. It remembers them, so that the same search comes here without a first try.
 */
export class SlowLane<Message extends { readonly request: BaseRequest }> {
  readonly #clock: Clock;
  readonly #expensive: ExpensiveSearches;
  readonly #queue: Mailbox<Message, BaseReply>;
  #underWay = 0;

  constructor(clock: Clock, queueMax: number) {
    this.#clock = clock;
    this.#expensive = new ExpensiveSearches(clock);
    this.#queue = new Mailbox(clock, queueMax);
  }

  /** Changes how many requests may wait. Waiting requests stay. */
  set sizeMax(sizeMax: number) {
    this.#queue.sizeMax = sizeMax;
  }

  /** Requests that wait. */
  get size(): number {
    return this.#queue.size;
  }

  /** True for a request that belongs here without a first try. */
  takes(request: Parameters<ExpensiveSearches['has']>[0]): boolean {
    return this.#expensive.has(request);
  }

  /** True while there is no room for another search, or none in time. */
  get isLate(): boolean {
    return this.#queue.isLate;
  }

  /** Adds a request, or answers it with `overloaded` when there is no room. */
  put(envelope: Waiting<Message>): void {
    this.#queue.put(envelope);
  }

  /** Adds a request whose first try was cut short with this outcome. @param threads of the base. */
  putCutShort(envelope: Waiting<Message>, outcome: Outcome<BaseReply>, threads: number): void {
    if (outcome.ok) {
      // Only the count is missing. The page is complete and must not be lost in a queue.
      const isFree = this.#queue.size === 0 && this.#underWay < mostUnderWay(threads);
      if (isFree) this.#queue.put(envelope);
      else envelope.reply(outcome);
      return;
    }
    this.#queue.put(envelope);
    this.#expensive.note(envelope.message.request);
  }

  /** True while a waiting request may start. @param threads of the base. @param waiting cheap requests. */
  mayStart(threads: number, waiting: number): boolean {
    // A single thread takes expensive requests only when nothing else waits.
    return this.#underWay < mostUnderWay(threads) && (threads > 1 || waiting === 0);
  }

  /** The next request whose sender still waits, if one may start. */
  take(threads: number, waiting: number): Waiting<Message> | undefined {
    return this.mayStart(threads, waiting) ? this.#queue.take(1)[0] : undefined;
  }

  /** Runs a request that was taken. @param run gives its outcome; null when the port returned it unstarted. */
  async run(
    { message }: Waiting<Message>,
    run: () => Promise<Outcome<BaseReply> | null | undefined>,
  ): Promise<void> {
    const startedAt = this.#clock.now();
    this.#underWay += 1;
    const outcome = await run();
    this.#underWay -= 1;
    if (outcome?.ok === true) this.#expensive.noteAnswered(message.request, this.#clock.now() - startedAt);
  }
}

function mostUnderWay(threads: number): number {
  return Math.max(1, threads - 1);
}
