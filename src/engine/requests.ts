import type { BaseRequest, ReadRequest, Unbudgeted } from './messages.ts';

/** A request that reads nothing: its reply shows that the base answers, and its data version. */
export function probe(): Unbudgeted<ReadRequest> {
  return { kind: 'read', object: 'resumo', doc_ids: [] };
}

/** True for a probe. */
export function isProbe(request: Unbudgeted<BaseRequest>): boolean {
  return request.kind === 'read' && request.doc_ids.length === 0;
}

/** True for a page's further rows. The search was admitted before; without the rows that work would be lost. */
export function isOfPage(request: Unbudgeted<BaseRequest>): boolean {
  return request.kind === 'read' && request.object === 'resumo' && !isProbe(request);
}
