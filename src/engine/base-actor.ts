import type { BaseReply, BaseRequest, ReadRequest, ReplyTo, SearchRequest } from './messages.ts';
import { failed, type Outcome } from './outcome.ts';
import { NO_THREADS, type Abandonment, type BasePort } from './port.ts';
import type { Base } from '../contract/enums.ts';
import type { Clock } from './clock.ts';
import { BaseHealth } from './health.ts';
import { DataVersion } from './data-version.ts';
import { BaseWatch } from './base-watch.ts';
import { Dispatcher } from './dispatcher.ts';
import { PROBE_MS_MAX } from '../config/limits.ts';
import type { BaseStatus } from './snapshot.ts';
import { ResultCache } from './result-cache.ts';
import { isCacheable, isProbe, probe } from './requests.ts';
import { StepTimer, cachedStep, type Step } from './steps.ts';
import { ThreadCount } from './thread-count.ts';

/** What a base actor needs. */
export interface BaseActorOptions {
  readonly base: Base;
  readonly port: BasePort;
  readonly clock: Clock;
  /** The pool's threads at the start; as many batches run at once. */
  readonly threads: number;
  readonly queueMax: number;
  /** Size of the result cache, megabytes; 0 for no cache. */
  readonly resultCacheMb?: number;
  /** Called once when the base goes down and once when it comes back. The caller logs it. */
  readonly onState: (base: Base, state: 'up' | 'down', detail: string) => void;
  /** Called at the end of every request to the base, except probes. */
  readonly onStep?: (step: Step) => void;
}

/** A request without its budget, which is the time limit of `ask` less the time in the queue. */
export type Unbudgeted<R extends BaseRequest> = R extends BaseRequest ? Omit<R, 'budget_ms'> : never;

/** What a base elsewhere is told of a request. */
export interface How {
  /** Its result cache is not to answer. */
  readonly isAnew?: boolean;
  /** The client's trace. */
  readonly traceparent?: string | undefined;
}

/** A base as those see it who ask it: an actor of this process, or one elsewhere. */
export type AskedBase = Pick<
  BaseActor,
  | 'ask'
  | 'recall'
  | 'isCongestedFor'
  | 'status'
  | 'open'
  | 'changeThreads'
  | 'changeQueueMax'
  | 'changeResultCacheMb'
  | 'close'
> & {
  /** Of a base that nodes have: its state on each, by name. */
  nodes?(): Readonly<Record<string, string>>;
};

/**
 * One base. Its parts: the dispatcher brings requests through the queues to the port, the result cache answers repeated
 * ones while the data version is the same, and the health says whether the base answers.
 */
