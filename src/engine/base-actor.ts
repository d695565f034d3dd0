import type { BaseReply, BaseRequest, ReadRequest, ReplyTo, SearchRequest } from './messages.ts';
import { failed, type Outcome } from './outcome.ts';
import { NO_THREADS, type Abandonment } from './port.ts';
import { BaseHealth } from './health.ts';
import { DataVersion } from './data-version.ts';
import { BaseWatch } from './base-watch.ts';
import type { BaseActorOptions } from './base-options.ts';
import type { BaseStatus } from './snapshot.ts';
import { SlowQueue } from './slow-queue.ts';
import { SlowLane, isCutShort, quickly } from './slow-lane.ts';
import { ResultCache } from './result-cache.ts';
import { Mailbox, spentOf, type Envelope } from './mailbox.ts';
import { countMs, isOfPage, isProbe, isCacheable, probe } from './requests.ts';
import { StepTimer, cachedStep, type Step } from './steps.ts';

interface Asked {
  readonly request: BaseRequest;
  readonly timer: StepTimer;
}
type Waiting = Envelope<Asked, BaseReply>;
/** The outcomes of a batch; null for a request that the port returned unstarted. */
type Outcomes = readonly (Outcome<BaseReply> | null)[];
/** A request without its budget, which is the time limit of `ask` less the time in the queue. */
export type Unbudgeted<R extends BaseRequest> = R extends BaseRequest ? Omit<R, 'budget_ms'> : never;

/** Most requests in one batch. */
const BATCH_SIZE_MAX = 16;
/**
 * Until a batch has run this long, arriving requests are gathered for the next one: one batch of many costs far less than
 * many of one, and leaves the cores to other bases. A batch that runs longer has an expensive request in it, and the next
 * one starts beside it.
 */
const PATIENCE_MS = 5;
/**
 * A base is congested when a request has spent more than this share of its time in the queue. The remaining share is
 * enough to answer, and the threads have work until more comes.
 */
const CONGESTED_SHARE = 1 / 3;
/** A base without an answer for this long is not congested but faulty. */
const STANDSTILL_MS = 250;
/** Budget of a probe; searches wait less for it (`data-version.ts`), and the watch not at all (`base-watch.ts`). */
const LOOK_MS_MAX = 1_000;

/**
 * One base: admits requests to a bounded mailbox, drains it in batches into the port, drops requests that have missed
 * their deadline before they start, and knows whether the base is up.
 *
 * A cheap request must not wait for an expensive one, and the cost of a request shows only when it runs. So each request
 * first gets a few milliseconds. One that needs more goes to the slow lane, where it runs by itself with all its
 * remaining time; the slow lane never takes the last thread of several. Searches that were expensive lately go there
 * without a first try.
 */
