import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logAxis, type Axis } from '../../../src/tools/load/report/chart.ts';
import { Markup, markup } from '../../../src/tools/load/report/markup.ts';
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
  svg { font: 12px system-ui, sans-serif; color: #24292f } .ground { fill: #ffffff } .title { font-size: 15px; font-weight: 600 } .grid { stroke: currentColor; stroke-opacity: 0.1 }
  .s { --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #a3528f; --s4: #8a6d00; --s5: #3d7ea6; --s6: #7f5539; --s7: #57606a }
  @media (prefers-color-scheme: dark) {
    svg { color: #e6edf3 } .ground { fill: #0d1117 }
    .s { --s0: #56b4e9; --s1: #ff8f50; --s2: #3fcf9f; --s3: #e59fd0; --s4: #e6c229; --s5: #9cc9e6; --s6: #c9a27e; --s7: #9198a1 }
  }`;
const WIDTH = 800;
const written = (value: number) => value.toLocaleString('en');
const colourOf = (at: number) => `var(--s${at % 8})`;

function drawn(title: string, subtitle: string, height: number, body: readonly Markup[]): string {
  return markup`<svg xmlns="http://www.w3.org/2000/svg" class="s" role="img" aria-label="${title}: ${subtitle}" fill="currentColor" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"><style>${new Markup(STYLE)}</style>
<rect class="ground" width="${WIDTH}" height="${height}" rx="6"/><text class="title" x="16" y="26">${title}</text><text x="16" y="44">${subtitle}</text>
${body}
</svg>
`.text;
}

/** The places of a scale's values between two places of the picture. */
function placesOf({ placeOf }: Axis, from: number, to: number): (value: number) => number {
  return (value) => Math.round((from + placeOf(value) * (to - from)) * 10) / 10;
}

/** Lines down from the top of a drawing to its end, with the values below. */
function ticksDown({ ticks }: Axis, xOf: (value: number) => number, top: number, end: number): Markup[] {
  return ticks.map(
    ([value]) =>
      markup`<line class="grid" x1="${xOf(value)}" x2="${xOf(value)}" y1="${top}" y2="${end}"/><text x="${xOf(value)}" y="${end + 18}" text-anchor="middle">${written(value)}</text>`,
  );
}

const GROWTH = { height: 460, top: 64, end: 416, left: 60, right: 575 };
const LABEL_PX = 15;

/** Cost by the size of the base, both on logarithmic axes: a cost that does not grow is a flat line. */
export function growthPlot(growth: Growth): string {
  const lines = SHOWN.flatMap((name) => {
    const cells = growth[name];
    return cells === undefined ? [] : [{ name, cells }];
  });
  const all = lines.flatMap(({ cells }) => cells);
  const { height, top, end, left, right } = GROWTH;
  const x = logAxis(all.map(({ decisions }) => decisions));
  const y = logAxis(all.map(({ p50Ms }) => p50Ms));
  const [xOf, yOf] = [placesOf(x, left, right), placesOf(y, end, top)];
  // Names are next to the ends of their lines, pushed apart if they would overlap.
  const names = lines
    .map(({ name, cells }, at) => ({ name, at, place: yOf(cells.at(-1)?.p50Ms ?? 1) }))
    .toSorted((one, other) => one.place - other.place);
  for (const [at, one] of names.entries())
    one.place = Math.max(one.place, (names[at - 1]?.place ?? Number.NEGATIVE_INFINITY) + LABEL_PX);
  const body = [
    ...ticksDown(
      { ...x, ticks: x.ticks.filter(([value]) => Number.isInteger(Math.log10(value))) },
      xOf,
      top,
      end,
    ),
    markup`<text x="${right}" y="${end + 36}" text-anchor="end">decisions in the base</text>`,
    ...y.ticks.map(
      ([value]) =>
        markup`<line class="grid" x1="${left}" x2="${right}" y1="${yOf(value)}" y2="${yOf(value)}"/><text x="${left - 8}" y="${yOf(value) + 4}" text-anchor="end">${written(value)}</text>`,
    ),
    ...lines.map(({ cells }, at) => {
      const places = cells.map(({ decisions, p50Ms }) => ({ cx: xOf(decisions), cy: yOf(p50Ms) }));
      const points = places.map(({ cx, cy }) => `${cx},${cy}`).join(' ');
      return markup`<polyline points="${points}" fill="none" stroke="${colourOf(at)}" stroke-width="2"/>${places.map(({ cx, cy }) => markup`<circle cx="${cx}" cy="${cy}" r="3" fill="${colourOf(at)}"/>`)}`;
    }),
    ...names.map(
      ({ name, at, place }) =>
        markup`<text x="${right + 8}" y="${place + 4}" fill="${colourOf(at)}">${name}</text>`,
    ),
  ];
  return drawn('How cost grows with the base', 'median of a request over HTTP, milliseconds', height, body);
}

/** Bars that belong together, one for each of a plot's contenders; null if it was left out. */
interface BarGroup {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

const BARS = { top: 76, left: 240, right: 760, bar: 13, gap: 10, bottom: 34 };

function barPlot(
  title: string,
  subtitle: string,
  contenders: readonly string[],
  groups: readonly BarGroup[],
): string {
  const { top, left, right, bar, gap, bottom } = BARS;
  const values = groups.flatMap((group) => group.values.filter((value) => value !== null));
  const x = logAxis([Math.min(...values) / 2, Math.max(...values) * 2]);
  const xOf = placesOf(x, left, right);
  const step = contenders.length * bar + gap;
  const end = top + groups.length * step;
  const bars = groups.flatMap(({ name, values: own }, group) => {
    const start = top + group * step;
    const middle = start + (contenders.length * bar) / 2 + 4;
    return [
      markup`<text x="${left - 8}" y="${middle}" text-anchor="end">${name}</text>`,
      ...own.flatMap((value, at) => {
        if (value === null) return [];
        const y = start + at * bar;
        return markup`<rect x="${left}" y="${y}" width="${xOf(value) - left}" height="${bar - 1}" fill="${colourOf(at)}"/><text x="${xOf(value) + 4}" y="${y + 10}" font-size="10">${short(value)}</text>`;
      }),
    ];
  });
  const legend = contenders.map(
    (contender, at) =>
      markup`<rect x="${16 + at * 190}" y="54" width="10" height="10" fill="${colourOf(at)}"/><text x="${31 + at * 190}" y="63">${contender}</text>`,
  );
  return drawn(title, subtitle, end + bottom, [...ticksDown(x, xOf, top, end), ...bars, ...legend]);
}
