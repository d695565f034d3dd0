import type { Base } from '../contract/vocabulary.ts';
import type { Clock, Abandonment } from '../clock.ts';
import type { BaseReply } from '../engine/messages.ts';
import { failed, type Failed, type Outcome } from '../engine/outcome.ts';
import type { NodeAsk, NodeOutcome } from '../engine/steps.ts';
import { RECONNECT_MS_MAX, type Caller, type Lost, type Receiver } from './caller.ts';
import type { HedgeBudget } from './hedging.ts';
import type { Answer, Ask } from './messages.ts';
import type { Nodes } from './nodes.ts';

/** Added to the node's time limit by a front, for the round trip. */
export const WAY_MS = 20;
/** Interval at which a request checks for a node that lost its server and came back. */
const NODE_RETRY_MS = 20;
/** A row missing from older data is requested again after this long: a switch takes 20 to 50 ms. */
const NEWER_DATA_MS = 50;

export interface AskParts {
  readonly clock: Clock;
  readonly nodes: Nodes;
  readonly caller: Caller;
  readonly hedges: HedgeBudget;
  /** The latest generation of a base that users may have seen, as its nodes announced it. */
  readonly shown?: (base: Base) => number;
}

interface RemoteRequest {
  readonly ask: Omit<Ask, 'id'>;
  /** Delay before a second node is asked too. */
  readonly hedgeMs: number;
  readonly abandoned: Abandonment | undefined;
}

/** How a request ended. `node`: the node that gave the outcome; null if none did. */
export interface Ended {
  readonly outcome: Outcome<BaseReply>;
  readonly node: string | null;
  readonly asks: readonly NodeAsk[];
}

interface OpenAsk {
  /** For `Caller.drop`. */
  readonly id: number;
  readonly ask: NodeAsk;
}

/** Asks nodes for one answer: if a node is gone, fails or is slow, the next is asked; the first good answer counts. */
export class RemoteAsk implements Receiver {
  readonly #parts: AskParts;
  readonly #asked: RemoteRequest;
  readonly #end: (ended: Ended) => void;
  readonly #startedAt: number;
  readonly #asks: NodeAsk[] = [];
  /** Nodes asked so far, and unanswered requests by node. */
  readonly #tried = new Set<string>();
  readonly #open = new Map<string, OpenAsk>();
  #generationMin: number;
  #failure: Failed = failed('unavailable', 'no node has the base');
  #isOver = false;
  #cancelLimit: () => void = () => undefined;
  #cancelHedge: () => void = () => undefined;
  #cancelRetry: () => void = () => undefined;

  constructor(parts: AskParts, asked: RemoteRequest, end: (ended: Ended) => void) {
    this.#parts = parts;
    this.#asked = asked;
    this.#end = end;
    this.#generationMin = asked.ask.generation_min;
    this.#startedAt = parts.clock.now();
  }

