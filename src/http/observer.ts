import type { SearchPage } from '../search/page.ts';
import type { Step } from '../engine/steps.ts';
import type { Pedido } from '../query/parameters.ts';
import type { Rota } from '../contract/rotas.ts';

/** Notes on a request, written by the routes from arrival to answer. */
export interface RequestNotes {
  readonly requestId: string;
  /** Arrival on `performance.now()`, milliseconds. */
  readonly startedAt: number;
  /** `nenhuma`: the path belongs to no route. */
  route: Rota | 'nenhuma';
  /** The key's digest, under which the quota is counted; never the key. */
  keyId: string | null;
  /** The reason of a 429. */
  refusal: 'ip' | 'quota' | null;
  /** True when the client left before the answer: nobody has seen it. */
  isAbandoned: boolean;
  /** The error behind a 500. */
  fault: unknown;
  pedido: Pedido | null;
  page: SearchPage | null;
  /** True if the answer came from the cache, or the client has it already: no base was asked. */
  isKept: boolean;
  /** The requests to bases, in order. */
  readonly steps: Step[];
}

/**
 * Called for every answer, for metrics, the log and traces. It must be fast and must not throw.
 * @param request @param response for data beyond the notes.
 */
export type Observer = (notes: RequestNotes, status: number, request: Request, response: Response) => void;
