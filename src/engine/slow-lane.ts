import { LRUCache } from 'lru-cache';
import type { BaseReply, BaseRequest, SearchRequest } from './messages.ts';
import type { Outcome } from './outcome.ts';
import type { Clock } from './clock.ts';
import { digestOf } from './request-digest.ts';
import { countMs } from './requests.ts';

/**
 * The work that a request may take at once. One that needs more is dear, and waits for a thread apart. Relevance goes
 * over all matches and is soon known for dear.
 */
const QUICK_MS = { relevance: 10, other: 20 };
/** Threads share processors, and disks: as many times that work is how long it may take by the clock. */
const QUICK_SLOWNESS = 5;
const KNOWN_MAX = 512;
const KNOWN_MS = 60_000;

/** The request with the limits of what is asked at once. */
export function quickly(request: BaseRequest): BaseRequest {
  const work_ms = quickWork(request);
  const most = work_ms * QUICK_SLOWNESS;
  const limited = { ...request, work_ms, budget_ms: Math.min(most, request.budget_ms) };
  if (limited.kind !== 'search' || limited.count_ms === null) return limited;
  return { ...limited, count_ms: Math.min(most, limited.count_ms) };
}

/** What of a search makes it as dear as it is: not the page of it. */
type Known = Pick<SearchRequest, 'kind' | 'ordem' | 'tree' | 'filtro'>;

/** The searches that were dear of late: they go to a thread apart at once. */
export class SlowLane {
  readonly #known: LRUCache<string, true>;

  constructor(clock: Clock) {
    this.#known = new LRUCache({ max: KNOWN_MAX, ttl: KNOWN_MS, perf: clock, ttlResolution: 0 });
  }

  /** True for what is not to be tried beside cheap ones. */
  has(request: Known | { readonly kind: 'read' | 'cover' }): boolean {
    if (request.kind === 'search') return this.#known.size > 0 && this.#known.has(keyOf(request));
    return request.kind === 'cover';
  }

  note(request: BaseRequest): void {
    if (request.kind === 'search') this.#known.set(keyOf(request), true);
  }

  /**
   * One that was answered with all its time, after so many milliseconds: where that is no more than what is tried at
   * once it had met a slow moment before, as many do that come just after a start.
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

/** A request as it was put, and until when its sender waits. */
interface Put {
  readonly message: { readonly request: BaseRequest };
  readonly deadline: number;
  readonly open: () => boolean;
}

/**
 * True when a request needed more than what it was given at once, and has more time left.
 * @param sent it, with the limits that it was given.
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
