import type { Asker } from './asker.ts';
import type { Clock, Abandonment } from '../clock.ts';
import type { ExpensiveWork } from './expensive-work.ts';
import { Mailbox, type Envelope } from './mailbox.ts';
import type { BaseReply, BaseRequest, Unbudgeted } from './messages.ts';
import { failed, type Outcome } from './outcome.ts';
import type { BasePort, Outcomes, Ran } from './port.ts';
import { isOfPage } from './requests.ts';
import type { StepTimer } from './steps.ts';

/** Most requests in a batch. Batches had 8 to 11 requests under the load of 32 connections. */
const BATCH_SIZE_MAX = 16;
/**
 * Processor time of a cheap request. A request that needs more, as estimated by its thread or as measured, is expensive. Users'
 * queries took 2 ms in a base of 1,000,000 decisions, at most 6, phrases of common words 9, at most 13.
 */
const CHEAP_WORK_MS = 15;
/** For counting where no expensive request could start. */
const CHEAP_COUNT_MS = 40;

interface Asked {
  readonly request: Unbudgeted<BaseRequest>;
  readonly timer: StepTimer;
}
type Waiting = Envelope<Asked, BaseReply>;
const LOST = failed('unavailable', 'the port lost a reply');

export interface DispatcherOptions {
  readonly clock: Clock;
  readonly port: Pick<BasePort, 'run'>;
  readonly queueMax: number;
  /** The number of threads at this moment: the most batches that run at once. */
  readonly threads: () => number;
  /** The expensive work of all bases. */
  readonly expensive: ExpensiveWork;
  /** Called with the outcomes of each batch. */
  readonly onOutcomes: (outcomes: Outcomes) => void;
}

