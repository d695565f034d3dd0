import { LRUCache } from 'lru-cache';
import type { BaseRequest, SearchRequest } from '../base/messages.ts';
import type { Clock } from './clock.ts';
import { digestOf } from './request-digest.ts';

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

/** The searches that were dear of late: they go to a thread apart at once. */
export class DearKnown {
  readonly #known: LRUCache<string, true>;

  constructor(clock: Clock) {
    this.#known = new LRUCache({ max: KNOWN_MAX, ttl: KNOWN_MS, perf: clock, ttlResolution: 0 });
  }

  /** True for what is not to be tried beside cheap ones. */
  has(request: BaseRequest): boolean {
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

/** What makes a search as dear as it is: not the page of it. */
function keyOf({ ordem, programa, filtro }: SearchRequest): string {
  return `${ordem} ${JSON.stringify(filtro)} ${digestOf(programa)}`;
}
