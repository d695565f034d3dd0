/** A difference between two runs, and the bounds of its interval; infinite if the runs are too short for any. */
export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * How far the values of `now` lie from those of `before`, whatever their distribution: the median of all differences
 * between a value of each (Hodges and Lehmann), between bounds from the ranks (Mann and Whitney).
 * @param error the probability that the bounds do not hold the true difference, for independent values.
 * @throws for an empty list.
 */
export function shiftOf(before: readonly number[], now: readonly number[], error: number): Difference {
  const all = now.flatMap((is) => before.map((was) => is - was)).toSorted((a, b) => a - b);
  const ends = endsOf(before.length, now.length, error / 2);
  return {
    value: (at(all, Math.floor((all.length - 1) / 2)) + at(all, Math.ceil((all.length - 1) / 2))) / 2,
    low: ends === 0 ? Number.NEGATIVE_INFINITY : at(all, ends - 1),
    high: ends === 0 ? Number.POSITIVE_INFINITY : at(all, all.length - ends),
  };
}

/** True if the two runs may be the same. */
export function isNoise({ low, high }: Difference): boolean {
  return low <= 0 && high >= 0;
}

/** How many of the ordered differences at each end lie beyond the bounds, the bound included; 0 if there is no bound. */
function endsOf(before: number, now: number, error: number): number {
  const ways = waysByRank(before, now);
  const all = ways.reduce((sum, one) => sum + one, 0);
  let beyond = 0;
  return ways.findIndex((one) => (beyond += one / all) > error);
}

/**
 * In how many orders of all values so many pairs have their value of `now` below that of `before`, by the number of
 * pairs: the coefficients of the Gaussian binomial.
 */
function waysByRank(before: number, now: number): number[] {
  const pairs = before * now;
  const ways = Array.from({ length: pairs + 1 }, (_, one) => Number(one === 0));
  for (let one = 1; one <= before; one += 1) {
    for (let to = pairs; to >= now + one; to -= 1) ways[to] = at(ways, to) - at(ways, to - now - one);
    for (let to = one; to <= pairs; to += 1) ways[to] = at(ways, to) + at(ways, to - one);
  }
  return ways;
}

function at(values: readonly number[], place: number): number {
  const value = values[place];
  if (value === undefined) throw new RangeError(`no value at ${place} of ${values.length}`);
  return value;
}
