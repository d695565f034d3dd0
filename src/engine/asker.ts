import type { Abandonment } from './port.ts';
import type { Step } from './steps.ts';

/** Who asks a base, and how. */
export interface Asker {
  /** Whose turn a request takes: an opaque number, one for each key. */
  readonly id?: number;
  /** Aborted when nobody waits for the answer any more: the outcome is then `abandoned`, at once. */
  readonly abandoned?: Abandonment | undefined;
  /** Receives an entry for each request at once; it is complete when the outcome is there. */
  readonly steps?: Step[];
  /** The result cache is not to answer. */
  readonly isAnew?: boolean;
  /** The client's trace. */
  readonly traceparent?: string | undefined;
}

/** Those who ask without a key. */
export const ASKERS = { service: 0, coverage: 1, console: 2 } as const;

const DIGITS = 12;

/** The number of a key, from the digest that identifies it: the same in each process and on each machine. */
export function askerIdOf(keyId: string): number {
  return Number.parseInt(keyId.slice(0, DIGITS), 16);
}
