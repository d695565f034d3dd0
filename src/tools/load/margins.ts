/** Standard deviations on each side of the mean that cover 95% of a normal distribution. */
export const NORMAL_95 = 1.96;
/** The same for Student's distribution, by degrees of freedom. */
const STUDENT_95 = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26];
/** More blocks would be shorter, so neighbouring blocks would depend on each other. */
const BLOCKS_MAX = 12;

/** A slot's requests (by default a second's), and how many the figure counts. */
export interface Part {
  readonly of: number;
  readonly counted: number;
}

/**
 * How much wider a share's margin is than for independent requests. A slow second makes all
 * its requests slow, and a slow pass all its seconds: the deviations between blocks and between passes show how
 * much the share moves, as in a cluster sample. At least 1.
 */
export function widening(passes: readonly (readonly Part[])[]): number {
  const parts = passes.flat();
  const size = Math.ceil(parts.length / BLOCKS_MAX);
  const blocks = Array.from({ length: Math.ceil(parts.length / Math.max(1, size)) }, (_, at) =>
    parts.slice(at * size, (at + 1) * size),
  );
  const { of, counted } = sum(parts);
  const independent = NORMAL_95 * Math.sqrt((counted * (of - counted)) / Math.max(1, of));
  if (independent === 0) return 1;
  return Math.max(
    1,
    ...[blocks, passes].map((clusters) => reach(clusters.map(sum), counted / of) / independent),
  );
}

/** The 95% margin of the count over all clusters, from the clusters' deviations from the share; 0 for a single cluster. */
function reach(clusters: readonly Part[], share: number): number {
  const filled = clusters.filter(({ of }) => of > 0);
  const freedom = filled.length - 1;
  if (freedom < 1) return 0;
  const squares = filled.reduce((total, { of, counted }) => total + (counted - share * of) ** 2, 0);
  return student(freedom) * Math.sqrt((squares * filled.length) / freedom);
}

/** A difference and the bounds of the 95% interval; infinite if the sample does not bound it. */
export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number | null;
}

/** A difference's interval, from the two figures' intervals (Zou and Donner's MOVER). */
export function difference(before: Estimate, after: Estimate): Difference {
  const value = after.value - before.value;
  const high = ({ value: middle, high: end }: Estimate) => (end ?? Number.POSITIVE_INFINITY) - middle;
  return {
    value,
    low: value - Math.hypot(after.value - after.low, high(before)),
    high: value + Math.hypot(high(after), before.value - before.low),
  };
}

/** The difference of two means, each of at least two values (Welch's t interval). */
export function meanDifference(before: readonly number[], after: readonly number[]): Difference {
  const [was, is] = [meanOf(before), meanOf(after)];
  const value = is.middle - was.middle;
  const squares = was.error ** 2 / was.freedom + is.error ** 2 / is.freedom;
  const freedom =
    squares === 0 ? was.freedom + is.freedom : Math.floor((was.error + is.error) ** 2 / squares);
  const margin = student(freedom) * Math.sqrt(was.error + is.error);
  return { value, low: value - margin, high: value + margin };
}

/** A mean and the square of the standard error. */
function meanOf(values: readonly number[]) {
  const freedom = values.length - 1;
  const middle = mean(values);
  return { middle, freedom, error: mean(values.map((value) => (value - middle) ** 2)) / freedom };
}

export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/**
 * A share and its interval. An extra request of either kind (Agresti and Caffo) keeps the interval for 0 of 1,000
 * from having no width.
 */
export function shareEstimate({ of, counted }: Part, wider: number): Estimate {
  const near = (counted + 1) / (of + 2);
  const margin = wider * NORMAL_95 * Math.sqrt((near * (1 - near)) / (of + 2));
  const value = of === 0 ? 0 : counted / of;
  return { value, low: value - margin, high: value + margin };
}

/** True if the figures may be equal. @param same the value of no change: 0, or 1 for a factor. */
export function isNoise({ low, high }: Difference, same = 0): boolean {
  return low <= same && high >= same;
}

function student(freedom: number): number {
  return STUDENT_95[freedom - 1] ?? NORMAL_95 + 2.5 / freedom;
}

function sum(parts: readonly Part[]): Part {
  return parts.reduce((total, { of, counted }) => ({ of: total.of + of, counted: total.counted + counted }), {
    of: 0,
    counted: 0,
  });
}
