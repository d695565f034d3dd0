import type { Ordem } from '../../contract/enums.ts';

/** Requests at random moments, as many independent users make them, or one every 1/rate seconds. */
export const ARRIVALS = ['poisson', 'constant'] as const;
export type Arrivals = (typeof ARRIVALS)[number];

/** What is asked, in which shares. */
export interface MixPlan {
  /** Query strings of a first page, without `ordem`, `limite` and `cursor`. */
  readonly searches: readonly string[];
  /** Share of the searches, 0 to 1, that follow the cursor of an earlier one. */
  readonly follow: number;
  /** Share of all requests, 0 to 1, that read a record an earlier search gave. */
  readonly records: number;
  readonly limite: number;
  readonly ordem: Ordem;
  /** Asks nothing twice while there is something else: each search in turn, each record and page once. */
  readonly isUnique: boolean;
}

/** What every thread of the generator needs to know before the first step. */
export interface GeneratorPlan {
  readonly url: string;
  readonly key: string;
  readonly connectionsMax: number;
  readonly timeoutMs: number;
  readonly mix: MixPlan;
  readonly seed: number;
}

/** One rate, held for a time; of several threads each has its part of the rate. */
export interface StepPlan {
  readonly ratePerS: number;
  readonly arrivals: Arrivals;
  readonly warmupMs: number;
  readonly durationMs: number;
  /** Length of a point of the time line. */
  readonly slotMs: number;
  /** The first arrival of an even pace, as a share of its interval: threads take turns. */
  readonly phase: number;
  readonly seed: number;
}
