import { plot, type PlotOptions, type ScaleOptions } from '@observablehq/plot';
import { DOMImplementation, XMLSerializer, type Element } from '@xmldom/xmldom';
import { joined, Markup } from './markup.ts';
import { short } from '../format.ts';

/** The sizes of a picture in pixels: for a desktop and for a phone, because shrunken text is unreadable. */
const SIZES = [
  { name: 'wide', width: 860, height: 340 },
  { name: 'narrow', width: 340, height: 300 },
] as const;
type Size = (typeof SIZES)[number];
const MARGINS = { marginTop: 28, marginRight: 26, marginBottom: 44, marginLeft: 56 };

/** Plot needs a document to draw in; the report has no script. */
const PAGE = new DOMImplementation().createDocument('http://www.w3.org/1999/xhtml', 'html', null);
const writer = new XMLSerializer();
/** Plot's style, hidden axis labels, and names of parts, all removed: the whole picture has a name. */
const UNUSED = /<style>.*?<\/style>|<text [^>]*\/>|(?<=<g) aria-label="[^"]*"/gsu;
/** Digits of coordinates that no screen shows. Numbers in texts have no decimal point, or three digits after it. */
const FINE_DIGITS = /(\.\d)\d{3,}/gu;

/** A drawing as SVG text. @param style the class of the whole. */
export function svgText(options: PlotOptions, style: string): string {
  const drawn: unknown = plot({ color: { type: 'identity' }, ...options, document: PAGE });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Plot makes elements of that document
  const svg = drawn as Element;
  svg.setAttribute('class', style);
  svg.setAttribute('role', 'img');
  return writer.serializeToString(svg).replaceAll(UNUSED, '').replaceAll(FINE_DIGITS, '$1');
}

/** Draws a picture in each size. @param description for screen readers; a table has all figures. */
export function picture(name: string, description: string, options: (size: Size) => PlotOptions): Markup {
  const ariaLabel = `${name}: ${description}`;
  return joined(
    SIZES.map((size) => {
      const { width, height } = size;
      const text = svgText({ ...MARGINS, width, height, ariaLabel, ...options(size) }, `plot ${size.name}`);
      return new Markup(text);
    }),
  );
}

/** The least time on a logarithmic scale, milliseconds. */
const LEAST_MS = 0.05;
const PAD = 1.15;
const AXIS = { grid: true, labelArrow: 'none', tickSize: 0, tickFormat: short } as const;

/** A logarithmic scale of milliseconds. */
export function msScale(values: readonly number[], label = 'latency, ms'): ScaleOptions {
  const [least, greatest] =
    values.length === 0 ? [1, 10] : [Math.min(...values), Math.max(...values, LEAST_MS * 4)];
  const domain = [Math.max(LEAST_MS, least) / PAD, greatest * PAD];
  const isNarrow = greatest < 4 * least;
  const tickFormat = (ms: number) => (isNarrow || /^[0.]*[125]/u.test(String(ms)) ? short(ms) : '');
  return { ...AXIS, type: 'log', clamp: true, domain, label, tickFormat };
}

export function evenScale(max: number, label: string, min = 0): ScaleOptions {
  return { ...AXIS, type: 'linear', domain: [min, max], label };
}

export function seriesLine(at: number) {
  const dashes = at === 1 ? { strokeDasharray: '7 4' } : {};
  return { className: 'line', stroke: colourOf(at), strokeWidth: 2, ...dashes };
}

export function colourOf(series: number): string {
  return `var(--s${series})`;
}
