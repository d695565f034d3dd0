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
/** Of a batch; null where a request went back. */
type Outcomes = readonly (Outcome<BaseReply> | null)[];
/** A request without its budget: that is the time limit of the ask, less what the queue takes of it. */
export type Unbudgeted<R extends BaseRequest> = R extends BaseRequest ? Omit<R, 'budget_ms'> : never;

/** Requests drained into one batch at the most. */
const BATCH_SIZE_MAX = 16;
/**
 * A batch that takes longer than this has something dear in it, and no other waits for its end. Until then what
 * comes is gathered: one batch of many costs far less than many of one, and leaves the cores to other bases.
 */
const PATIENCE_MS = 5;
/** Of its time that a request spends in the queue: enough is left, and the threads have work until more comes. */
const CONGESTED_SHARE = 1 / 3;
/** A base that has answered nothing for so long is not congested: something is wrong with it. */
const STANDSTILL_MS = 250;
/** Of a look at its state, on which nobody waits for so long (`base-state.ts`, `base-watch.ts`). */
const LOOK_MS_MAX = 1_000;

/**
 * One base: admits requests to a bounded mailbox, drains it in batches into the port, drops what can no
 * longer meet its deadline before it starts, and knows whether the base is up.
 *
 * A cheap request must not wait for a dear one, and what is dear shows only when it runs. So each request is
 * first given a few milliseconds; one that needs more is asked again with all the time it has left, by itself,
 * and such requests never take the last thread of several. Those seen lately are known, and go there at once.
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
  #data: Pick<BaseStatus, 'geracao' | 'decisoes' | 'demonstracao'> = {
    geracao: null,
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
      return outcome.ok ? (outcome.value.estado ?? null) : null;
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
   * What the base answered to the same request, if it says now that its data are still those; null where it has to be
   * asked, at once where nothing is kept. One that is down is asked, for nothing else tells that it is back.
   * @param steps as in `ask`.
   */
  recall<R extends SearchRequest | ReadRequest>(
    request: Unbudgeted<R>,
    steps?: Step[],
  ): Promise<ReplyTo<R> | null> | null {
    const reply = this.#cache.find(request);
    if (reply === undefined || this.#health.current.state !== 'up') return null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept under the request that it answers
    return this.#recallIf(reply as ReplyTo<R>, request, steps);
  }

  async #recallIf<R>(
    reply: R & Pick<BaseReply, 'estado'>,
    request: Unbudgeted<BaseRequest>,
    steps?: Step[],
  ): Promise<R | null> {
    if ((await this.#dataVersion.current()) !== reply.estado) return null;
    const { base, clock, onStep } = this.#options;
    const step = cachedStep(base, request, clock.now());
    steps?.push(step);
    onStep?.(step);
    return reply;
  }

  /**
   * @param budgetMs time for the request itself, the wait in the queue included; a search that counts may
   *   take its `count_ms` more.
   * @param abandoned aborted when nobody waits for the answer any more: the outcome is then `abandoned`, at once.
   * @param steps where this ask is noted down, at once; the note is complete when the outcome is there.
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
      const { geracao, decisoes, demonstracao = null } = outcome.value;
      this.#data = { geracao, decisoes, demonstracao };
    }
    if (outcome.ok && outcome.value.kind !== sent.kind) return failed('unavailable', 'reply of another kind');
    if (outcome.ok && isCacheable(sent)) this.#cache.keep(sent, outcome.value);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return outcome as Outcome<ReplyTo<R>>;
  }

  /**
   * Has the port open the base before the first search needs it, and from then on looks at its state once a second: a
   * base that is down is told of at once, whoever asks or not.
   */
  async open(budgetMs: number): Promise<void> {
    this.#watch.start();
    await this.ask<ReadRequest>(probe(), budgetMs);
  }

  /**
   * True while what is cheap waits for long although the base is at work, or what is dear where this request is known to
   * be dear: whoever needs this base and others does better not to ask any of them. A base that stands still concerns
   * nobody but itself.
   */
  isCongestedFor(request: Unbudgeted<SearchRequest>): boolean {
    const isLate =
      this.#mailbox.isFull ||
      this.#mailbox.spent > CONGESTED_SHARE ||
      (this.#isSlowLate && this.#slowLane.has(request));
    const isAtWork = this.#options.clock.now() - this.#workedAt < STANDSTILL_MS;
    return isLate && isAtWork && this.#health.current.state === 'up';
  }

  /** True while a search known to be dear would find no place, or none in time. */
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

  /** Changes how many requests may wait. Those that wait already do so still. */
  changeQueueMax(queueMax: number): void {
    this.#mailbox.sizeMax = queueMax;
    this.#slowQueue.sizeMax = queueMax;
  }

  /** Changes how much of answers is kept; what was kept until then is let go. */
  changeResultCacheMb(resultCacheMb: number): void {
    this.#cache.mbMax = resultCacheMb;
  }

  /**
   * Changes the threads behind the base and with them the batches under way at once, one change after the other.
   * @returns the threads in force afterwards: as before where the port cannot have others.
   * @throws what the port throws; its threads are then as before.
   */
  changeThreads(threads: number): Promise<number> {
    const resized = this.#resizing.then(() => this.#resize(threads));
    this.#resizing = resized.catch(() => undefined);
    return resized;
  }

  async #resize(threads: number): Promise<number> {
    const { port } = this.#options;
    if (port.resize === undefined || this.#isClosed) return this.#batchesMax;
    // Fewer threads must never be given more batches than they are; more of them are there only afterwards.
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
    // What the end of the port does to a request under way is no news of the base.
    this.#isClosed = true;
    this.#watch.close();
    await this.#options.port.close();
  }

  /** Once what has come in together is all in the mailbox: one batch then takes it. */
  #drainSoon(): void {
    if (this.#isDrainDue) return;
    this.#isDrainDue = true;
    this.#options.clock.soon(() => {
      this.#isDrainDue = false;
      this.#drain();
    });
  }

  #drain(): void {
    // With a single thread the dear wait until nothing else does.
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

  /** True while a batch has only just begun; what waits is looked at again once it has taken long. */
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

  /** A batch of those not known to be dear; the others change queues. */
  #takeQuick(): Waiting[] {
    for (;;) {
      const taken = this.#mailbox.take(BATCH_SIZE_MAX);
      const quick = taken.filter(({ message }) => !this.#slowLane.has(message.request));
      for (const envelope of taken) if (!quick.includes(envelope)) this.#slowQueue.put(envelope);
      if (quick.some(({ message }) => isProbe(message.request))) this.#dataVersion.leave();
      if (quick.length > 0 || taken.length === 0) return quick;
    }
  }

  /** @param limited puts a limit on what a request may take, beside the time that is left for it. */
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
      envelope.message.timer.rest(this.#answeredAt);
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
      // A port answers with outcomes; one that throws has a bug, which must not take the base down with it.
      return requests.map(() => failed('unavailable', String(error)));
    }
  }

  #moveToSlowLane(envelope: Waiting, outcome: Outcome<BaseReply>): void {
    const { request } = envelope.message;
    if (outcome.ok) {
      // Only its count is wanting, for which a page that is there must not be lost in a queue.
      const isFree = this.#slowQueue.size === 0 && this.#slowUnderWay < this.#slowMax;
      if (isFree) this.#slowQueue.put(envelope);
      else envelope.reply(outcome);
      return;
    }
    this.#slowQueue.put(envelope);
    this.#slowLane.note(request);
  }
}
