import type { BaseReply, BaseRequest, BaseStatus } from './messages.ts';
import type { Outcome } from './outcome.ts';
import type { Abandonment } from '../clock.ts';

/** What a port knows of the threads behind it. */
export type PortStatus = Pick<BaseStatus, 'threads' | 'threads_busy' | 'threads_left_behind' | 'restarts'>;

/** The status of a port without threads. */
export const NO_THREADS: PortStatus = { threads: 0, threads_busy: 0, threads_left_behind: 0, restarts: 0 };

/** What the port can see of a base without a request. */
export interface FileState {
  /** Why the base cannot answer, for the log; null when no fault is seen. */
  readonly fault: string | null;
  /** Identifies what was seen; after a change only a request shows whether the base answers. */
  readonly identity: string;
}

/** What a port reports that cannot check its file. */
export const UNKNOWN_FILE: FileState = { fault: null, identity: '' };

/**
 * The end of one request of a batch: its outcome; `expensive` if it needs more than its `work_ms`, by an estimate or after
 * so much work; or null if the port returns it unstarted, because an earlier one took long. `work_ms`: the processor time
 * that it took, if the port measures that.
 */
export type Ran = ((Outcome<BaseReply> | Expensive) & { readonly work_ms?: number }) | null;
export interface Expensive {
  readonly ok: false;
  readonly failure: 'expensive';
  /** The estimated processor time, milliseconds; without an estimate the time it took so far. */
  readonly cost_ms: number;
}

/** Each at its request's place. */
export type Outcomes = readonly Ran[];

/**
 * Whatever answers for one base: a pool of threads. The port answers every batch, at the latest soon after the longest of
 * its budgets; with `unavailable` if it cannot reach the base.
 */
export interface BasePort {
  /** @param abandoned a hint: once it is aborted nobody waits, and the port may stop early. */
  run(batch: readonly BaseRequest[], abandoned?: Abandonment): Promise<Outcomes>;
  /** Absent on a port without threads. */
  status?(): PortStatus;
  /** Checks soon, and outside any queue, whether the base can answer. Absent on a port that needs a request to know. */
  checkFile?(): Promise<FileState>;
  /**
   * Changes the number of threads without losing a batch. @returns the number afterwards. Absent on a port whose size
   * this service cannot change.
   */
  resize?(threads: number): Promise<number>;
  /** Ends the port; running requests may be lost. */
  close(): Promise<void>;
}
