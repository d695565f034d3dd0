import type {
  AfterRelevancia,
  CoverRequest,
  DocFilter,
  ReadRequest,
  SearchReply,
  SearchRequest,
} from '../../src/engine/messages.ts';
import { openSyntaxCheck } from '../../src/query/syntax-check.ts';
import { readQuery } from '../../src/query/query.ts';
import type { Handler } from '../../workers/handler.ts';

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

/** What a thread answers to a search. */
export function searched(handler: Handler, request: SearchRequest): SearchReply {
  const [outcome] = handler.run([request]);
  if (outcome?.ok !== true || outcome.value.kind !== 'search') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

/** Where the page by relevance after a reply begins. */
export function afterPage({ start, scores, doc_ids }: SearchReply): AfterRelevancia {
  if (start.ordem !== 'relevancia') throw new Error('a page of another order');
  return { ...start, score: scores?.at(-1) ?? null, doc_id: doc_ids.at(-1) ?? 0 };
}

export function readOf(doc_ids: number[], object: ReadRequest['object'] = 'documento'): ReadRequest {
  return { kind: 'read', object, doc_ids, budget_ms: 60_000 };
}

/** The text of a row, which is a binary string. */
export function textOf(row: string | null | undefined): string {
  return Buffer.from(row ?? '', 'latin1').toString();
}

export function coverFrom(above: number, rows_max: number): CoverRequest {
  return { kind: 'cover', above, rows_max, budget_ms: 60_000 };
}
