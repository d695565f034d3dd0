import type { Observer } from '../../http/observer.ts';

/** Sends spans of every answer to a collector. */
export interface Traces {
  readonly observe: Observer;
  /** Sends the remaining spans, within a time limit. */
  stop(): Promise<void>;
}
