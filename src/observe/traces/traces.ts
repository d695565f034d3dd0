import type { Observer } from '../../http/observer.ts';

/** Spans of every answer, on their way to a collector. */
export interface Traces {
  readonly observe: Observer;
  /** Sends what is there still, within a bound. */
  stop(): Promise<void>;
}
