import type { PortStatus } from './port.ts';
import type { Health } from './health.ts';

/** A base as an operator sees it. */
export interface BaseStatus extends Health, PortStatus {
  readonly waiting: number;
  readonly under_way: number;
  /** Estimated size of the result cache. */
  readonly result_cache_bytes: number;
  /** As the latest reply names them; null before the first reply. */
  readonly generation: number | null;
  readonly docs: number | null;
  /** True where the decisions are made up. */
  readonly made_up: boolean | null;
}
