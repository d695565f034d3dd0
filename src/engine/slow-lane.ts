import { LRUCache } from 'lru-cache';
import type { BaseReply, BaseRequest, SearchRequest } from './messages.ts';
import type { Outcome } from './outcome.ts';
import type { Clock } from './clock.ts';
import { digestOf } from './request-digest.ts';
import { countMs } from './requests.ts';

/**
 * Processor time that a request gets at its first try. A request that needs more is expensive and goes to the slow lane.
 * Relevance reads every match, so it gets less: an expensive one is recognised sooner.
 */
const QUICK_MS = { relevance: 10, other: 20 };
/** Threads share processors and disks: the first try may last this many times its processor time. */
const QUICK_SLOWNESS = 5;
const KNOWN_MAX = 512;
const KNOWN_MS = 60_000;

/** The request with the limits of its first try. */
export function quickly(request: BaseRequest): BaseRequest {
  const work_ms = quickWork(request);
  const most = work_ms * QUICK_SLOWNESS;
  const limited = { ...request, work_ms, budget_ms: Math.min(most, request.budget_ms) };
  if (limited.kind !== 'search' || limited.count_ms === null) return limited;
  return { ...limited, count_ms: Math.min(most, limited.count_ms) };
}

/** The parts of a search that decide its cost: all but the page. */
type Known = Pick<SearchRequest, 'kind' | 'ordem' | 'tree' | 'filtro'>;

/** Remembers which searches were expensive lately, so that they go to the slow lane without a first try. */
export class SlowLane {
  readonly #known: LRUCache<string, true>;

  constructor(clock: Clock) {
    this.#known = new LRUCache({ max: KNOWN_MAX, ttl: KNOWN_MS, perf: clock, ttlResolution: 0 });
  }

  /** True for a request that must not run beside cheap ones. */
  has(request: Known | { readonly kind: 'read' | 'cover' }): boolean {
    if (request.kind === 'search') return this.#known.size > 0 && this.#known.has(keyOf(request));
    return request.kind === 'cover';
  }

  note(request: BaseRequest): void {
    if (request.kind === 'search') this.#known.set(keyOf(request), true);
  }

  /**
   * Forgets a search that the slow lane answered within the limits of a first try: its first try had met a slow moment,
   * as many do just after a start.
   * @param ms how long the answer took.
   */
  noteAnswered(request: BaseRequest, ms: number): void {
    if (request.kind === 'search' && ms <= quickWork(request)) this.#known.delete(keyOf(request));
  }
}

function quickWork(request: BaseRequest): number {
  const isRelevance = request.kind === 'search' && request.ordem === 'relevancia';
  return isRelevance ? QUICK_MS.relevance : QUICK_MS.other;
}

function keyOf({ ordem, tree, filtro }: Known): string {
  return `${ordem} ${JSON.stringify(filtro)} ${digestOf(tree)}`;
}

/** A request as its sender put it, and how long the sender waits. */
interface Put {
  readonly message: { readonly request: BaseRequest };
  readonly deadline: number;
  readonly open: () => boolean;
}

/**
 * True when the limits of a first try ended a request that still has time.
 * @param sent the request with those limits.
 * @param now when the outcome came.
 */
export function isCutShort(
  sent: BaseRequest | undefined,
  outcome: Outcome<BaseReply>,
  { message, deadline, open }: Put,
  now: number,
): boolean {
  if (sent?.work_ms === undefined || !open()) return false;
  const countingMs = countMs(message.request);
  const left = deadline - now - countingMs;
  if (!outcome.ok) return outcome.failure === 'deadline' && left > sent.work_ms;
  const { value } = outcome;
  const isUncounted = value.kind === 'search' && value.contagem === null;
  return isUncounted && value.count_ms < countingMs && left > 0;
}