export class BaseActor {
  readonly #options: BaseActorOptions;
  readonly #mailbox: Mailbox<Asked, BaseReply>;
  readonly #health: BaseHealth;
  readonly #slowLane: SlowLane;
  readonly #cache: ResultCache;
  readonly #dataVersion: DataVersion;
  readonly #watch: BaseWatch;
  readonly #slowQueue: SlowQueue<Asked>;
  #underWay = 0;
  #slowUnderWay = 0;
  #quickUnderWay = 0;
  #quickStartedAt = Number.NEGATIVE_INFINITY;
  #isDrainDue = false;
  #takePatienceBack: (() => void) | null = null;
  #data: Pick<BaseStatus, 'generation' | 'decisoes' | 'demonstracao'> = {
    generation: null,
    decisoes: null,
    demonstracao: null,
  };
  #answeredAt = Number.NEGATIVE_INFINITY;
  #workedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #batchesMax: number;
  #resizing: Promise<unknown> = Promise.resolve();

  constructor(options: BaseActorOptions) {
    this.#options = options;
    this.#batchesMax = options.batchesMax;
    const { clock, base, onState, queueMax } = options;
    this.#mailbox = new Mailbox(clock, queueMax);
    this.#slowQueue = new SlowQueue(queueMax);
    this.#health = new BaseHealth(clock, (state, detail) => {
      onState(base, state, detail);
    });
    this.#slowLane = new SlowLane(clock);
    this.#cache = new ResultCache(options.resultCacheMb ?? 0);
    this.#dataVersion = new DataVersion(clock, async () => {
      const outcome = await this.ask<ReadRequest>(probe(), LOOK_MS_MAX);
      return outcome.ok ? (outcome.value.data_version ?? null) : null;
    });
    this.#watch = new BaseWatch({
      clock,
      port: options.port,
      isUp: () => this.#health.current.state === 'up',
      probe: () => this.ask<ReadRequest>(probe(), LOOK_MS_MAX),
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
   */
  async ask<R extends BaseRequest>(
    request: Unbudgeted<R>,
    budgetMs: number,
    abandoned?: Abandonment,
    steps?: Step[],
  ): Promise<Outcome<ReplyTo<R>>> {
    const sent: BaseRequest = { ...request, budget_ms: budgetMs };
    const { base, clock, onStep } = this.#options;
    const timer = new StepTimer(base, sent, clock.now());
    steps?.push(timer.step);
    const answer = this.#mailbox.ask(
      { request: sent, timer },
      budgetMs + countMs(sent),
      abandoned,
      isOfPage(sent),
    );
    this.#drainSoon();
    const outcome = await answer;
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
    const isLate =
      this.#mailbox.isFull ||
      this.#mailbox.spent > CONGESTED_SHARE ||
      (this.#isSlowLate && this.#slowLane.has(request));
    const isAtWork = this.#options.clock.now() - this.#workedAt < STANDSTILL_MS;
    return isLate && isAtWork && this.#health.current.state === 'up';
  }

  /** True while the slow lane has no room for another search, or none in time. */
  get #isSlowLate(): boolean {
    const { first, isFull } = this.#slowQueue;
    return first !== undefined && (isFull || spentOf(first, this.#options.clock.now()) > CONGESTED_SHARE);
  }

  status(): BaseStatus {
    return {
      ...this.#health.current,
      waiting: this.#mailbox.size + this.#slowQueue.size,
      under_way: this.#underWay,
      result_cache_bytes: this.#cache.bytes,
      ...this.#data,
      ...(this.#options.port.status?.() ?? NO_THREADS),
    };
  }

  /** Changes how many requests may wait. Waiting requests stay. */
  changeQueueMax(queueMax: number): void {
    this.#mailbox.sizeMax = queueMax;
    this.#slowQueue.sizeMax = queueMax;
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
    const resized = this.#resizing.then(() => this.#resize(threads));
    this.#resizing = resized.catch(() => undefined);
    return resized;
  }

  async #resize(threads: number): Promise<number> {
    const { port } = this.#options;
    if (port.resize === undefined || this.#isClosed) return this.#batchesMax;
    // Never more batches than threads: a smaller number holds at once, a larger one only afterwards.
    let inForce = this.#batchesMax;
    this.#batchesMax = Math.min(inForce, threads);
    try {
      inForce = await port.resize(threads);
    } finally {
      this.#batchesMax = inForce;
      this.#drain();
    }
    return inForce;
  }

  async close(): Promise<void> {
    // The end of the port fails requests under way, which says nothing about the base.
    this.#isClosed = true;
    this.#watch.close();
    await this.#options.port.close();
  }

  /** Drains after the events that are already waiting, so that requests which arrive together share a batch. */
  #drainSoon(): void {
    if (this.#isDrainDue) return;
    this.#isDrainDue = true;
    this.#options.clock.soon(() => {
      this.#isDrainDue = false;
      this.#drain();
    });
  }

  #drain(): void {
    // With a single thread the slow lane runs only when nothing else waits.
    const slowMayStart = () =>
      this.#slowUnderWay < this.#slowMax && (this.#batchesMax > 1 || this.#mailbox.size === 0);
    while (this.#underWay < this.#batchesMax) {
      const slow = slowMayStart() ? this.#slowQueue.take() : undefined;
      if (slow !== undefined) {
        void this.#runSlow(slow);
        continue;
      }
      if (this.#isGathering()) return;
      const batch = this.#takeQuick();
      if (batch.length === 0) {
        if (slowMayStart() && this.#slowQueue.size > 0) continue;
        return;
      }
      void this.#runQuick(batch);
    }
  }

  /** True while a batch has just begun; the queue is drained again when that batch has run long. */
  #isGathering(): boolean {
    if (this.#quickUnderWay === 0) return false;
    const left = this.#quickStartedAt + PATIENCE_MS - this.#options.clock.now();
    if (left <= 0) return false;
    if (this.#mailbox.size > 0) {
      this.#takePatienceBack ??= this.#options.clock.after(left, () => {
        this.#takePatienceBack = null;
        this.#drain();
      });
    }
    return true;
  }

  async #runQuick(batch: readonly Waiting[]): Promise<void> {
    this.#quickUnderWay += 1;
    this.#quickStartedAt = this.#options.clock.now();
    await this.#run(batch, quickly);
    this.#quickUnderWay -= 1;
    this.#takePatienceBack?.();
    this.#takePatienceBack = null;
    this.#drainSoon();
  }

  async #runSlow(envelope: Waiting): Promise<void> {
    const { request } = envelope.message;
    const startedAt = this.#options.clock.now();
    this.#slowUnderWay += 1;
    const [outcome] = await this.#run([envelope], (whole) => whole);
    this.#slowUnderWay -= 1;
    if (outcome?.ok === true) this.#slowLane.noteAnswered(request, this.#answeredAt - startedAt);
    this.#drain();
  }

  get #slowMax(): number {
    return Math.max(1, this.#batchesMax - 1);
  }

  /** Takes a batch from the mailbox; searches known to be expensive move to the slow lane. */
  #takeQuick(): Waiting[] {
    for (;;) {
      const taken = this.#mailbox.take(BATCH_SIZE_MAX);
      const quick = taken.filter(({ message }) => !this.#slowLane.has(message.request));
      for (const envelope of taken) if (!quick.includes(envelope)) this.#slowQueue.put(envelope);
      if (quick.some(({ message }) => isProbe(message.request))) this.#dataVersion.leave();
      if (quick.length > 0 || taken.length === 0) return quick;
    }
  }

  /** @param limited adds limits to a request, beside its remaining time. */
  async #run(batch: readonly Waiting[], limited: (request: BaseRequest) => BaseRequest): Promise<Outcomes> {
    this.#underWay += 1;
    const now = this.#options.clock.now();
    const requests = batch.map(({ message: { request, timer }, deadline }) => {
      timer.run(now);
      return limited({ ...request, budget_ms: Math.max(0, deadline - now - countMs(request)) });
    });
    const outcomes = await this.#ask(requests, batch.length === 1 ? batch[0]?.abandoned : undefined);
    this.#answeredAt = this.#options.clock.now();
    if (outcomes.some((outcome) => outcome?.ok === true)) this.#workedAt = this.#answeredAt;
    const givenBack: Waiting[] = [];
    for (const [at, envelope] of batch.entries()) {
      const outcome = outcomes[at];
      envelope.message.timer.stop(this.#answeredAt);
      if (outcome === null) givenBack.push(envelope);
      else if (outcome === undefined) envelope.reply(failed('unavailable', 'the port lost a reply'));
      else if (isCutShort(requests[at], outcome, envelope, this.#answeredAt))
        this.#moveToSlowLane(envelope, outcome);
      else envelope.reply(outcome);
    }
    if (!this.#isClosed) this.#health.note(outcomes);
    this.#mailbox.putBack(givenBack);
    this.#underWay -= 1;
    return outcomes;
  }

  async #ask(requests: readonly BaseRequest[], abandoned: Abandonment | undefined): Promise<Outcomes> {
    try {
      return await this.#options.port.run(requests, abandoned);
    } catch (error) {
      // A port answers with outcomes. One that throws has a bug, which must not stop the actor.
      return requests.map(() => failed('unavailable', String(error)));
    }
  }

  #moveToSlowLane(envelope: Waiting, outcome: Outcome<BaseReply>): void {
    const { request } = envelope.message;
    if (outcome.ok) {
      // Only the count is missing. The page is complete and must not be lost in a queue.
      const isFree = this.#slowQueue.size === 0 && this.#slowUnderWay < this.#slowMax;
      if (isFree) this.#slowQueue.put(envelope);
      else envelope.reply(outcome);
      return;
    }
    this.#slowQueue.put(envelope);
    this.#slowLane.note(request);
  }
}
