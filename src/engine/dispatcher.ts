import type { Clock } from './clock.ts';
import { firstTryOf, isCutShort } from './first-try.ts';
import { Gathering } from './gathering.ts';
import { BATCH_SIZE_MAX } from '../config/limits.ts';
import { Mailbox, type Envelope } from './mailbox.ts';
import type { BaseReply, BaseRequest } from './messages.ts';
import { failed, type Outcome } from './outcome.ts';
import type { Abandonment, BasePort, Outcomes } from './port.ts';
import { countMs, isOfPage, isProbe } from './requests.ts';
import { SlowLane } from './slow-lane.ts';
import type { StepTimer } from './steps.ts';

interface Asked {
  readonly request: BaseRequest;
  readonly timer: StepTimer;
}
type Waiting = Envelope<Asked, BaseReply>;

export interface DispatcherOptions {
  readonly clock: Clock;
  readonly port: Pick<BasePort, 'run'>;
  readonly queueMax: number;
  /** The number of threads at this moment: the most batches under way at once. */
  readonly threads: () => number;
  /** Called with the outcomes of each batch. */
  readonly onOutcomes: (outcomes: Outcomes) => void;
  /** Called when a probe leaves for the port. */
  readonly onProbe: () => void;
}

/**
 * Takes requests from the mailbox to the port and their outcomes back. Cheap requests run in batches. A cheap request must
 * not wait for an expensive one, and the cost of a request shows only when it runs. So each request first gets a few
 * milliseconds, and one that needs more goes to the slow lane.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #mailbox: Mailbox<Asked, BaseReply>;
  readonly #slowLane: SlowLane<Asked>;
  readonly #gathering: Gathering;
  #underWay = 0;
  #isDrainDue = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#mailbox = new Mailbox(options.clock, options.queueMax);
    this.#slowLane = new SlowLane(options.clock, options.queueMax);
    this.#gathering = new Gathering(options.clock, () => {
      this.drain();
    });
  }

  /** Batches under way. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Requests that wait, in the mailbox and in the slow lane. */
  get waiting(): number {
    return this.#mailbox.size + this.#slowLane.size;
  }

  /** Changes how many requests may wait. Waiting requests stay. */
  set queueMax(queueMax: number) {
    this.#mailbox.sizeMax = queueMax;
    this.#slowLane.sizeMax = queueMax;
  }

  /** Puts a request in the mailbox. Its outcome comes at the latest after its budget and its time for counting. */
  ask(
    request: BaseRequest,
    timer: StepTimer,
    abandoned: Abandonment | undefined,
  ): Promise<Outcome<BaseReply>> {
    const limitMs = request.budget_ms + countMs(request);
    const answer = this.#mailbox.ask({ request, timer }, limitMs, abandoned, isOfPage(request));
    this.#drainSoon();
    return answer;
  }

  /** True while a request like this would be refused, or would wait for most of its time. */
  isLateFor(request: Parameters<SlowLane<Asked>['takes']>[0]): boolean {
    return this.#mailbox.isLate || (this.#slowLane.isLate && this.#slowLane.takes(request));
  }

  /** Starts as many batches as the threads can take. */
  drain(): void {
    const { threads } = this.#options;
    while (this.#underWay < threads()) {
      const expensive = this.#slowLane.take(threads(), this.#mailbox.size);
      if (expensive !== undefined) {
        void this.#runExpensive(expensive);
        continue;
      }
      if (this.#gathering.isOn(this.#mailbox.size)) return;
      const batch = this.#takeBatch();
      if (batch.length > 0) void this.#runBatch(batch);
      else if (this.#slowLane.size === 0 || !this.#slowLane.mayStart(threads(), this.#mailbox.size)) return;
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

  /** Takes a batch from the mailbox; searches known to be expensive move to the slow lane. */
  #takeBatch(): Waiting[] {
    for (;;) {
      const taken = this.#mailbox.take(BATCH_SIZE_MAX);
      const batch = taken.filter(({ message }) => !this.#slowLane.takes(message.request));
      for (const envelope of taken) if (!batch.includes(envelope)) this.#slowLane.put(envelope);
      if (batch.some(({ message }) => isProbe(message.request))) this.#options.onProbe();
      if (batch.length > 0 || taken.length === 0) return batch;
    }
  }

  async #runBatch(batch: readonly Waiting[]): Promise<void> {
    this.#gathering.begin();
    await this.#run(batch, firstTryOf);
    this.#gathering.end();
    this.#drainSoon();
  }

  async #runExpensive(envelope: Waiting): Promise<void> {
    await this.#slowLane.run(envelope, async () => {
      const [outcome] = await this.#run([envelope], (request) => request);
      return outcome;
    });
    this.drain();
  }

  /** @param limited adds the limits of a first try to a request, or none. */
  async #run(batch: readonly Waiting[], limited: (request: BaseRequest) => BaseRequest): Promise<Outcomes> {
    const { clock, onOutcomes } = this.#options;
    this.#underWay += 1;
    const startedAt = clock.now();
    const requests = batch.map(({ message: { request, timer }, deadline }) => {
      timer.run(startedAt);
      return limited({ ...request, budget_ms: Math.max(0, deadline - startedAt - countMs(request)) });
    });
    const outcomes = await this.#send(requests, batch.length === 1 ? batch[0]?.abandoned : undefined);
    const answeredAt = clock.now();
    const unstarted: Waiting[] = [];
    for (const [at, envelope] of batch.entries()) {
      const outcome = outcomes[at];
      envelope.message.timer.stop(answeredAt);
      if (outcome === null) unstarted.push(envelope);
      else if (outcome === undefined) envelope.reply(failed('unavailable', 'the port lost a reply'));
      else if (isCutShort(requests[at], outcome, envelope, answeredAt))
        this.#slowLane.putCutShort(envelope, outcome, this.#options.threads());
      else envelope.reply(outcome);
    }
    onOutcomes(outcomes);
    this.#mailbox.putBack(unstarted);
    this.#underWay -= 1;
    return outcomes;
  }

  async #send(requests: readonly BaseRequest[], abandoned: Abandonment | undefined): Promise<Outcomes> {
    try {
      return await this.#options.port.run(requests, abandoned);
    } catch (error) {
      // A port answers with outcomes. One that throws has a bug, which must not stop the actor.
      return requests.map(() => failed('unavailable', String(error)));
    }
  }
}
