import type { SearchPage } from '../search/page.ts';
import type { Step } from '../engine/steps.ts';
import type { Pedido } from '../query/parameters.ts';
import type { Rota } from '../contract/rotas.ts';

/** One request from its arrival to its answer: what the routes note down as they go. */
export interface RequestNotes {
  readonly requestId: string;
  /** When it came, on `performance.now()`, milliseconds. */
  readonly startedAt: number;
  /** `nenhuma`: its path is none of ours. */
  route: Rota | 'nenhuma';
  /** What the key is counted under, a digest of it; never the key. */
  keyId: string | null;
  /** Why a 429, where it is one. */
  refusal: 'ip' | 'quota' | null;
  /** True where the client had left before its answer was there: nobody has seen it. */
  isAbandoned: boolean;
  /** What went wrong where nothing should, on a 500. */
  fault: unknown;
  pedido: Pedido | null;
  page: SearchPage | null;
  /** What each base was asked for, in the order of asking. */
  readonly steps: Step[];
}

/**
 * Told of every answer: metrics, the log and traces stand behind it. It must not throw, nor take long.
 * @param request of which an observer may read what is not in the notes.
 */
export type Observer = (notes: RequestNotes, status: number, request: Request) => void;
