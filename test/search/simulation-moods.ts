import type { Rng } from '../../src/tools/demo/rng.ts';

/** How a port behaves for a while. Costs are upper bounds in milliseconds; the others are probabilities. */
export interface Mood {
  readonly relevance: number;
  readonly recency: number;
  readonly count: number;
  readonly read: number;
  readonly cover: number;
  /** A request fails: unavailable, overloaded, an early deadline, a reply of another kind, … */
  readonly failing: number;
  /** A batch fails: the port throws, rejects, or loses replies. */
  readonly breaking: number;
  /** A batch ends less than half a second after its budget. */
  readonly late: number;
  /** A batch ends after every sender has left. */
  readonly dropping: number;
  readonly givingBack: number;
}

export const CALM: Mood = {
  relevance: 3,
  recency: 3,
  count: 3,
  read: 3,
  cover: 3,
  failing: 0,
  breaking: 0,
  late: 0,
  dropping: 0,
  givingBack: 0,
};

/** Honest and in time, but nearly every request is expensive. */
const EXPENSIVE: Mood = {
  ...CALM,
  relevance: 25,
  recency: 25,
  count: 25,
  read: 25,
  cover: 25,
  givingBack: 0.2,
};

const MOODS: readonly Mood[] = [
  CALM,
  { ...CALM, relevance: 4_000 },
  { ...CALM, relevance: 4_000, recency: 1_500, count: 300 },
  { ...CALM, count: 400, relevance: 40, recency: 40, read: 40, givingBack: 0.3 },
  { ...CALM, relevance: 3_000, recency: 3_000, read: 3_000, cover: 3_000 },
  { ...CALM, failing: 0.4, relevance: 30 },
  { ...CALM, failing: 1 },
  { ...CALM, breaking: 0.5, givingBack: 0.2 },
  { ...CALM, late: 0.6, relevance: 2_000, read: 500 },
  { ...CALM, dropping: 0.5 },
  { ...CALM, read: 2_500, failing: 0.1 },
  {
    ...CALM,
    relevance: 1_000,
    recency: 800,
    count: 200,
    failing: 0.1,
    breaking: 0.1,
    late: 0.1,
    dropping: 0.05,
    givingBack: 0.2,
  },
];

export function moodOf(rng: Rng): Mood {
  return rng.pick(MOODS);
}

/** In such a mood a base answers every request, unless it gets too many. */
export function steadyMoodOf(rng: Rng): Mood {
  return rng.chance(0.6) ? CALM : EXPENSIVE;
}
