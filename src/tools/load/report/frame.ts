import { scaleLinear, scaleLog } from 'd3-scale';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { curto } from './numbers.ts';

/** Pixels of a plot. Each is drawn twice, for a desk and for a phone: text that shrinks with its plot is unreadable. */
export interface Size {
  readonly name: 'largo' | 'estreito';
  readonly width: number;
  readonly height: number;
}

export const SIZES: readonly Size[] = [
  { name: 'largo', width: 860, height: 340 },
  { name: 'estreito', width: 340, height: 300 },
];

export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** A place in pixels for a value, and where the lines of the grid stand. */
export interface Axis {
  readonly of: (value: number) => number;
  readonly ticks: readonly Tick[];
  readonly title: string;
}

const LEAST_MS = 0.05;
/** Room for a label: beside one another they need more than above one another. */
const ACROSS_PIXELS = 64;
const DOWN_PIXELS = 28;
/** Which multiples of a power of ten a logarithmic axis names, from where there is room to where there is none. */
const NAMED = [[1, 2, 5], [1, 3], [1]];
const PAD = 1.15;

/**
 * A logarithmic axis of milliseconds from the least to the greatest value, with a little room on both sides.
 * @param padLeast how many times less than the least value it starts.
 */
export function msAxis(
  values: readonly number[],
  range: readonly [number, number],
  title: string,
  padLeast = PAD,
): Axis {
  const shown = values.map((value) => Math.max(LEAST_MS, value));
  const least = Math.min(...shown) / padLeast;
  const greatest = Math.max(...shown, LEAST_MS * 4) * PAD;
  const scale = scaleLog().domain([least, greatest]).range(range);
  const places = room(range);
  const all = scale.ticks(10);
  const named = NAMED.map((digits) => all.filter((tick) => digits.includes(leadingDigit(tick))));
  const ticks = named.find((few) => few.length <= places) ?? named.at(-1) ?? [];
  return {
    of: (value) => scale(Math.max(LEAST_MS, value)),
    ticks: ticks.map((tick) => ({ at: scale(tick), label: curto(tick) })),
    title,
  };
}

/** An even axis from zero. */
export function evenAxis(max: number, range: readonly [number, number], title: string, min = 0): Axis {
  const scale = scaleLinear().domain([min, max]).range(range);
  const ticks = scale.ticks(Math.max(2, Math.floor(room(range))));
  return {
    of: (value) => scale(value),
    ticks: ticks.map((tick) => ({ at: scale(tick), label: curto(tick) })),
    title,
  };
}

/**
 * A plot with its grid and axes, as a picture with a name and a description; figures stand in a table beside it.
 * @param id of the document's own.
 */
export function frame(
  { id, name, description }: { readonly id: string; readonly name: string; readonly description: string },
  size: Size,
  margins: Margins,
  axes: { readonly x: Axis; readonly y: Axis | null },
  content: readonly (Markup | null)[],
): Markup {
  const { width, height } = size;
  const [left, right] = [margins.left, width - margins.right];
  const [top, bottom] = [margins.top, height - margins.bottom];
  const { x, y } = axes;
  return markup`<svg class="grafico ${size.name}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-${size.name}-t ${id}-${size.name}-d">
<title id="${id}-${size.name}-t">${name}</title><desc id="${id}-${size.name}-d">${description}</desc>
<g class="grade">${x.ticks.map(({ at }) => markup`<line x1="${px(at)}" x2="${px(at)}" y1="${top}" y2="${bottom}"/>`)}
${(y?.ticks ?? []).map(({ at }) => markup`<line x1="${left}" x2="${right}" y1="${px(at)}" y2="${px(at)}"/>`)}</g>
<g class="eixo">${x.ticks.map(({ at, label }) => markup`<text x="${px(at)}" y="${bottom + 18}" text-anchor="middle">${label}</text>`)}
${(y?.ticks ?? []).map(({ at, label }) => markup`<text x="${left - 8}" y="${px(at + 4)}" text-anchor="end">${label}</text>`)}
<text class="nome" x="${right}" y="${height - 6}" text-anchor="end">${x.title}</text>
${y === null ? null : markup`<text class="nome" x="2" y="14">${y.title}</text>`}</g>
${joined(content)}</svg>`;
}

/** How many labels an axis holds; one that goes down the page starts below where it ends. */
function room([from, to]: readonly [number, number]): number {
  return Math.abs(to - from) / (from > to ? DOWN_PIXELS : ACROSS_PIXELS);
}

function leadingDigit(value: number): number {
  return Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
}

/** A coordinate with as many digits as a screen can show. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
