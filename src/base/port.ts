import type { BaseReply, BaseRequest } from './messages.ts';
import type { Outcome } from './outcome.ts';

/**
 * The seam: whatever answers for one base, a pool of threads here or a machine far away. A base actor hands
 * it batches drained from its mailbox; each reply stands at its request's place. Two outcomes are the port's
 * own: `unavailable` when it could not reach the base, and null for a request that it did not start and
 * gives back, because an earlier one in the batch took long.
 */
export interface BasePort {
  run(batch: readonly BaseRequest[]): Promise<readonly (Outcome<BaseReply> | null)[]>;
  /** Ends the port; requests under way may be lost. */
  close(): Promise<void>;
}
