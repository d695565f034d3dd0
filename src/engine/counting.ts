import type { BaseReply, BaseRequest } from './messages.ts';
import { done, type Outcome } from './outcome.ts';

/** True for a page without the count that was asked for, while time for counting is left. */
export function isUncounted(request: BaseRequest, outcome: Outcome<BaseReply>): boolean {
  if (request.kind !== 'search' || request.count_ms === null || !outcome.ok) return false;
  const { value } = outcome;
  return value.kind === 'search' && value.count === null && value.count_ms < request.count_ms;
}

/** The request for the count of a search alone. */
export function countOf(request: BaseRequest): BaseRequest {
  if (request.kind !== 'search') return request;
  return { ...request, ordem: 'recentes', after: null, doc_ids_max: 1, rows_max: 0 };
}

/** The page, if there is one, with the count that came after it from the same data; else the outcome itself. */
export function counted(page: Outcome<BaseReply>, outcome: Outcome<BaseReply>): Outcome<BaseReply> {
  if (!page.ok || page.value.kind !== 'search') return outcome;
  if (!outcome.ok || outcome.value.kind !== 'search') return page;
  const isSame =
    page.value.data_version === outcome.value.data_version &&
    page.value.generation === outcome.value.generation;
  return isSame ? done({ ...page.value, count: outcome.value.count }) : page;
}