export class BaseActor {
  readonly #options: BaseActorOptions;
  readonly #dispatcher: Dispatcher;
  readonly #threads: ThreadCount;
  readonly #health: BaseHealth;
  readonly #watch: BaseWatch;
  readonly #cache: ResultCache;
  readonly #dataVersion: DataVersion;
  /** From the latest reply. */
  #data: Pick<BaseStatus, 'generation' | 'decisoes' | 'demonstracao'> = {
    generation: null,
    decisoes: null,
    demonstracao: null,
  };
  #isClosed = false;

  constructor(options: BaseActorOptions) {
    this.#options = options;
    const { clock, base, port, onState, queueMax } = options;
    const sendProbe = () => this.ask<ReadRequest>(probe(), PROBE_MS_MAX);
    this.#health = new BaseHealth(clock, (state, detail) => {
      onState(base, state, detail);
    });
    this.#threads = new ThreadCount(port, options.threads, () => {
      this.#dispatcher.drain();
    });
    this.#dispatcher = new Dispatcher({
      clock,
      port,
      queueMax,
      threads: () => this.#threads.current,
      onOutcomes: (outcomes) => {
        // The end of the port fails requests under way, which says nothing about the base.
        if (!this.#isClosed) this.#health.note(outcomes);
      },
      onProbe: () => {
        this.#dataVersion.leave();
      },
    });
    this.#cache = new ResultCache(options.resultCacheMb ?? 0);
    this.#dataVersion = new DataVersion(clock, async () => {
      const outcome = await sendProbe();
      return outcome.ok ? (outcome.value.data_version ?? null) : null;
    });
    this.#watch = new BaseWatch({
      clock,
      port,
      isUp: () => this.#health.current.state === 'up',
      probe: sendProbe,
      onFault: (detail) => {
        this.#health.note([failed('unavailable', detail)]);
      },
    });
  }

  /**
   * The cached reply to an equal request, if the base confirms that its data version is still the same. Null when the
   * base must be asked; null at once, without a promise, when nothing is cached or the base is down: only a request
   * shows that it is back.
   * @param steps as in `ask`.
   */
  recall<R extends SearchRequest | ReadRequest>(
    request: Unbudgeted<R>,
    steps?: Step[],
  ): Promise<ReplyTo<R> | null> | null {
    const reply = this.#cache.find(request);
    if (reply === undefined || this.#health.current.state !== 'up') return null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored under the request that it answers
    return this.#recallIf(reply as ReplyTo<R>, request, steps);
  }

  async #recallIf<R>(
    reply: R & Pick<BaseReply, 'data_version'>,
    request: Unbudgeted<BaseRequest>,
    steps?: Step[],
  ): Promise<R | null> {
    if ((await this.#dataVersion.current()) !== reply.data_version) return null;
    const { base, clock, onStep } = this.#options;
    const step = cachedStep(base, request, clock.now());
    steps?.push(step);
    onStep?.(step);
    return reply;
  }

  /**
   * @param budgetMs time for the request, the wait in the queue included; a search that counts may
   *   take its `count_ms` more.
   * @param abandoned aborted when nobody waits for the answer any more: the outcome is then `abandoned`, at once.
   * @param steps receives an entry for this request at once; it is complete when the outcome is there.
   * @param _how for a base elsewhere; here only `recall` looks into the result cache.
   */
  async ask<R extends BaseRequest>(
    request: Unbudgeted<R>,
    budgetMs: number,
    abandoned?: Abandonment,
    steps?: Step[],
    _how: How = {},
  ): Promise<Outcome<ReplyTo<R>>> {
    const sent: BaseRequest = { ...request, budget_ms: budgetMs };
    const { base, clock, onStep } = this.#options;
    const timer = new StepTimer(base, sent, clock.now());
    steps?.push(timer.step);
    const outcome = await this.#dispatcher.ask(sent, timer, abandoned);
    timer.end(outcome, clock.now());
    if (!isProbe(sent)) onStep?.(timer.step);
    if (outcome.ok) {
      const { generation, decisoes, demonstracao = null } = outcome.value;
      this.#data = { generation, decisoes, demonstracao };
    }
    if (outcome.ok && outcome.value.kind !== sent.kind) return failed('unavailable', 'reply of another kind');
    if (outcome.ok && isCacheable(sent)) this.#cache.keep(sent, outcome.value);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return outcome as Outcome<ReplyTo<R>>;
  }

  /** Has the port open the base before the first search needs it, and starts the watch, which reports a base that is down. */
  async open(budgetMs: number): Promise<void> {
    this.#watch.start();
    await this.ask<ReadRequest>(probe(), budgetMs);
  }

  /**
   * True while requests wait long although the base works; for a search known to be expensive, the slow lane counts too.
   * A search over several bases is then better rejected as a whole. A base at a standstill is not congested: the other
   * bases answer without it.
   */
  isCongestedFor(request: Unbudgeted<SearchRequest>): boolean {
    return this.#dispatcher.isLateFor(request) && this.#health.isWorking;
  }

  status(): BaseStatus {
    return {
      ...this.#health.current,
      waiting: this.#dispatcher.waiting,
      under_way: this.#dispatcher.underWay,
      result_cache_bytes: this.#cache.bytes,
      ...this.#data,
      ...(this.#options.port.status?.() ?? NO_THREADS),
    };
  }

  /** Changes how many requests may wait. Waiting requests stay. */
  changeQueueMax(queueMax: number): void {
    this.#dispatcher.queueMax = queueMax;
  }

  /** Changes the size of the result cache, and empties it. */
  changeResultCacheMb(resultCacheMb: number): void {
    this.#cache.mbMax = resultCacheMb;
  }

  /**
   * Changes the number of threads, and so of batches under way at once. Changes run one after the other.
   * @returns the threads in force afterwards; unchanged when the port cannot change them.
   * @throws what the port throws; the threads are then unchanged.
   */
  changeThreads(threads: number): Promise<number> {
    return this.#threads.change(threads);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#threads.close();
    this.#watch.close();
    await this.#options.port.close();
  }
}
