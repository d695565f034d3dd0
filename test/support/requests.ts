import type {
  CoverRequest,
  DocFilter,
  ReadRequest,
  SearchReply,
  SearchRequest,
} from '../../src/engine/messages.ts';
import { openSyntaxCheck } from '../../src/index/format/syntax-check.ts';
import { readQuery } from '../../src/query/query.ts';

const check = openSyntaxCheck();
export const NO_FILTER: DocFilter = { tribunais: null, tipo: null, judged_from: null, judged_to: null };

/** A search message for a query as a user types it. */
export function searchFor(q: string, overrides: Partial<SearchRequest> = {}): SearchRequest {
  const consulta = readQuery(q, check);
  if ('codigo' in consulta) throw new Error(consulta.erro);
  return {
    kind: 'search',
    tree: consulta.tree,
    terms: [...consulta.terms],
    filter: NO_FILTER,
    ordem: 'recentes',
    after: null,
    doc_ids_max: 1000,
    rows_max: 0,
    count_ms: null,
    budget_ms: 60_000,
    ...overrides,
  };
}

export function readOf(doc_ids: number[], object: ReadRequest['object'] = 'documento'): ReadRequest {
  return { kind: 'read', object, doc_ids, budget_ms: 60_000 };
}

export function coverFrom(above: number, rows_max: number): CoverRequest {
  return { kind: 'cover', above, rows_max, budget_ms: 60_000 };
}

/** A page with one decision. */
export function searchReply(overrides: Partial<SearchReply> = {}): SearchReply {
  return {
    kind: 'search',
    doc_ids: [1],
    scores: null,
    start: { ordem: 'recentes', below: 2 },
    resumos: ['1'],
    count: 1,
    count_ms: 0,
    rows_ms: 0,
    generation: 1,
    docs: 1,
    ...overrides,
  };
}