  start(): void {
    const { clock, hedges } = this.#parts;
    const { ask, abandoned, hedgeMs } = this.#asked;
    const limitMs = ask.request.budget_ms + WAY_MS;
    if (abandoned?.aborted === true) {
      this.#finish(failed('abandoned'));
      return;
    }
    hedges.noteRequest();
    abandoned?.addEventListener('abort', this.#leave);
    this.#cancelLimit = clock.after(limitMs, this.#endInTime);
    if (hedgeMs < limitMs) this.#cancelHedge = clock.after(hedgeMs, this.#hedge);
    if (!this.#askAnother('first')) this.#waitForNode();
  }

  answered(node: string, answer: Answer): void {
    if (this.#isOver) return;
    const { nodes } = this.#parts;
    const { outcome } = answer;
    const isTooOld = outcome.ok && this.#isTooOld(outcome.value);
    this.#endAsk(node, isTooOld ? 'too_old' : outcome.ok ? 'ok' : outcome.failure, answer);
    nodes.noteAnswer(node, this.#asked.ask.base, outcome.ok ? outcome.value.generation : null);
    if (!outcome.ok && isOfNode(outcome)) {
      this.#failure = outcome;
      if (!this.#askAnother('again') && this.#open.size === 0) this.#finish(this.#failure);
      return;
    }
    if (isTooOld) {
      this.#failure = failed('unavailable', 'only older data answered');
      this.#generationMin = this.#newest();
      if (!this.#askAnother('again') && this.#open.size === 0) this.#askLater();
      return;
    }
    // Nodes asked earlier that are silent count as having lost the request.
    const at = this.#asks.findLastIndex((ask) => ask.node === node);
    for (const before of this.#asks.slice(0, at))
      if (before.outcome === 'pending') nodes.noteLost(before.node);
    this.#finish(outcome, node);
  }

  lost(node: string, why: Lost): void {
    if (this.#isOver) return;
    if (why !== 'silent') this.#endAsk(node, why);
    if (why === 'unheard') this.#parts.nodes.noteUnheard(node);
    if (why === 'disconnected') this.#failure = failed('unavailable', 'no connection to the broker');
    else if (why !== 'silent') this.#failure = failed('unavailable', `node ${node} is gone`);
    if (!this.#askAnother('again') && this.#open.size === 0) this.#waitForNode();
  }

  /** @returns false if there is no other node. */
  #askAnother(why: NodeAsk['why']): boolean {
    const { nodes, caller, clock } = this.#parts;
    const { base, request, ...asked } = this.#asked.ask;
    const node = nodes.choose(base, this.#generationMin, this.#tried);
    if (node === null) return false;
    const startedAt = clock.now();
    const budget_ms = Math.max(0, request.budget_ms - (startedAt - this.#startedAt));
    const left = { ...asked, base, generation_min: this.#generationMin, request: { ...request, budget_ms } };
    const id = caller.ask(node, left, this);
    if (id === null) {
      this.#failure = failed('unavailable', 'no connection to the broker');
      return false;
    }
    this.#tried.add(node.name);
    const begun = { why, startedAt, tookMs: 0, outcome: 'pending' as const };
    const ask: NodeAsk = { node: node.name, ...begun, queueMs: 0, runMs: 0, cached: false };
    this.#asks.push(ask);
    this.#open.set(node.name, { id, ask });
    return true;
  }

  #endAsk(node: string, outcome: NodeOutcome, answer?: Answer): void {
    const ask = this.#open.get(node)?.ask;
    this.#open.delete(node);
    if (ask === undefined) return;
    ask.tookMs = this.#parts.clock.now() - ask.startedAt;
    ask.outcome = outcome;
    if (answer === undefined) return;
    ask.cached = answer.cached;
    // The node's clock may run faster.
    ask.queueMs = Math.min(answer.queue_ms, ask.tookMs);
    ask.runMs = Math.min(answer.run_ms, ask.tookMs - ask.queueMs);
  }

  /** The second node may be silent too, and the hedge budget may have room later, so this repeats at the same interval. */
  readonly #hedge = (): void => {
    const { nodes, hedges, clock } = this.#parts;
    const other = nodes.choose(this.#asked.ask.base, this.#generationMin, this.#tried);
    // While no request is pending, the retry timer asks again.
    if (this.#open.size > 0 && other !== null && hedges.take()) this.#askAnother('hedge');
    this.#cancelHedge = clock.after(this.#asked.hedgeMs, this.#hedge);
  };

  readonly #endInTime = (): void => {
    for (const node of this.#open.keys()) this.#parts.nodes.noteLost(node);
    this.#finish(failed('deadline', 'no answer in time'));
  };

  readonly #leave = (): void => {
    this.#finish(failed('abandoned'));
  };

  /** True for a reply that lacks a row, from data older than the newest, which may contain the row. */
  #isTooOld(reply: BaseReply): boolean {
    const isMissing = reply.kind === 'read' && reply.rows.includes(null);
    return isMissing && reply.generation < this.#newest();
  }

  #newest(): number {
    const { nodes, shown } = this.#parts;
    const { base } = this.#asked.ask;
    return Math.max(nodes.newest(base), shown?.(base) ?? 0);
  }

  /** Asks again shortly: a node announces newer data just before it answers from them. The request's time limit ends this. */
  #askLater(): void {
    this.#retry(NEWER_DATA_MS, () => {
      this.#askLater();
    });
  }

  /** Retries: a node that lost its NATS server soon finds another, and one with newer data soon announces them. */
  #waitForNode(): void {
    const { clock, nodes } = this.#parts;
    const isEarly = clock.now() - this.#startedAt < RECONNECT_MS_MAX;
    if (!isEarly || !nodes.mayAnswerSoon(this.#asked.ask.base, this.#generationMin)) {
      this.#finish(this.#failure);
      return;
    }
    this.#retry(NODE_RETRY_MS, () => {
      this.#waitForNode();
    });
  }

  /** Asks any node again after a delay. @param orElse called if there is none. */
  #retry(ms: number, orElse: () => void): void {
    this.#cancelRetry = this.#parts.clock.after(ms, () => {
      this.#tried.clear();
      if (!this.#askAnother('again')) orElse();
    });
  }

  /** @param node that gave the outcome. */
  #finish(outcome: Outcome<BaseReply>, node: string | null = null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelLimit();
    this.#cancelHedge();
    this.#cancelRetry();
    this.#asked.abandoned?.removeEventListener('abort', this.#leave);
    const { caller } = this.#parts;
    for (const { id } of this.#open.values()) caller.drop(id);
    const left = !outcome.ok && outcome.failure === 'abandoned' ? 'abandoned' : 'unanswered';
    for (const silent of this.#open.keys()) this.#endAsk(silent, left);
    this.#end({ outcome, node, asks: this.#asks });
  }
}

/** True for a failure that another node might not have. */
function isOfNode({ failure }: Failed): boolean {
  return failure === 'unavailable' || failure === 'overloaded';
}
