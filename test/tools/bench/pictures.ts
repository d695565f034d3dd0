import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { barX, dot, lineY, plot, text, type PlotOptions } from '@observablehq/plot';
import { DOMImplementation, XMLSerializer, type Element } from '@xmldom/xmldom';
import type { Finding } from '../measure/report.ts';
import { cpuOf, short, type Cost } from './cost.ts';
import type { Growth } from './everyday.ts';

/** What most users wait for, so that the lines can be told apart. */
const SHOWN = [
  'count to 1,000, and one row',
  'recency',
  'recency, one type and month',
  'relevance, ordinary words',
  'relevance, very common word',
  'prefix of 4, relevance',
  'phrases, relevance',
  'record read',
];

/** Draws what was measured; what was not is left as it is. @returns the files written. */
export function drawPictures(folder: string, findings: Readonly<Record<string, Finding>>): string[] {
  const written: string[] = [];
  const draw = (name: string, svg: string) => {
    const file = join(folder, name);
    writeFileSync(file, svg);
    written.push(file);
  };
  // Each measurement's details have the shape that it gave them.
  const details = (name: string) => findings[name]?.details as Record<string, unknown> | null | undefined;
  const growth = details('everyday')?.['growth'] as Growth | undefined;
  if (growth !== undefined) draw('growth.svg', growthPlot(growth));
  const { counts, rates } = (details('cores') ?? {}) as Partial<OnCores>;
  if (counts !== undefined && rates !== undefined) draw('cores.svg', drawCores({ counts, rates }));
  const fanOut = details('fan-out');
  if (fanOut !== undefined && fanOut !== null) draw('fan-out.svg', drawFanOut(fanOut));
  return written;
}

interface OnCores {
  readonly counts: readonly number[];
  readonly rates: Readonly<Record<string, readonly number[]>>;
}

function drawCores({ counts, rates }: OnCores): string {
  return barPlot(
    'Searches of six bases a second, by cores of the service',
    'users’ words by relevance, 32 at a time; logarithmic, longer is better',
    counts.map((count) => `${count} ${count === 1 ? 'core' : 'cores'}`),
    Object.entries(rates).map(([name, values]) => ({ name, values })),
  );
}

type Sides = Readonly<Record<string, readonly Cost[]>>;

function groupsOf(details: Record<string, unknown>, sides: readonly string[]): BarGroup[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null || !sides.every((side) => side in value)) return [];
    // The costs of each side, as the measurement gave them.
    const costs = value as Sides;
    const values = sides.map((side) => {
      const rounds = costs[side] ?? [];
      return rounds.length === 0 ? null : cpuOf(rounds).median;
    });
    return [{ name, values }];
  });
}

function drawFanOut(details: Record<string, unknown>): string {
  const decisions = Number(details['decisions']).toLocaleString('en');
  return barPlot(
    'CPU of one search of six bases',
    `six bases of ${decisions} decisions; milliseconds, logarithmic, shorter is better`,
    ['HTTP, 32 connections', 'HTTP, one', 'raw FTS5, no server'],
    groupsOf(details, ['http', 'alone', 'raw']),
  );
}

/**
 * Colours that tell series apart for nearly everybody (Okabe and Ito), each read well on its ground. A picture has its own
 * ground, and follows the reader's theme even if a page shows it as an image.
 */
const STYLE = `
  svg { font: 12px system-ui, sans-serif; color: #24292f } .ground { fill: #ffffff } .title { font-size: 15px; font-weight: 600 }
  .s { --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #a3528f; --s4: #8a6d00; --s5: #3d7ea6; --s6: #7f5539; --s7: #57606a }
  @media (prefers-color-scheme: dark) {
    svg { color: #e6edf3 } .ground { fill: #0d1117 }
    .s { --s0: #56b4e9; --s1: #ff8f50; --s2: #3fcf9f; --s3: #e59fd0; --s4: #e6c229; --s5: #9cc9e6; --s6: #c9a27e; --s7: #9198a1 }
  }`;
const WIDTH = 800;
const written = (value: number) => value.toLocaleString('en');
const AXIS = { type: 'log', grid: true, labelArrow: 'none', tickSize: 0, tickFormat: written } as const;
const colourOf = (at: number) => `var(--s${at % 8})`;

/** Plot needs a document to draw in. */
const PAGE = new DOMImplementation().createDocument('http://www.w3.org/1999/xhtml', 'html', null);
const writer = new XMLSerializer();
/** Plot's style, hidden axis labels, and names of parts, all removed: the whole picture has a name. */
const UNUSED = /<style>.*?<\/style>|<text [^>]*\/>|(?<=<g) aria-label="[^"]*"/gsu;
/** Digits of coordinates that no screen shows. Numbers in texts have no decimal point, or three digits after it. */
const FINE_DIGITS = /(\.\d)\d{3,}/gu;

function svgText(options: PlotOptions): string {
  const svg = plot({ color: { type: 'identity' }, ...options, document: PAGE }) as unknown as Element;
  svg.setAttribute('class', 's');
  svg.setAttribute('role', 'img');
  return writer.serializeToString(svg).replaceAll(UNUSED, '').replaceAll(FINE_DIGITS, '$1');
}

