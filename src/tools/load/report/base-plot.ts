import type { Distribution } from '../histogram.ts';
import type { Step } from '../result.ts';
import { frame, msAxis, px, type Size } from './frame.ts';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { latencyOfOrder } from '../step-figures.ts';
import { formatPercentile } from './numbers.ts';

/** One box: its base, its series and its times. */
interface Box {
  readonly base: string;
  readonly series: number;
  readonly of: Distribution;
}

const MARGINS = { top: 12, right: 26, bottom: 44, left: 56 };
const ROW = 26;
const BOX = 14;
const GROUP_GAP = 10;

/** The series of boxes: the orders of one run, or the two runs. */
export interface BoxSeries {
  readonly label: string;
  readonly of: (base: string) => Distribution | null;
}

export function boxSeries(steps: readonly { readonly label: string; readonly step: Step }[]): BoxSeries[] {
  const [only] = steps;
  if (only === undefined) return [];
  if (steps.length > 1) {
    return steps.map(({ label, step }) => ({
      label,
      of: (base) => step.bases.find((one) => one.base === base)?.latency_ms ?? null,
    }));
  }
  const orders = [
    ...new Set(only.step.bases.flatMap(({ por_ordem }) => por_ordem.map(({ ordem }) => ordem))),
  ];
  return orders.map((ordem) => ({
    label: ordem,
    of: (base) =>
      latencyOfOrder(
        only.step.bases.find((one) => one.base === base),
        ordem,
      ),
  }));
}

/** A box plot for each base and series: quartiles, whiskers from the minimum to 99%, a dot at the maximum. */
export function basePlot(bases: readonly string[], series: readonly BoxSeries[], size: Size): Markup | null {
  const boxes: Box[] = bases.flatMap((base) =>
    series.flatMap(({ of }, at) => {
      const distribution = of(base);
      return distribution === null ? [] : [{ base, series: at, of: distribution }];
    }),
  );
  if (boxes.length === 0) return null;
  const rows = rowsOf(boxes);
  const height = MARGINS.top + rows.total + MARGINS.bottom;
  const values = boxes.flatMap(({ of }) => [of.min, of.max]);
  const x = msAxis(values, [MARGINS.left, size.width - MARGINS.right], 'tempo na base, ms');
  const description = boxes.map(
    ({ base, series: at, of }) =>
      `${base} (${series[at]?.label ?? ''}): mediana ${formatPercentile(of, 'p50')} ms, 99% até ${formatPercentile(of, 'p99')} ms`,
  );
  return frame(
    { id: 'bases', name: 'Tempo de cada base', description: description.join('; ') },
    { ...size, height },
    MARGINS,
    { x, y: null },
    [
      ...rows.labels.map(
        ({ base, middle }) =>
          markup`<text class="base" x="${MARGINS.left - 8}" y="${px(middle + 4)}" text-anchor="end">${base}</text>`,
      ),
      ...boxes.map((box, at) => drawn(box, rows.middles[at] ?? 0, x.of)),
    ],
  );
}

function rowsOf(boxes: readonly Box[]) {
  const middles: number[] = [];
  const labels: { base: string; middle: number }[] = [];
  let y = MARGINS.top;
  for (const [at, { base }] of boxes.entries()) {
    const isFirst = boxes[at - 1]?.base !== base;
    if (isFirst && at > 0) y += GROUP_GAP;
    if (isFirst) {
      const count = boxes.filter((box) => box.base === base).length;
      labels.push({ base, middle: y + (count * ROW) / 2 });
    }
    middles.push(y + ROW / 2);
    y += ROW;
  }
  return { middles, labels, total: y - MARGINS.top };
}

function drawn({ base, series, of }: Box, middle: number, x: (value: number) => number): Markup {
  const [min, p99, max] = [x(of.min), x(of.p99), x(of.max)];
  const [p25, p50, p75] = [x(of.p25), x(of.p50), x(of.p75)];
  const top = middle - BOX / 2;
  const bottom = middle + BOX / 2;
  return joined([
    markup`<g class="caixa s${series}"><title>${base}: mediana ${formatPercentile(of, 'p50')} ms, 99% até ${formatPercentile(of, 'p99')} ms</title>`,
    markup`<line x1="${px(min)}" x2="${px(p25)}" y1="${px(middle)}" y2="${px(middle)}"/>`,
    markup`<line x1="${px(p75)}" x2="${px(p99)}" y1="${px(middle)}" y2="${px(middle)}"/>`,
    markup`<line x1="${px(min)}" x2="${px(min)}" y1="${px(top + 3)}" y2="${px(bottom - 3)}"/>`,
    markup`<line x1="${px(p99)}" x2="${px(p99)}" y1="${px(top + 3)}" y2="${px(bottom - 3)}"/>`,
    markup`<rect x="${px(p25)}" y="${px(top)}" width="${px(Math.max(1, p75 - p25))}" height="${BOX}"/>`,
    markup`<line class="mediana" x1="${px(p50)}" x2="${px(p50)}" y1="${px(top)}" y2="${px(bottom)}"/>`,
    markup`<circle cx="${px(max)}" cy="${px(middle)}" r="2.5"/></g>`,
  ]);
}
