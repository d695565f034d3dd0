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
  /** The client's trace. */
  readonly traceparent?: string | undefined;
}

/** Askers without a key. */
export const ASKERS = { service: 0, coverage: 1, console: 2 } as const;

const DIGITS = 12;

/** The number of a key, from the digest that identifies it: the same in each process and on each machine. */
export function askerIdOf(keyId: string): number {
  return Number.parseInt(keyId.slice(0, DIGITS), 16);
}

/** Version 00 of W3C's header: trace, span and flags, in hexadecimal; neither trace nor span is all zeros. */
export const TRACEPARENT = '^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$';

const FORM = new RegExp(TRACEPARENT, 'u');

/** The client's trace; undefined if it sent none, or an invalid one. */
export function readTraceparent(sent: string | null): string | undefined {
  return sent !== null && FORM.test(sent) ? sent : undefined;
}
