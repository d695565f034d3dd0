import type { BaseReply, BaseRequest, ReadRequest, ReplyTo } from '../base/messages.ts';
import { failed, type Outcome } from '../base/outcome.ts';
import type { BasePort } from '../base/port.ts';
import type { Base } from '../contract/enums.ts';
import type { Clock } from './clock.ts';
import { Mailbox, type Envelope } from './mailbox.ts';

type Waiting = Envelope<BaseRequest, BaseReply>;
/** A request without its budget: that is the time limit of the ask, less what the queue takes of it. */
export type Unbudgeted<R extends BaseRequest> = R extends BaseRequest ? Omit<R, 'budget_ms'> : never;

export interface BaseActorOptions {
  readonly base: Base;
  readonly port: BasePort;
  readonly clock: Clock;
  /** Batches under way at once: one for each thread of the pool. */
  readonly batchesMax: number;
  readonly queueMax: number;
  /** Told once when the base goes down and once when it is back: a line in the log each. */
  readonly onState: (base: Base, state: 'up' | 'down', detail: string) => void;
}

/** Requests drained into one batch at the most. */
const BATCH_SIZE_MAX = 16;

/**
 * One base: admits requests to a bounded mailbox, drains it in batches into the port, drops what can no
 * longer meet its deadline before it starts, and knows whether the base is up.
 */
export class BaseActor {
  readonly #options: BaseActorOptions;
  readonly #mailbox: Mailbox<BaseRequest, BaseReply>;
  #underWay = 0;
  #state: 'up' | 'down' | 'unknown' = 'unknown';

  constructor(options: BaseActorOptions) {
    this.#options = options;
    this.#mailbox = new Mailbox(options.clock, options.queueMax);
  }

  /**
   * @param budgetMs time for the request itself, the wait in the queue included; a search that counts may
   *   take its `count_ms` more.
   */
  async ask<R extends BaseRequest>(request: Unbudgeted<R>, budgetMs: number): Promise<Outcome<ReplyTo<R>>> {
    const message: BaseRequest = { ...request, budget_ms: budgetMs };
    const answer = this.#mailbox.ask(message, budgetMs + countMs(message));
    this.#drain();
    const outcome = await answer;
    if (outcome.ok && outcome.value.kind !== message.kind)
      return failed('unavailable', 'reply of another kind');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return outcome as Outcome<ReplyTo<R>>;
  }

  /** Has the port open the base before the first search needs it; a base that is down is told of at once. */
  async warmUp(budgetMs: number): Promise<void> {
    await this.ask<ReadRequest>({ kind: 'read', tabela: 'resumo', numeros: [] }, budgetMs);
  }

  async close(): Promise<void> {
    await this.#options.port.close();
  }

  #drain(): void {
    while (this.#underWay < this.#options.batchesMax && this.#mailbox.size > 0) {
      const batch = this.#mailbox.take(BATCH_SIZE_MAX);
      if (batch.length === 0) return;
      this.#underWay += 1;
      void this.#run(batch);
    }
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    const now = this.#options.clock.now();
    const requests = batch.map(({ message, deadline }) => ({
      ...message,
      budget_ms: Math.max(0, deadline - now - countMs(message)),
    }));
    const outcomes = await this.#ask(requests);
    const givenBack: Waiting[] = [];
    for (const [at, envelope] of batch.entries()) {
      const outcome = outcomes[at];
      if (outcome === null) givenBack.push(envelope);
      else envelope.reply(outcome ?? failed('unavailable', 'the port lost a reply'));
    }
    this.#note(outcomes);
    this.#mailbox.putBack(givenBack);
    this.#underWay -= 1;
    this.#drain();
  }

  async #ask(requests: readonly BaseRequest[]): Promise<readonly (Outcome<BaseReply> | null)[]> {
    try {
      return await this.#options.port.run(requests);
    } catch (error) {
      // A port answers with outcomes; one that throws has a bug, which must not take the base down with it.
      return requests.map(() => failed('unavailable', String(error)));
    }
  }

  #note(outcomes: readonly (Outcome<BaseReply> | null)[]): void {
    for (const outcome of outcomes) {
      if (outcome === null) continue;
      const next = outcome.ok ? 'up' : outcome.failure === 'unavailable' ? 'down' : this.#state;
      if (next === this.#state || next === 'unknown') continue;
      const isNews = next === 'down' || this.#state === 'down';
      this.#state = next;
      const detail = outcome.ok ? '' : (outcome.detail ?? '');
      if (isNews) this.#options.onState(this.#options.base, next, detail);
    }
  }
}

function countMs(message: BaseRequest): number {
  return message.kind === 'search' ? (message.count_ms ?? 0) : 0;
}
