import { short } from '../format.ts';
import { markup, type Markup } from './markup.ts';

/** An axis; a place on it is 0 at its start and 1 at its end. */
export interface Axis {
  readonly placeOf: (value: number) => number;
  readonly ticks: readonly (readonly [value: number, text: string])[];
}

interface Point {
  readonly x: number;
  readonly y: number;
  /** Draws the point, with this text under the pointer. */
  readonly title?: string;
  readonly isRinged?: boolean;
}

export interface Line {
  readonly label: string;
  readonly points: readonly Point[];
}

/** Of the coordinates of lines, which fill the drawing in both directions. */
const UNITS = 1_000;

/**
 * Lines of latency, in milliseconds, with their legend. The drawing is as wide as the page and its text does not shrink: places are in percent, and only
 * the lines are stretched. A table has all figures. @returns null without points.
 */
export function chart(
  name: string,
  xAxis: (values: readonly number[]) => Axis,
  xLabel: string,
  lines: readonly Line[],
): Markup | null {
  const all = lines.flatMap(({ points }) => points);
  if (all.length === 0) return null;
  const x = xAxis(all.map((point) => point.x));
  const y = logAxis(all.map((point) => point.y));
  const down = (value: number) => 1 - y.placeOf(value);
  const at = (place: number) => `${Math.round(place * UNITS) / (UNITS / 100)}%`;
  const pathOf = ({ points }: Line) =>
    points
      .map((one) => `${Math.round(x.placeOf(one.x) * UNITS)},${Math.round(down(one.y) * UNITS)}`)
      .join(' ');
  const xTick = ([value, text]: Axis['ticks'][number]) =>
    markup`<line x1="${at(x.placeOf(value))}" x2="${at(x.placeOf(value))}" y2="100%"/><text x="${at(x.placeOf(value))}" y="100%" dy="1.4em" text-anchor="middle">${text}</text>`;
  const yTick = ([value, text]: Axis['ticks'][number]) =>
    markup`<line x2="100%" y1="${at(down(value))}" y2="${at(down(value))}"/><text y="${at(down(value))}" dx="-0.6em" dy="0.35em" text-anchor="end">${text}</text>`;
  const mark = ({ title, isRinged, ...point }: Point) => {
    if (title === undefined) return null;
    const [cx, cy] = [at(x.placeOf(point.x)), at(down(point.y))];
    const ring = isRinged === true ? markup`<circle class="knee" cx="${cx}" cy="${cy}" r="9"/>` : null;
    return markup`<circle cx="${cx}" cy="${cy}" r="4"><title>${title}</title></circle>${ring}`;
  };
  return markup`<ul class="legend">${lines.map(({ label }, of) => markup`<li><svg class="s${of}" width="28" height="14" aria-hidden="true"><path d="M0 7H28"/></svg>${label}</li>`)}</ul>
<div class="plot"><svg role="img" aria-label="${name}: the table has its figures">
${[...x.ticks.map(xTick), ...y.ticks.map(yTick)]}
<text x="100%" y="100%" dy="3em" text-anchor="end">${xLabel}</text><text dx="-3.6em" dy="-1.2em">latency, ms</text>
<svg viewBox="0 0 ${UNITS} ${UNITS}" preserveAspectRatio="none">${lines.map((line, of) => markup`<polyline class="s${of}" points="${pathOf(line)}"/>`)}</svg>
${lines.map(({ points }, of) => markup`<g class="s${of}">${points.map(mark)}</g>`)}
</svg></div>`;
}

/** Round values, from the least time that is drawn: milliseconds, or answers a second. */
const ROUND = [-2, -1, 0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));
const TICKS_MAX = 14;
const EVEN_STEPS_MAX = 5;

/** A logarithmic axis between round values. */
export function logAxis(values: readonly number[]): Axis {
  const low = ROUND.findLast((round) => round <= Math.min(...values)) ?? Math.min(...ROUND);
  const high = ROUND.find((round) => round > low && round >= Math.max(...values)) ?? Math.max(...ROUND);
  const inside = ROUND.filter((round) => round >= low && round <= high);
  const shown =
    inside.length > TICKS_MAX ? inside.filter((round) => Number.isInteger(Math.log10(round))) : inside;
  return {
    placeOf: (value) => Math.log(Math.max(value, low) / low) / Math.log(high / low),
    ticks: shown.map((value) => [value, short(value)]),
  };
}

/** An axis from 0 to the greatest value. */
export function evenAxis(values: readonly number[]): Axis {
  const most = Math.max(1, ...values);
  const step = ROUND.find((round) => round * EVEN_STEPS_MAX >= most) ?? most;
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
  return { placeOf: (value) => value / most, ticks: ticks.map((value) => [value, short(value)]) };
}

const PERCENTILE_TICKS = [0, 90, 99, 99.9, 99.99, 99.999];

/** An axis of percentiles, with the same length for each ninth part of what is left: 90%, 99%, … */
export function percentileAxis(percentiles: readonly number[]): Axis {
  const most = Math.max(1, ...percentiles.map(nines));
  const ticks = PERCENTILE_TICKS.filter((at) => nines(at) <= most);
  return { placeOf: (at) => nines(at) / most, ticks: ticks.map((at) => [at, `${at}%`]) };
}

/** 0 for 0%, 1 for 90%, 2 for 99%, … */
function nines(percentile: number): number {
  return -Math.log10(Math.max(1e-9, 1 - percentile / 100));
}
