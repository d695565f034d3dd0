import type { BaseReply, BaseRequest } from './messages.ts';
import type { Outcome } from './outcome.ts';

/** What a port knows of the threads behind it. */
export interface PortStatus {
  readonly threads: number;
  /** Of these, how many run a batch. */
  readonly threads_busy: number;
  /** Threads that were given up because a statement would not end, and that still run. */
  readonly threads_left_behind: number;
  /** Threads started anew since the port was made. */
  readonly restarts: number;
}

/** Of a port that has none of its own. */
export const NO_THREADS: PortStatus = { threads: 0, threads_busy: 0, threads_left_behind: 0, restarts: 0 };

/** What can be seen of a base without asking it. */
export interface Look {
  /** Why it cannot be answered for, for the log; null where nothing speaks against it. */
  readonly fault: string | null;
  /** Names what was seen. Whether another thing can be answered for only asking tells. */
  readonly identity: string;
}

/** Of a port that cannot look. */
export const UNSEEN: Look = { fault: null, identity: '' };

/** Says when nobody waits any more, once. An AbortSignal is one. */
export interface Abandonment {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * The seam: whatever answers for one base, a pool of threads here or a machine far away. A base actor hands
 * it batches drained from its mailbox; each reply stands at its request's place. Two outcomes are the port's
 * own: `unavailable` when it could not reach the base, and null for a request that it did not start and
 * gives back, because an earlier one in the batch took long. Every batch is answered, soon after the longest
 * of its budgets at the latest.
 */
export interface BasePort {
  /** @param abandoned a hint, never relied upon: once aborted nobody waits, and the port may stop early. */
  run(
    batch: readonly BaseRequest[],
    abandoned?: Abandonment,
  ): Promise<readonly (Outcome<BaseReply> | null)[]>;
  /** Absent on a port without threads of its own. */
  status?(): PortStatus;
  /** Looks, in no queue and soon, whether the base can be answered for. Absent on a port that only learns it by asking. */
  look?(): Promise<Look>;
  /**
   * Changes how many threads there are, without losing a batch. @returns how many there are afterwards. Absent on
   * a port whose size is not this service's to change.
   */
  resize?(threads: number): Promise<number>;
  /** Ends the port; requests under way may be lost. */
  close(): Promise<void>;
}
