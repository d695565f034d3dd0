import type { BaseReply, BaseRequest, BaseStatus, ReadRequest, ReplyTo, Unbudgeted } from './messages.ts';
import { failed, type Outcome } from './outcome.ts';
import { NO_THREADS, type BasePort } from './port.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { Abandonment, Clock } from '../clock.ts';
import { BaseHealth } from './health.ts';
import { ASKERS, type Asker } from './asker.ts';
import { BaseWatch, WATCH_EVERY_MS } from './base-watch.ts';
import { dataVersionOf, type DataVersion } from './data-version.ts';
import { Dispatcher } from './dispatcher.ts';
import { ExpensiveWork } from './expensive-work.ts';
import { isProbe, probe } from './requests.ts';
import { StepTimer, type Step } from './steps.ts';

/** What a base actor needs. */
export interface BaseActorOptions {
  readonly base: Base;
  readonly port: BasePort;
  readonly clock: Clock;
  /** The pool's threads at the start; as many batches run at once. */
  readonly threads: number;
  readonly queueMax: number;
  /** The expensive work of all bases; this one's alone, one at a time, when absent. */
  readonly expensive?: ExpensiveWork;
  /** Called once when the base goes down and once when it comes back. The caller logs it. */
  readonly onState: (base: Base, state: 'up' | 'down', detail: string) => void;
  /** Called at the end of every request to the base, except probes. */
  readonly onStep?: (step: Step) => void;
}

/** A base as those see it who ask it. */
export type AskedBase = Pick<BaseActor, keyof BaseActor>;

/** From the latest reply. */
type Data = Pick<BaseStatus, 'generation' | 'docs' | 'made_up'>;

/**
 * One base. Its parts: the dispatcher brings requests through the queues to the port, the watch knows the version of the data,
 * and the health says whether the base answers.
 */
export class BaseActor {
  readonly #options: BaseActorOptions;
  readonly #dispatcher: Dispatcher;
  #threads: number;
  #changingThreads: Promise<unknown> = Promise.resolve();
  readonly #health: BaseHealth;
  readonly #watch: BaseWatch;
  #data: Data = { generation: null, docs: null, made_up: null };
  #isClosed = false;

  constructor(options: BaseActorOptions) {
    this.#options = options;
    const { clock, base, port, onState, queueMax } = options;
    this.#health = new BaseHealth(clock, (state, detail) => {
      onState(base, state, detail);
    });
    this.#threads = options.threads;
    this.#dispatcher = new Dispatcher({
      clock,
      port,
      queueMax,
      threads: () => this.#threads,
      expensive: options.expensive ?? new ExpensiveWork(1),
      onOutcomes: (outcomes) => {
        // The end of the port fails running requests, which proves nothing about the base.
        if (!this.#isClosed) this.#health.note(outcomes);
      },
    });
    this.#watch = new BaseWatch({
      clock,
      port,
      isUp: () => this.#health.current.state === 'up',
      probe: () => this.ask<ReadRequest>(probe(), clock.now() + WATCH_EVERY_MS),
      onFault: (detail) => {
        this.#health.note([failed('unavailable', detail)]);
      },
    });
  }

  /** @param deadline when its sender stops waiting, on the clock's `now`. */
  ask<R extends BaseRequest>(
    request: Unbudgeted<R>,
    deadline: number,
    asker: Asker = {},
  ): Promise<Outcome<ReplyTo<R>>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a reply of another kind is a failure
    return this.#answer(request, deadline, asker) as Promise<Outcome<ReplyTo<R>>>;
  }

  async #answer(
    request: Unbudgeted<BaseRequest>,
    deadline: number,
    asker: Asker,
  ): Promise<Outcome<BaseReply>> {
    const { base, clock, onStep } = this.#options;
    const timer = new StepTimer(base, request, clock.now());
    asker.steps?.push(timer.step);
    const answer = await this.#dispatcher.ask(request, deadline, timer, asker);
    const outcome = this.#checked(request, timer, answer);
    timer.end(outcome, clock.now());
    if (!isProbe(request)) onStep?.(timer.step);
    return outcome;
  }

  /** Notes the state of the base that a reply names. */
  #checked(
    { kind }: Unbudgeted<BaseRequest>,
    timer: StepTimer,
    outcome: Outcome<BaseReply>,
  ): Outcome<BaseReply> {
    if (!outcome.ok) return outcome;
    const { generation, docs, made_up = null } = outcome.value;
    this.#data = { generation, docs, made_up };
    this.#watch.note(dataVersionOf(outcome.value), timer.runAt);
    return outcome.value.kind === kind ? outcome : failed('unavailable', 'reply of another kind');
  }

  /**
   * The version of the base's data at this moment; asks the base if the latest reply that named it is too old. Null if the base
   * is not up, or does not say it soon.
   */
  dataVersion(abandoned?: Abandonment): DataVersion | null | Promise<DataVersion | null> {
    return this.#health.current.state === 'up' ? this.#watch.version(abandoned) : null;
  }

  /** Opens the base before the first search needs it, and starts the watch, which reports a base that is down. */
  async open(deadline: number): Promise<void> {
    this.#watch.start();
    await this.ask<ReadRequest>(probe(), deadline);
  }

  /**
   * True while requests of an asker wait long although the base works. A search over several bases is then better rejected as a
   * whole. A base at a standstill is not congested: the other bases answer without it.
   */
  isCongestedFor(asker: number = ASKERS.service): boolean {
    return this.#dispatcher.isCongestedFor(asker);
  }

  status(): BaseStatus {
    return {
      ...this.#health.current,
      waiting: this.#dispatcher.waiting,
      under_way: this.#dispatcher.running,
      ...this.#data,
      ...(this.#options.port.status?.() ?? NO_THREADS),
    };
  }

  /** Changes how many requests may wait. Waiting requests stay. */
  changeQueueMax(queueMax: number): void {
    this.#dispatcher.queueMax = queueMax;
  }

  /**
   * Changes the number of threads, and so of batches that run at once. Changes run one after the other.
   * @returns the number afterwards: unchanged if the port cannot change it, or throws.
   */
  changeThreads(threads: number): Promise<number> {
    const changed = this.#changingThreads.then(() => this.#changeThreads(threads));
    this.#changingThreads = changed.catch(() => undefined);
    return changed;
  }

  async #changeThreads(threads: number): Promise<number> {
    const { port } = this.#options;
    if (port.resize === undefined || this.#isClosed) return this.#threads;
    let current = this.#threads;
    // Never more batches than threads: a smaller number holds at once, a larger one only afterwards.
    this.#threads = Math.min(current, threads);
    try {
      current = await port.resize(threads);
    } finally {
      this.#threads = current;
      this.#dispatcher.drain();
    }
    return current;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.close();
    await this.#options.port.close();
  }
}
