import type { BaseRequest, ReadRequest, SearchRequest } from './messages.ts';

/** Reads nothing: only looks whether the base answers, and of which state. */
export function probe(): Omit<ReadRequest, 'budget_ms'> {
  return { kind: 'read', tabela: 'resumo', numeros: [] };
}

/** True for what only looks whether the base answers: it reads nothing, is no work of anyone's, and very quick. */
export function isProbe(request: BaseRequest): boolean {
  return request.kind === 'read' && request.numeros.length === 0;
}

/** True for the further rows of a page whose search was let in: without them all its work would be for nothing. */
export function isOfPage(request: BaseRequest): boolean {
  return request.kind === 'read' && request.tabela === 'resumo' && !isProbe(request);
}

/** How much longer than its budget it may take, to count. */
export function countMs(request: BaseRequest): number {
  return request.kind === 'search' ? (request.count_ms ?? 0) : 0;
}

/** True for what may be asked again and answered the same. */
export function isCacheable(request: BaseRequest): request is SearchRequest | ReadRequest {
  return request.kind !== 'cover' && !isProbe(request);
}
