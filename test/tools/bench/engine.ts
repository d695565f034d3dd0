import type { SearchReply, SearchRequest } from '../../../src/engine/messages.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
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

  [Symbol.dispose](): void {
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
