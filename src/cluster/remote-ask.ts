import { NEWER_DATA_MS, NODE_RETRY_MS, RECONNECT_MS_MAX } from '../config/limits.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { Clock } from '../engine/clock.ts';
import type { BaseReply, BaseRequest } from '../engine/messages.ts';
import { failed, type Failed, type Outcome } from '../engine/outcome.ts';
import type { Abandonment } from '../engine/port.ts';
import type { Caller, Lost, Receiver } from './caller.ts';
import type { HedgeBudget } from './hedging.ts';
import type { Answer } from './messages.ts';
import type { Nodes } from './nodes.ts';

export interface AskParts {
  readonly clock: Clock;
  readonly nodes: Nodes;
  readonly caller: Caller;
  readonly hedges: HedgeBudget;
  /** The latest data of a base that anybody may have seen, as its nodes have told all fronts; else what they say here. */
  readonly shown?: (base: Base) => number;
}

/** One request to a base, whatever node answers it. */
export interface RemoteRequest {
  readonly base: Base;
  readonly request: BaseRequest;
  readonly isAnew: boolean;
  readonly traceparent: string | undefined;
  /** Data that are older must not answer. */
  readonly generationMin: number;
  /** Longest wait, milliseconds. */
  readonly limitMs: number;
  /** When a second node is asked too. */
  readonly hedgeMs: number;
  readonly abandoned: Abandonment | undefined;
}

/** How a request ended. `answer`: of the node whose outcome it is; null where none is. */
export interface Ended {
  readonly outcome: Outcome<BaseReply>;
  readonly node: string | null;
  readonly answer: Answer | null;
}

/** Asks nodes for one answer: another one where the first is gone, fails or takes long; the first good answer counts. */
export class RemoteAsk implements Receiver {
  readonly #parts: AskParts;
  readonly #asked: RemoteRequest;
  readonly #end: (ended: Ended) => void;
  readonly #startedAt: number;
  /** Nodes that were asked, and the ids of the requests that are open. */
  readonly #tried = new Set<string>();
  readonly #open = new Map<string, number>();
  #generationMin: number;
  #failure: Failed = failed('unavailable', 'no node has the base');
  #isOver = false;
  #takeLimitBack: () => void = () => undefined;
  #takeHedgeBack: () => void = () => undefined;
  #takeLaterBack: () => void = () => undefined;

  constructor(parts: AskParts, asked: RemoteRequest, end: (ended: Ended) => void) {
    this.#parts = parts;
    this.#asked = asked;
    this.#end = end;
    this.#generationMin = asked.generationMin;
    this.#startedAt = parts.clock.now();
  }

