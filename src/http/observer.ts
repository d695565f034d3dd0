import type { SearchPage } from '../search/page.ts';
import type { Step } from '../engine/steps.ts';
import type { Pedido } from '../query/parameters.ts';
import type { Rota } from '../contract/rotas.ts';

/** Notes on one request, written by the routes from its arrival to its answer. */
export interface RequestNotes {
  readonly requestId: string;
  /** Arrival on `performance.now()`, milliseconds. */
  readonly startedAt: number;
  /** `nenhuma`: the path belongs to no route. */
  route: Rota | 'nenhuma';
  /** A digest of the key, which its quota is counted under; never the key. */
  keyId: string | null;
  /** The reason of a 429. */
  refusal: 'ip' | 'quota' | null;
  /** True when the client left before the answer: nobody has seen it. */
  isAbandoned: boolean;
  /** The error behind a 500. */
  fault: unknown;
  pedido: Pedido | null;
  page: SearchPage | null;
  /** The requests to bases, in their order. */
  readonly steps: Step[];
}

/**
 * Called for every answer, for metrics, the log and traces. It must be fast and must not throw.
 * @param request for what the notes do not have.
 */
export type Observer = (notes: RequestNotes, status: number, request: Request) => void;
