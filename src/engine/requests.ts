import type { BaseReply, BaseRequest, ReadRequest } from './messages.ts';
import { done, type Outcome } from './outcome.ts';

/** A request that reads nothing: its reply shows that the base answers, and its data version. */
export function probe(): Omit<ReadRequest, 'budget_ms'> {
  return { kind: 'read', object: 'resumo', doc_ids: [] };
}

/** True for a probe. */
export function isProbe(request: BaseRequest): boolean {
  return request.kind === 'read' && request.doc_ids.length === 0;
}

/** True for a page's further rows. The search was admitted before; without the rows that work would be lost. */
export function isOfPage(request: BaseRequest): boolean {
  return request.kind === 'read' && request.object === 'resumo' && !isProbe(request);
}

/** True for a page that lacks the requested count, while time for counting is left. */
export function isUncounted(request: BaseRequest, outcome: Outcome<BaseReply>): boolean {
  if (request.kind !== 'search' || request.count_ms === null || !outcome.ok) return false;
  const { value } = outcome;
  return value.kind === 'search' && value.count === null && value.count_ms < request.count_ms;
}

/** The longest time for counting, milliseconds. */
export function countMsOf(request: BaseRequest): number {
  return request.kind === 'search' ? (request.count_ms ?? 0) : 0;
}

/** The request for the count of a search alone. */
export function countOf(request: BaseRequest): BaseRequest {
  if (request.kind !== 'search') return request;
  return { ...request, ordem: 'recentes', after: null, doc_ids_max: 1, rows_max: 0 };
}

/** The page, if there is one, with a later count from the same data; else the outcome itself. */
export function counted(page: Outcome<BaseReply>, outcome: Outcome<BaseReply>): Outcome<BaseReply> {
  if (!page.ok || page.value.kind !== 'search') return outcome;
  if (!outcome.ok || outcome.value.kind !== 'search') return page;
  const isSame =
    page.value.data_version === outcome.value.data_version &&
    page.value.generation === outcome.value.generation;
  return isSame ? done({ ...page.value, count: outcome.value.count }) : page;
}
