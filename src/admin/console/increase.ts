import { bug } from '../../bug.ts';
import { BUCKETS, percentilesOf, totalOf, type Percentiles } from '../../observe/histogram.ts';
import type { Durations, Tally, TallySet } from '../../observe/tally-set.ts';

/** Seconds of figures that the console shows, and the seconds that make up the latest figures. */
export const FIGURES_S = 900;
export const FIGURES_RECENT_S = 10;

/** All tallies at the ends of the latest seconds: 140 kB each. */
export class SecondEnds {
  readonly #set: Pick<TallySet, 'copy'>;
  readonly #ends: Float64Array[];

  constructor(set: Pick<TallySet, 'copy'>) {
    this.#set = set;
    this.#ends = [set.copy()];
  }

  endSecond(): void {
    this.#ends.push(this.#set.copy());
    if (this.#ends.length > FIGURES_RECENT_S + 1) this.#ends.shift();
  }

  /** Over the latest seconds, `FIGURES_RECENT_S` at most. */
  over(seconds: number): Increase {
    const now = this.#ends.at(-1) ?? bug('no second is stored');
    const before = this.#ends.at(-1 - seconds) ?? this.#ends[0] ?? bug('no second is stored');
    const rises = new Float64Array(now.length);
    for (let at = 0; at < now.length; at += 1)
      rises[at] = (now[at] ?? bug('no such tally')) - (before[at] ?? bug('no such tally'));
    return new Increase(rises);
  }
}

/** By how much each tally of a set rose between two copies of it. */
export class Increase {
  readonly #rises: Float64Array;

  constructor(rises: Float64Array) {
    this.#rises = rises;
  }

  of({ at }: Pick<Tally, 'at'>): number {
    return this.#rises[at] ?? bug('no such tally');
  }

  sum(tallies: readonly Tally[]): number {
    return tallies.reduce((total, tally) => total + this.of(tally), 0);
  }

  /** How many durations were counted. */
  total(all: readonly Durations[]): number {
    return all.reduce((total, { at }) => total + totalOf(this.#rises.subarray(at, at + BUCKETS)), 0);
  }

  percentiles(all: readonly Durations[]): Percentiles {
    const together = new Float64Array(BUCKETS);
    for (const { at } of all)
      for (let bucket = 0; bucket < BUCKETS; bucket += 1)
        together[bucket] = this.of({ at: at + bucket }) + (together[bucket] ?? bug('no bucket'));
    return percentilesOf(together);
  }
}
