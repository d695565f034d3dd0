import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';
import { firstTryWorkMs } from './first-try.ts';
import { EXPENSIVE_MAX, EXPENSIVE_MS } from '../config/limits.ts';
import type { BaseRequest, SearchRequest } from './messages.ts';
import { digestOf } from './request-digest.ts';

/** The parts of a search that decide its cost: all but the page. */
type Costly = Pick<SearchRequest, 'kind' | 'ordem' | 'tree' | 'filtro'>;

/** Remembers which searches were expensive lately, so that they go to the slow lane without a first try. */
export class ExpensiveSearches {
  readonly #known: LRUCache<string, true>;

  constructor(clock: Clock) {
    this.#known = new LRUCache({ max: EXPENSIVE_MAX, ttl: EXPENSIVE_MS, perf: clock, ttlResolution: 0 });
  }

  /** True for a request that must not run beside cheap ones. */
  has(request: Costly | { readonly kind: 'read' | 'cover' }): boolean {
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
    if (request.kind === 'search' && ms <= firstTryWorkMs(request)) this.#known.delete(keyOf(request));
  }
}

function keyOf({ ordem, tree, filtro }: Costly): string {
  return `${ordem} ${JSON.stringify(filtro)} ${digestOf(tree)}`;
}
