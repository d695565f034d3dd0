import type { Ordem } from '../../contract/vocabulary.ts';

/** Requests at random times, as from independent users, or one every 1/rate seconds. */
export const ARRIVALS = ['poisson', 'constant'] as const;
export type Arrivals = (typeof ARRIVALS)[number];

/** The kinds of request and their shares. */
export interface MixPlan {
  /** Query strings of a first page, without `ordem`, `limite` and `cursor`. */
  readonly searches: readonly string[];
  /** Fraction of the searches, 0 to 1, that follow the cursor of an earlier one. */
  readonly follow: number;
  /** Fraction of requests, 0 to 1, that read a record found by an earlier search. */
  readonly records: number;
  readonly limite: number;
  readonly ordem: Ordem;
}

/** A request of a recording. */
export interface Recorded {
  /** Since the first request, milliseconds, ascending. */
  readonly dueMs: number;
  readonly ask: {
    readonly kind: 'search' | 'page' | 'record';
    /** The same for all pages of a search by a key. */
    readonly about: string;
    readonly path: string;
  };
}

/** What is sent where. */
export interface GeneratorPlan {
  readonly url: string;
  readonly key: string;
  readonly connectionsMax: number;
  readonly timeoutMs: number;
  readonly mix: MixPlan;
  /** Sent instead of the mix; null without a recording. */
  readonly replay: readonly Recorded[] | null;
  readonly seed: number;
}

/** When requests are due: a rate for a time. */
export interface Pace {
  readonly ratePerS: number;
  readonly arrivals: Arrivals;
  readonly seed: number;
  /** A recording's times, milliseconds from 0, repeated after the period; absent without one. */
  readonly recorded?: { readonly dueMs: readonly number[]; readonly periodMs: number };
  readonly warmupMs: number;
  readonly durationMs: number;
}

export interface StepPlan extends Pace {
  /** How much of this rate was measured in earlier passes, milliseconds. */
  readonly measuredMs: number;
  /** Duration of a batch, whose requests are counted together, over all passes. */
  readonly batchMs: number;
}
