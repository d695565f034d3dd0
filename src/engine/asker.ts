import type { Abandonment } from '../clock.ts';
import type { Step } from './steps.ts';

/** Who asks a base, and how. */
export interface Asker {
  /** For fair turns: an opaque number per key. */
  readonly id?: number;
  /** Aborted when nobody waits any more: the outcome is then immediately `abandoned`. */
  readonly abandoned?: Abandonment | undefined;
  /** Receives an entry for each request immediately; the entry is complete with the outcome. */
  readonly steps?: Step[];
}

/** Askers without a key. */
export const ASKERS = { service: 0, coverage: 1, console: 2 } as const;

const DIGITS = 12;

/** The number of a key, from the digest that identifies it: the same in each process and on each machine. */
export function askerIdOf(keyId: string): number {
  return Number.parseInt(keyId.slice(0, DIGITS), 16);
}