/**
 * Takes requests from the mailbox to the port and their outcomes back. Cheap requests run in batches. The thread knows
 * beforehand which request is expensive and returns it: then it waits in another mailbox until the expensive work of
 * all bases has room for it, and runs with all the time it has left.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #cheap: Mailbox<Asked, BaseReply>;
  readonly #expensive: Mailbox<Asked, BaseReply>;
  #running = 0;
  #expensiveRunning = 0;
  /** When a request was answered last. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #isDrainDue = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { clock, queueMax, expensive } = options;
    this.#cheap = new Mailbox(clock, queueMax);
    this.#expensive = new Mailbox(clock, queueMax, expensive.ledger);
    expensive.add({
      next: () => (this.#mayStartExpensive ? this.#expensive.next() : null),
      start: () => this.#startExpensive(),
    });
  }

  /** Batches that run. */
  get running(): number {
    return this.#running;
  }

  /** Requests that wait, cheap and expensive ones. */
  get waiting(): number {
    return this.#cheap.size + this.#expensive.size;
  }

  /** Changes how many requests may wait, of each kind. Waiting requests stay. */
  set queueMax(queueMax: number) {
    this.#cheap.sizeMax = queueMax;
    this.#expensive.sizeMax = queueMax;
  }

  /** Puts a request in the mailbox. Its outcome comes by its deadline. */
  ask(
    request: Unbudgeted<BaseRequest>,
    deadline: number,
    timer: StepTimer,
    asker: Asker,
  ): Promise<Outcome<BaseReply>> {
    const mailbox = request.kind === 'cover' ? this.#expensive : this.#cheap;
    const answer = mailbox.ask({ request, timer }, deadline, asker, isOfPage(request));
    this.#drainSoon();
    return answer;
  }

  /** True while a request of the asker would be refused or would wait for most of its time, although others are answered. */
  isCongestedFor(asker: number): boolean {
    return this.#cheap.isCongestedFor(asker, this.#answeredAt);
  }

  /** Starts as many batches as the threads can take. */
  drain(): void {
    const { threads, expensive } = this.#options;
    expensive.drain();
    while (this.#running < threads()) {
      const batch = this.#cheap.take(BATCH_SIZE_MAX);
      if (batch.length === 0) return;
      void this.#runCheap(batch);
    }
  }

  /** Drains after the events that are already waiting, so that requests which arrive together share a batch. */
  #drainSoon(): void {
    if (this.#isDrainDue) return;
    this.#isDrainDue = true;
    this.#options.clock.soon(() => {
      this.#isDrainDue = false;
      this.drain();
    });
  }

  async #runCheap(batch: readonly Waiting[]): Promise<void> {
    const outcomes = await this.#run(batch, true);
    const unstarted: Waiting[] = [];
    for (const [at, envelope] of batch.entries()) {
      const ran = outcomes[at];
      this.#cheap.settle(envelope, ran?.work_ms);
      if (ran === null) unstarted.push(envelope);
      else if (ran === undefined) envelope.reply(LOST);
      else if ('cost_ms' in ran) {
        envelope.costMs = ran.cost_ms;
        this.#expensive.put(envelope);
      } else envelope.reply(ran);
    }
    this.#cheap.putBack(unstarted);
    this.#drainSoon();
  }

  /** Of several threads the last one stays for cheap requests; a single one takes an expensive one when no other waits. */
  get #mayStartExpensive(): boolean {
    const threads = this.#options.threads();
    const isFree = this.#running < threads && this.#expensiveRunning < Math.max(1, threads - 1);
    return isFree && (threads > 1 || this.#cheap.size === 0);
  }

  /** A request that cannot end in its time is not started while others wait, whose time it would take. */
  #startExpensive(): Promise<unknown> {
    const { clock, expensive } = this.#options;
    const [envelope] = this.#expensive.take(1);
    if (envelope === undefined) return Promise.resolve();
    if (envelope.deadline - clock.now() < envelope.costMs && expensive.isWaiting) {
      this.#expensive.settle(envelope, 0);
      envelope.reply(failed('deadline'));
      return Promise.resolve();
    }
    // A thread that is blocked beyond the deadline keeps no other base waiting.
    return Promise.race([this.#runExpensive(envelope), envelope.ended]);
  }

  async #runExpensive(envelope: Waiting): Promise<void> {
    this.#expensiveRunning += 1;
    const [ran] = await this.#run([envelope], false);
    this.#expensiveRunning -= 1;
    this.#expensive.settle(envelope, ran?.work_ms);
    if (ran === null) this.#expensive.putBack([envelope]);
    else envelope.reply(ran === undefined || 'cost_ms' in ran ? LOST : ran);
    this.#drainSoon();
  }

  async #run(batch: readonly Waiting[], isCheap: boolean): Promise<Outcomes> {
    const { clock, expensive, onOutcomes } = this.#options;
    const countMs = expensive.isFree && this.#mayStartExpensive ? Number.POSITIVE_INFINITY : CHEAP_COUNT_MS;
    this.#running += 1;
    const startedAt = clock.now();
    const requests = batch.map(({ message: { request, timer }, deadline }): BaseRequest => {
      timer.run(startedAt);
      const sent = { ...request, budget_ms: Math.max(0, deadline - startedAt) };
      return isCheap ? { ...countedWithin(sent, countMs), work_ms: CHEAP_WORK_MS } : sent;
    });
    const outcomes = await this.#send(requests, batch.length === 1 ? batch[0]?.abandoned : undefined);
    const endedAt = clock.now();
    for (const { message } of batch) message.timer.stop(endedAt);
    if (outcomes.some((ran) => ran?.ok === true)) this.#answeredAt = endedAt;
    onOutcomes(outcomes);
    this.#running -= 1;
    return outcomes;
  }

  async #send(requests: readonly BaseRequest[], abandoned: Abandonment | undefined): Promise<Outcomes> {
    try {
      return await this.#options.port.run(requests, abandoned);
    } catch (error) {
      // A port answers with outcomes. One that throws has a bug, which must not stop the actor.
      return requests.map((): Ran => failed('unavailable', String(error)));
    }
  }
}

function countedWithin(request: BaseRequest, ms: number): BaseRequest {
  if (request.kind !== 'search' || request.count_ms === null) return request;
  return { ...request, count_ms: Math.min(request.count_ms, ms) };
}
