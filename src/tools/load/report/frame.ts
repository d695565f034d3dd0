import { scaleLinear, scaleLog } from 'd3-scale';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { formatShort } from './numbers.ts';

/** Sizes of a plot in pixels. Each plot has one for desktop and one for phone, because shrunken text is unreadable. */
export interface Size {
  readonly name: 'largo' | 'estreito';
  readonly width: number;
  readonly height: number;
}

export const SIZES: readonly Size[] = [
  { name: 'largo', width: 860, height: 340 },
  { name: 'estreito', width: 340, height: 300 },
];

/** The space around a plot for its labels. */
export const MARGINS = { top: 28, right: 26, bottom: 44, left: 52 };
type Margins = Readonly<typeof MARGINS>;

/** Maps values to pixels, with the positions of the grid lines. */
export interface Axis {
  readonly of: (value: number) => number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  readonly title: string;
}

const LEAST_MS = 0.05;
/** Space for a label; labels side by side need more. */
const ACROSS_PIXELS = 64;
const DOWN_PIXELS = 28;
/** Labelled multiples of a power of ten on a logarithmic axis, from most to least space. */
const NAMED = [[1, 2, 5], [1, 3], [1]];
const PAD = 1.15;

/**
 * A logarithmic axis of milliseconds from the least to the greatest value, with some padding.
 * @param padLeast the factor below the least value at which it starts.
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
  return axisOf((value) => scale(Math.max(LEAST_MS, value)), ticks, title);
}

/** A linear axis from zero. */
export function evenAxis(max: number, range: readonly [number, number], title: string, min = 0): Axis {
  const scale = scaleLinear().domain([min, max]).range(range);
  return axisOf(scale, scale.ticks(Math.max(2, Math.floor(room(range)))), title);
}

function axisOf(of: Axis['of'], ticks: readonly number[], title: string): Axis {
  return { of, ticks: ticks.map((tick) => ({ at: of(tick), label: formatShort(tick) })), title };
}

/**
 * A plot with grid and axes, with an accessible name and description. A table beside it has the figures.
 * @param id unique in the document.
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

/** The number of labels that fit on an axis. On a vertical axis the start is below the end. */
function room([from, to]: readonly [number, number]): number {
  return Math.abs(to - from) / (from > to ? DOWN_PIXELS : ACROSS_PIXELS);
}

function leadingDigit(value: number): number {
  return Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
}

/** A coordinate rounded to the resolution of a screen. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
