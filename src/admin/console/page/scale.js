/** Grid lines of a logarithmic scale, milliseconds. */
export const DECADES = [0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000];

/**
 * The scale that several charts of a metric share.
 * @param all the points of every one of them.
 */
export function sharedRange(all, { linhas, log, maximo }) {
  if (maximo !== undefined) return [0, maximo];
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const point of all) {
    for (const { de } of linhas) {
      const value = de(point);
      if (value === null) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  if (!log) return [0, Math.max(1, most * 1.1)];
  const below = DECADES.findLast((at) => at <= least) ?? DECADES[0];
  const above = DECADES.find((at) => at >= most) ?? DECADES.at(-1);
  return [Math.min(below, 1), Math.max(above, 100)];
}
