import { short } from './cost.ts';
import { COLOURS, Svg, logScale } from './svg.ts';

/** One line of a plot of growth: a figure (milliseconds) at each size. */
export interface Line {
  readonly name: string;
  readonly points: readonly { readonly size: number; readonly ms: number }[];
}

/** Bars that belong together, one for each of a plot's contenders; null where one is left out. */
export interface BarGroup {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

const WIDTH = 800;
const HEIGHT = 460;
const LEFT = 60;
const RIGHT = 575;
const TOP = 64;
const BOTTOM = HEIGHT - 44;
const LABEL_STEP = 15;

/** Cost against the size of the base, both on logarithmic axes: a cost that does not grow is a flat line. */
export function growthPlot(title: string, subtitle: string, lines: readonly Line[]): string {
  const svg = new Svg(WIDTH, HEIGHT, title, subtitle);
  const points = lines.flatMap((line) => line.points);
  const x = logScale(
    points.map(({ size }) => size),
    LEFT,
    RIGHT,
  );
  const y = logScale(
    points.map(({ ms }) => ms),
    BOTTOM,
    TOP,
  );
  for (const power of x.powers) {
    svg.gridLine([x.at(power), TOP], [x.at(power), BOTTOM]);
    svg.text([x.at(power), BOTTOM + 18], power.toLocaleString('en'), 'soft', 'middle');
  }
  for (const power of y.powers) {
    svg.gridLine([LEFT, y.at(power)], [RIGHT, y.at(power)]);
    svg.text([LEFT - 8, y.at(power) + 4], String(power), 'soft', 'end');
  }
  svg.text([(LEFT + RIGHT) / 2, HEIGHT - 8], 'decisions in the base', 'soft', 'middle');
  const ends = lines.map((line, at) => {
    svg.polyline(
      line.points.map(({ size, ms }) => [x.at(size), y.at(ms)] as const),
      at % COLOURS,
    );
    const last = line.points.at(-1);
    return { at, name: line.name, x: x.at(last?.size ?? 1), y: y.at(last?.ms ?? 1) };
  });
  // Names stand beside the ends of their lines, pushed apart where they would lie on each other.
  let below = TOP;
  for (const end of ends.toSorted((a, b) => a.y - b.y)) {
    const place = Math.max(below, end.y + 4);
    svg.text([Math.max(end.x, RIGHT) + 8, place], end.name, `name s${end.at % COLOURS}`);
    below = place + LABEL_STEP;
  }
  return svg.toString();
}

const NAMES_WIDTH = 240;
const BAR = 12;
const GAP = 12;
const HEAD = 76;

/** Groups of bars on a logarithmic axis. */
export function barPlot(
  title: string,
  subtitle: string,
  contenders: readonly string[],
  groups: readonly BarGroup[],
  unit = ' ms',
): string {
  const groupHeight = contenders.length * BAR + GAP;
  const bottom = HEAD + groups.length * groupHeight;
  const svg = new Svg(WIDTH, bottom + 34, title, subtitle);
  const all = groups.flatMap(({ values }) => values.filter((one) => one !== null));
  const x = logScale(all, NAMES_WIDTH, WIDTH - 70);
  for (const power of x.powers) {
    svg.gridLine([x.at(power), HEAD - 4], [x.at(power), bottom]);
    svg.text([x.at(power), bottom + 18], `${power}${unit}`, 'soft', 'middle');
  }
  let legend = 16;
  for (const [at, name] of contenders.entries()) {
    svg.bar([legend, 54], 10, 10, at % COLOURS);
    svg.text([legend + 15, 63], name);
    legend += 32 + name.length * 6.6;
  }
  for (const [row, { name, values }] of groups.entries()) {
    const top = HEAD + row * groupHeight;
    svg.text([NAMES_WIDTH - 8, top + (contenders.length * BAR) / 2 + 4], name, '', 'end');
    for (const [at, one] of values.entries()) {
      if (one === null) continue;
      svg.bar([NAMES_WIDTH, top + at * BAR], x.at(one) - NAMES_WIDTH, BAR - 1, at % COLOURS);
      svg.text([x.at(one) + 4, top + at * BAR + 9], short(one), 'soft value');
    }
  }
  return svg.toString();
}