function drawn(title: string, subtitle: string, height: number, options: PlotOptions): string {
  const svg = svgText({ width: WIDTH, height, ariaLabel: `${title}: ${subtitle}`, ...options });
  const head = [
    `<style>${STYLE}</style><rect class="ground" width="${WIDTH}" height="${height}" rx="6"/>`,
    `<text class="title" x="16" y="26" text-anchor="start" fill="currentColor">${title}</text>`,
    `<text x="16" y="44" text-anchor="start" fill="currentColor">${subtitle}</text>`,
  ];
  return `${svg.replace(/^<svg [^>]*>/u, (tag) => `${tag}${head.join('\n')}`)}\n`;
}

const GROWTH = { height: 460, marginTop: 64, marginBottom: 44 };
const LABEL_PX = 15;

/** Cost by the size of the base, both on logarithmic axes: a cost that does not grow is a flat line. */
export function growthPlot(growth: Growth): string {
  const lines = SHOWN.flatMap((name) => {
    const cells = growth[name];
    return cells === undefined ? [] : [{ name, cells }];
  });
  const all = lines.flatMap(({ cells }) => cells.map(({ p50Ms }) => p50Ms));
  const [least, greatest] = [Math.min(...all) / 1.2, Math.max(...all) * 1.2];
  // Names are next to the ends of their lines, pushed apart if they would overlap.
  const height = GROWTH.height - GROWTH.marginTop - GROWTH.marginBottom;
  const apart = (greatest / least) ** (LABEL_PX / height);
  const names = lines
    .map(({ name, cells }, at) => ({
      name,
      at,
      decisions: cells.at(-1)?.decisions,
      p50Ms: cells.at(-1)?.p50Ms ?? 1,
    }))
    .toSorted((one, other) => other.p50Ms - one.p50Ms);
  for (const [at, end] of names.entries())
    end.p50Ms = Math.min(end.p50Ms, (names[at - 1]?.p50Ms ?? Number.POSITIVE_INFINITY) / apart);
  const place = { x: 'decisions', y: 'p50Ms' };
  return drawn('How cost grows with the base', 'median of a request over HTTP, milliseconds', GROWTH.height, {
    ...GROWTH,
    marginLeft: 60,
    marginRight: 225,
    x: { ...AXIS, label: 'decisions in the base', ticks: 4 },
    y: { ...AXIS, label: null, domain: [least, greatest] },
    marks: [
      ...lines.map(({ cells }, at) => lineY(cells, { ...place, stroke: colourOf(at), strokeWidth: 2 })),
      ...lines.map(({ cells }, at) => dot(cells, { ...place, fill: colourOf(at), r: 3 })),
      ...names.map((end) =>
        text([end], { ...place, text: 'name', fill: colourOf(end.at), dx: 8, textAnchor: 'start' }),
      ),
    ],
  });
}

/** Bars that belong together, one for each of a plot's contenders; null if it was left out. */
interface BarGroup {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

const BAR_PX = 13;
const GAP_PX = 10;
const BARS_TOP = 76;

function barPlot(
  title: string,
  subtitle: string,
  contenders: readonly string[],
  groups: readonly BarGroup[],
): string {
  const bars = groups.flatMap(({ name, values }) =>
    values.flatMap((value, at) => (value === null ? [] : [{ name, value, contender: contenders[at] }])),
  );
  const values = bars.map(({ value }) => value);
  const [low, high] = [Math.min(...values) / 2, Math.max(...values) * 2];
  const height = BARS_TOP + groups.length * (contenders.length * BAR_PX + GAP_PX) + 34;
  const place = { fy: 'name', y: 'contender', x: 'value' };
  const legend = contenders.map((contender, at) => ({ contender, at, x: 16 + at * 190 }));
  const svg = drawn(title, subtitle, height, {
    marginTop: BARS_TOP,
    marginBottom: 34,
    marginLeft: 240,
    marginRight: 40,
    x: { ...AXIS, label: null, domain: [low, high] },
    y: { domain: [...contenders], axis: null, padding: 0.1 },
    fy: { domain: groups.map(({ name }) => name), label: null, axis: 'left' },
    marks: [
      ...contenders.map((contender, at) =>
        barX(
          bars.filter((bar) => bar.contender === contender),
          { fy: 'name', y: 'contender', x1: low, x2: 'value', fill: colourOf(at) },
        ),
      ),
      text(bars, {
        ...place,
        text: ({ value }: { value: number }) => short(value),
        dx: 4,
        textAnchor: 'start',
        fontSize: 10,
      }),
    ],
  });
  const entries = legend.map(
    ({ contender, at, x }) =>
      `<rect x="${x}" y="54" width="10" height="10" fill="${colourOf(at)}"/><text x="${x + 15}" y="63" text-anchor="start" fill="currentColor">${contender}</text>`,
  );
  return svg.replace('</svg>', `${entries.join('')}</svg>`);
}
