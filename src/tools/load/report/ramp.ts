import { markup, type Markup } from '../../../html/markup.ts';

/** Curves of one plot beyond which an eye no longer tells them apart. */
const CURVES_MAX = 10;

/**
 * Some of many, evenly chosen: the first, the last and what must be among them.
 * @param needed places that are to be kept.
 */
export function few<T>(all: readonly T[], needed: readonly number[]): T[] {
  if (all.length <= CURVES_MAX) return [...all];
  const chosen = new Set([0, all.length - 1, ...needed.filter((at) => at >= 0 && at < all.length)]);
  const stride = (all.length - 1) / (CURVES_MAX - 1);
  for (let at = 1; chosen.size < CURVES_MAX && at < CURVES_MAX; at += 1) chosen.add(Math.round(at * stride));
  return all.filter((_, at) => chosen.has(at));
}

/** The place of a curve in the ramp of colours, as a style: the first is the lightest, the last the strongest. */
export function rampStyle(at: number, count: number): string {
  return `--t:${count < 2 ? 100 : Math.round((100 * at) / (count - 1))}%`;
}

/** What stands in a legend for a curve of the ramp. */
export function rampSwatch(at: number, count: number, isMarked: boolean): Markup {
  return markup`<path class="rampa${isMarked ? ' forte' : ''}" style="${rampStyle(at, count)}" d="M0 7H28"/>`;
}