  start(): void {
    const { clock, hedges } = this.#parts;
    const { abandoned, limitMs, hedgeMs } = this.#asked;
    if (abandoned?.aborted === true) {
      this.#finish({ outcome: failed('abandoned'), node: null, answer: null });
      return;
    }
    hedges.noteRequest();
    abandoned?.addEventListener('abort', this.#leave);
    this.#takeLimitBack = clock.after(limitMs, this.#endInTime);
    if (hedgeMs < limitMs) this.#takeHedgeBack = clock.after(hedgeMs, this.#hedge);
    if (!this.#askAnother()) this.#waitForNode();
  }

  answered(node: string, answer: Answer): void {
    this.#open.delete(node);
    if (this.#isOver) return;
    const { nodes } = this.#parts;
    const { base } = this.#asked;
    const { outcome } = answer;
    nodes.noteAnswer(node, base, outcome.ok ? outcome.value.generation : null);
    if (!outcome.ok && isOfNode(outcome)) {
      this.#failure = outcome;
      if (!this.#askAnother() && this.#open.size === 0) this.#fail();
      return;
    }
    if (outcome.ok && this.#isTooOld(outcome.value)) {
      this.#failure = failed('unavailable', 'only older data answered');
      this.#generationMin = this.#newest();
      if (!this.#askAnother() && this.#open.size === 0) this.#askLater();
      return;
    }
    // Nodes that were asked before this one and are silent: they count as having lost the request.
    for (const silent of this.#open.keys()) if (isBefore(this.#tried, silent, node)) nodes.noteLost(silent);
    this.#finish({ outcome, node, answer });
  }

  lost(node: string, why: Lost): void {
    if (this.#isOver) return;
    if (why !== 'ejected') this.#open.delete(node);
    if (why === 'unheard') this.#parts.nodes.noteUnheard(node);
    if (why === 'disconnected') this.#failure = failed('unavailable', 'no connection to the broker');
    else if (why !== 'ejected') this.#failure = failed('unavailable', `node ${node} is gone`);
    if (!this.#askAnother() && this.#open.size === 0) this.#waitForNode();
  }

  /** @returns false where there is no other node. */
  #askAnother(): boolean {
    const { nodes, caller, clock } = this.#parts;
    const { base, request, isAnew, traceparent } = this.#asked;
    const node = nodes.choose(base, this.#generationMin, this.#tried);
    if (node === null) return false;
    const spentMs = clock.now() - this.#startedAt;
    const budget_ms = Math.max(0, request.budget_ms - spentMs);
    const id = caller.ask(
      node.name,
      {
        base,
        generation_min: this.#generationMin,
        anew: isAnew,
        ...(traceparent !== undefined && { traceparent }),
        request: spentMs === 0 ? request : { ...request, budget_ms },
      },
      this,
    );
    if (id === null) {
      this.#failure = failed('unavailable', 'no connection to the broker');
      return false;
    }
    this.#tried.add(node.name);
    node.waiting += 1;
    this.#open.set(node.name, id);
    return true;
  }

  readonly #hedge = (): void => {
    const { nodes, hedges } = this.#parts;
    const other = nodes.choose(this.#asked.base, this.#generationMin, this.#tried);
    if (other !== null && hedges.take()) this.#askAnother();
  };

  readonly #endInTime = (): void => {
    for (const node of this.#open.keys()) this.#parts.nodes.noteLost(node);
    this.#finish({ outcome: failed('deadline', 'no answer in time'), node: null, answer: null });
  };

  readonly #leave = (): void => {
    this.#finish({ outcome: failed('abandoned'), node: null, answer: null });
  };

  /** True for a reply that lacks a row and is older than the newest data, where the row may be. */
  #isTooOld(reply: BaseReply): boolean {
    const isMissing = reply.kind === 'read' && reply.linhas.includes(null);
    return isMissing && reply.generation < this.#newest();
  }

  #newest(): number {
    const { nodes, shown } = this.#parts;
    return Math.max(nodes.newest(this.#asked.base), shown?.(this.#asked.base) ?? 0);
  }

  /** Asks again in a moment: a node announces newer data shortly before it answers from them. The request's limit ends this. */
  #askLater(): void {
    const takeBack = this.#parts.clock.after(NEWER_DATA_MS, () => {
      if (this.#isOver) return;
      this.#forgetTried();
      if (!this.#askAnother()) this.#askLater();
    });
    this.#takeLaterBack = takeBack;
  }

  /**
   * Waits for a node and asks again. A node that lost its NATS server finds another one within moments, and one that has
   * newer data says so within moments.
   */
  #waitForNode(): void {
    const { clock, nodes } = this.#parts;
    const { base } = this.#asked;
    const isEarly = clock.now() - this.#startedAt < RECONNECT_MS_MAX;
    const mayHaveNewer = this.#generationMin > nodes.newest(base) && nodes.liveOf(base).length > 0;
    if (!isEarly || !(mayHaveNewer || nodes.mayComeBack(base))) {
      this.#fail();
      return;
    }
    this.#takeLaterBack = clock.after(NODE_RETRY_MS, () => {
      if (this.#isOver) return;
      this.#forgetTried();
      if (!this.#askAnother()) this.#waitForNode();
    });
  }

  #fail(): void {
    this.#finish({ outcome: this.#failure, node: null, answer: null });
  }

  #finish(ended: Ended): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#takeLimitBack();
    this.#takeHedgeBack();
    this.#takeLaterBack();
    this.#asked.abandoned?.removeEventListener('abort', this.#leave);
    const { caller } = this.#parts;
    for (const [, id] of this.#open) caller.drop(id, true);
    this.#forgetTried();
    this.#end(ended);
  }

  #forgetTried(): void {
    for (const name of this.#tried) {
      const node = this.#parts.nodes.node(name);
      if (node !== undefined) node.waiting -= 1;
    }
    this.#tried.clear();
  }
}

/** True for a failure that another node may not have. */
function isOfNode({ failure }: Failed): boolean {
  return failure === 'unavailable' || failure === 'overloaded';
}

/** True where `first` was added before `second`. */
function isBefore(all: ReadonlySet<string>, first: string, second: string): boolean {
  for (const one of all) {
    if (one === first) return true;
    if (one === second) return false;
  }
  return false;
}
