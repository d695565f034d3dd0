import type { AfterRelevancia, SearchReply, SearchRequest } from '../../../src/engine/messages.ts';
import type { Base } from '../../../src/contract/enums.ts';
import { Handler } from '../../../workers/handler.ts';
import { searchFor } from '../../support/requests.ts';

/** What a pool's thread runs, in this very thread: the search itself without pools, actors and HTTP. */
export class Engine {
  readonly #handler: Handler;

  constructor(file: string, base: Base) {
    this.#handler = new Handler(file, base);
  }

  /** @throws when the base gives no page: nothing that failed may count as quick. */
  search(request: SearchRequest): SearchReply {
    const [outcome] = this.#handler.run([request]);
    if (outcome?.ok !== true || outcome.value.kind !== 'search') {
      throw new Error(
        `the base gave no page for ${JSON.stringify(request.tree)}: ${JSON.stringify(outcome)}`,
      );
    }
    return outcome.value;
  }

  documento(doc_id: number): string {
    const [outcome] = this.#handler.run([
      { kind: 'read', object: 'documento', doc_ids: [doc_id], budget_ms: 60_000 },
    ]);
    if (outcome?.ok !== true || outcome.value.kind !== 'read') throw new Error(`no record ${doc_id}`);
    return outcome.value.rows[0] ?? '';
  }

  close(): void {
    this.#handler.close();
  }
}

/** The first page as the service asks for it: one row more than it shows tells whether there is another page. */
export function pageRequest(
  q: string,
  ordem: SearchRequest['ordem'],
  overrides: Partial<SearchRequest> = {},
): SearchRequest {
  return searchFor(q, { ordem, doc_ids_max: 21, rows_max: 20, ...overrides });
}

/** Where a reader stands after the twentieth row of a page by relevance; null when there is no next page. */
export function positionAfter({ start, doc_ids, scores }: SearchReply): AfterRelevancia | null {
  const doc_id = doc_ids[19];
  if (start.ordem !== 'relevancia' || doc_id === undefined || doc_ids.length < 21) return null;
  return { ...start, score: scores?.[19] ?? null, doc_id };
}

/** The request for a later page, reached page by page as a reader does; the last one there is when it is less. */
export function deepRequest(engine: Engine, first: SearchRequest, page: number): SearchRequest {
  let request = first;
  for (let at = 1; at < page; at += 1) {
    const after = positionAfter(engine.search(request));
    if (after === null) break;
    request = { ...first, after };
  }
  return request;
}
