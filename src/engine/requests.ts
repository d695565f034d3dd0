import type { BaseRequest, NearRequest, ReadRequest, SearchRequest } from './messages.ts';

/** A request that reads nothing: its reply shows that the base answers, and its data version. */
export function probe(): Omit<ReadRequest, 'budget_ms'> {
  return { kind: 'read', object: 'resumo', doc_ids: [] };
}

/** True for a probe. */
export function isProbe(request: BaseRequest): boolean {
  return request.kind === 'read' && request.doc_ids.length === 0;
}

/** True for further rows of a page. Its search was admitted before; without the rows that work would be lost. */
export function isOfPage(request: BaseRequest): boolean {
  return request.kind === 'read' && request.object === 'resumo' && !isProbe(request);
}

/** Time for counting, which comes on top of the budget, milliseconds. A search by relevance counts within its budget. */
export function countMs(request: BaseRequest): number {
  return request.kind === 'search' && request.ordem === 'recentes' ? (request.count_ms ?? 0) : 0;
}

/** True for a request whose reply the result cache may hold. */
export function isCacheable(request: BaseRequest): request is SearchRequest | ReadRequest | NearRequest {
  return request.kind !== 'cover' && !isProbe(request);
}
