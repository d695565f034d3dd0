import type { Base } from '../contract/vocabulary.ts';
import { ASKERS, type Asker } from '../engine/asker.ts';
import type { AskedBase, Unbudgeted } from '../engine/base-actor.ts';
import type { BaseReply, BaseRequest, BaseStatus, ReplyTo } from '../engine/messages.ts';
import { failed, type Outcome } from '../engine/outcome.ts';
import { isProbe } from '../engine/requests.ts';
import { StepTimer, type Step } from '../engine/steps.ts';
import { mergedStatus } from '../processes/merged-status.ts';
import { HedgeDelay } from './hedging.ts';
import { RemoteAsk, type AskParts, type Ended } from './remote-ask.ts';

const NOTHING = (): void => undefined;
const DONE = (): Promise<void> => Promise.resolve();

export interface RemoteBaseOptions extends AskParts {
  readonly base: Base;
  /** Called at the end of every request to the base. */
  readonly onStep?: (step: Step) => void;
}

/** A base on remote nodes, with the interface of a local actor. */
export class RemoteBase implements AskedBase {
  readonly #options: RemoteBaseOptions;
  readonly #delay = new HedgeDelay();
  /** Running requests, by asker. */
  readonly #open = new Map<number, number>();
  #hasBeenSeen = false;

  constructor(options: RemoteBaseOptions) {
    this.#options = options;
  }

  /** As `BaseActor.ask`. The budget begins at the node; the wait here is slightly longer. */
  ask<R extends BaseRequest>(
    request: Unbudgeted<R>,
    budgetMs: number,
    { id = ASKERS.service, abandoned, steps, isAnew = false, traceparent }: Asker = {},
  ): Promise<Outcome<ReplyTo<R>>> {
    const { base, clock } = this.#options;
    const sent: BaseRequest = { ...request, budget_ms: Math.max(0, budgetMs) };
    const timer = new StepTimer(base, sent, clock.now());
    steps?.push(timer.step);
    const { promise, resolve } = Promise.withResolvers<Outcome<ReplyTo<R>>>();
    const ask = {
      base,
      asker: id,
      generation_min: generationOf(sent),
      anew: isAnew,
      ...(traceparent !== undefined && { traceparent }),
      request: sent,
    };
    const asked = { ask, hedgeMs: this.#delay.ms, abandoned };
    this.#open.set(id, (this.#open.get(id) ?? 0) + 1);
    new RemoteAsk(this.#options, asked, (ended) => {
      const open = (this.#open.get(id) ?? 1) - 1;
      if (open === 0) this.#open.delete(id);
      else this.#open.set(id, open);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a reply of another kind is a failure
      resolve(this.#finish(sent, timer, ended) as Outcome<ReplyTo<R>>);
    }).start();
    return promise;
  }

  /**
   * True while all its nodes are congested, for askers with at least an equal part of the requests here: nodes do not tell
   * whose requests wait.
   */
  isCongestedFor(asker: number = ASKERS.service): boolean {
    const open = [...this.#open.values()].reduce((sum, count) => sum + count, 0);
    if ((this.#open.get(asker) ?? 0) * this.#open.size < Math.max(1, open)) return false;
    const live = this.#options.nodes.askableOf(this.#options.base);
    return live.length > 0 && live.every(({ bases }) => bases.get(this.#options.base)?.late === true);
  }

  status(): BaseStatus {
    const { base, nodes, caller } = this.#options;
    const none = mergedStatus([]);
    if (!caller.canAsk) return { ...none, state: 'down', detail: 'no connection to the broker' };
    const live = nodes.askableOf(base).flatMap(({ name, bases }) => {
      const replica = bases.get(base);
      return replica === undefined ? [] : [{ name: `node ${name}`, status: replica.status }];
    });
    if (live.length > 0) {
      this.#hasBeenSeen = true;
      return mergedStatus(live);
    }
    if (nodes.liveOf(base).length > 0)
      return { ...none, state: 'down', detail: 'all nodes with the base were taken out' };
    const isKnown = this.#hasBeenSeen || nodes.haveHadTime;
    return isKnown ? { ...none, state: 'down', detail: 'no node has the base' } : none;
  }

  nodes(): Readonly<Record<string, string>> {
    const { base, nodes } = this.#options;
    return Object.fromEntries(
      nodes.all.flatMap(({ name, isLive, isTakenOut, bases }) => {
        const replica = bases.get(base);
        if (replica === undefined) return [];
        return [[name, isLive ? (isTakenOut ? 'out' : replica.status.state) : 'gone']];
      }),
    );
  }

  /** Files, threads, queues and result caches belong to the nodes. */
  readonly open = DONE;
  readonly close = DONE;
  readonly changeThreads = (): Promise<number> => Promise.resolve(this.status().threads);
  readonly changeQueueMax = NOTHING;
  readonly changeResultCacheMb = NOTHING;

  #finish(sent: BaseRequest, timer: StepTimer, { outcome, node, asks }: Ended): Outcome<BaseReply> {
    const { clock, onStep } = this.#options;
    const { step } = timer;
    const now = clock.now();
    // The next reply may come from another node's copy.
    if (outcome.ok) delete outcome.value.file;
    const isOther = outcome.ok && outcome.value.kind !== sent.kind;
    const checked: Outcome<BaseReply> = isOther ? failed('unavailable', 'reply of another kind') : outcome;
    const tookMs = now - step.startedAt;
    timer.end(checked, now);
    step.asks = asks;
    const answering = node === null ? undefined : asks.findLast((ask) => ask.node === node);
    step.queueMs = answering?.queueMs ?? tookMs;
    step.runMs = tookMs - step.queueMs;
    if (answering !== undefined) {
      step.cached = answering.cached;
      step.node = answering.node;
      this.#delay.note(tookMs);
    }
    if (!isProbe(sent)) onStep?.(step);
    return checked;
  }
}

/** The generation from which a position in the results, or row numbers, were taken. */
function generationOf(request: BaseRequest): number {
  switch (request.kind) {
    case 'search':
      return request.after?.generation ?? 0;
    case 'read':
      return request.generation_min ?? 0;
    case 'cover':
    case 'near':
      return 0;
  }
}
