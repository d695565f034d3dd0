import { areaY, dot, lineY, rect, text, type Markish } from '@observablehq/plot';
import type { Markup } from './markup.ts';
import { cellFrom, countsByCell } from '../histogram.ts';
import type { Run, Step } from '../result.ts';
import { formatRate, formatWhole, ms } from './numbers.ts';
import { evenScale, msScale, picture, seriesLine, type Size } from './picture.ts';

interface Stretch extends Pick<Step, 'timeline' | 'rate_per_s' | 'slot_s'> {
  readonly from_s: number;
  readonly to_s: number;
}

function stretchesOf({ steps }: Run): Stretch[] {
  return steps.flatMap(passesOf).toSorted((a, b) => a.from_s - b.from_s);
}

function passesOf({ timeline, rate_per_s, slot_s }: Step): Stretch[] {
  return [...Map.groupBy(timeline, ({ pass }) => pass).values()].map((points) => ({
    timeline: points,
    rate_per_s,
    slot_s,
    from_s: points[0]?.at_s ?? 0,
    to_s: (points.at(-1)?.at_s ?? 0) + slot_s,
  }));
}

/** Narrower stretches do not show their rate. */
const LABEL_PIXELS = 48;

/** A run's time axis and, in a sweep, a background for each stretch, labelled with the rate if it fits. */
function timeOf(run: Run, { width }: Size) {
  const stretches = stretchesOf(run);
  const first = Math.min(...stretches.map(({ from_s }) => from_s));
  const last = Math.max(first + 1, ...stretches.map(({ to_s }) => to_s));
  const shown = run.steps.length > 1 ? stretches : [];
  const pixels = (width - 82) / (last - first);
  const roomy = shown.filter(({ from_s, to_s }) => (to_s - from_s) * pixels >= LABEL_PIXELS);
  const marks: Markish[] = [
    rect(shown, { x1: 'from_s', x2: 'to_s', fill: 'var(--faixa)' }),
    text(roomy, {
      x: ({ from_s, to_s }: Stretch) => (from_s + to_s) / 2,
      text: ({ rate_per_s }: Stretch) => formatRate(rate_per_s),
      frameAnchor: 'top',
      lineAnchor: 'bottom',
      dy: -4,
    }),
  ];
  return { stretches, pixels, marks, x: evenScale(last, 'segundos desde o início', first), marginTop: 40 };
}

/** Latency over time. Marks below are requests without a complete answer. @param values of all runs, for one scale. */
export function timelinePlot(run: Run, values: readonly number[]): Markup {
  const points = stretchesOf(run).flatMap(({ timeline }, stretch) =>
    timeline.map((point) => ({ ...point, stretch })),
  );
  return picture('Linha do tempo da latência', timelineWords(run), (size) => {
    const { x, marks, marginTop } = timeOf(run, size);
    return {
      x,
      y: msScale(values),
      marginTop,
      marks: [
        ...marks,
        ...['p99_ms', 'p50_ms'].map((y, at) =>
          lineY(points, { x: 'at_s', y, z: 'stretch', ...seriesLine(at) }),
        ),
        dot(
          points.filter(({ failed }) => failed > 0),
          {
            x: 'at_s',
            frameAnchor: 'bottom',
            dy: -3,
            r: 2.5,
            fill: 'var(--falha)',
            title: ({ failed }: { failed: number }) => `${formatWhole(failed)} sem resposta completa`,
          },
        ),
      ],
    };
  });
}

/** The latencies that the runs' common scale must cover. */
export function timelineValues(runs: readonly Run[]): number[] {
  return runs.flatMap(({ steps }) =>
    steps.flatMap(({ timeline }) => timeline.flatMap(({ p50_ms, p99_ms }) => [p50_ms ?? 1, p99_ms ?? 1])),
  );
}

function timelineWords({ steps }: Run): string {
  const points = steps.flatMap(({ timeline }) => timeline);
  const failed = points.reduce((sum, point) => sum + point.failed, 0);
  const worst = points.toSorted((a, b) => (b.p99_ms ?? 0) - (a.p99_ms ?? 0))[0];
  return (
    `${formatWhole(points.length)} pontos em ${formatWhole(steps.length)} taxa(s); o pior percentil 99 foi ` +
    `${ms(worst?.p99_ms)} ms, aos ${formatWhole(worst?.at_s)} s; ${formatWhole(failed)} pedidos sem resposta completa`
  );
}

/** Requests a second by due time: due, completely answered, and failed. */
export function ratePlot(run: Run): Markup {
  const points = stretchesOf(run).flatMap(({ timeline, slot_s }, stretch) =>
    timeline.map(({ at_s, due, complete, failed }) => ({
      at_s,
      stretch,
      due: due / slot_s,
      complete: complete / slot_s,
      failed: failed / slot_s,
    })),
  );
  const words = run.steps.map(
    ({ rate_per_s, due, complete }) =>
      `a ${formatRate(rate_per_s)}, ${formatWhole(due)} pedidos e ${formatWhole(complete)} respostas completas`,
  );
  const place = { x: 'at_s', z: 'stretch' };
  return picture('Pedidos por segundo', words.join('; '), (size) => {
    const { x, marks, marginTop } = timeOf(run, size);
    return {
      x,
      y: evenScale(Math.max(1, ...points.map(({ due }) => due)) * 1.05, 'pedidos por segundo'),
      marginTop,
      marks: [
        ...marks,
        areaY(points, { ...place, y1: 0, y2: 'failed', fill: 'var(--falha)', fillOpacity: 0.55 }),
        lineY(points, { ...place, y: 'due', ...DUE_LINE }),
        lineY(points, { ...place, y: 'complete', ...seriesLine(0) }),
      ],
    };
  });
}

export const DUE_LINE = {
  className: 'linha',
  stroke: 'var(--fraco)',
  strokeWidth: 1.25,
  strokeDasharray: '3 3',
};

/** Shares of a column's requests at which the colour changes; the first level takes all smaller shares. */
export const HEAT_LEVELS = [0, 0.02, 0.05, 0.1, 0.2, 0.4];
const HEAT_STRENGTHS = [24, 38, 52, 66, 82, 100];
/** Narrower columns are merged. */
const COLUMN_PIXELS = 4;

export function heatColour(level: number): string {
  return `color-mix(in oklab, var(--calor) ${HEAT_STRENGTHS[level] ?? 100}%, var(--papel))`;
}

/** The distribution of latencies over time: a column is a time, a row a range of latencies, the colour a share. */
export function heatPlot(run: Run): Markup {
  const cells = run.steps.flatMap(({ timeline }) =>
    timeline.flatMap((point) => point.cells.map(([cell]) => cell)),
  );
  const ends = cells.length === 0 ? [] : [cellFrom(Math.min(...cells)), cellFrom(Math.max(...cells) + 1)];
  return picture('Mapa de calor da latência', heatWords(run), (size) => {
    const { stretches, pixels, x, marks, marginTop } = timeOf(run, size);
    const boxes = stretches.flatMap((stretch) => heatBoxes(stretch, pixels));
    return {
      x,
      y: msScale(ends, 'latência, ms', 1),
      marginTop,
      marks: [
        ...marks,
        ...HEAT_LEVELS.map((_, level) =>
          rect(
            boxes.filter((box) => box.level === level),
            { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', fill: heatColour(level) },
          ),
        ),
      ],
    };
  });
}

function heatBoxes({ timeline, slot_s }: Stretch, pixels: number) {
  const together = Math.max(1, Math.ceil(COLUMN_PIXELS / (pixels * slot_s)));
  const columns = Map.groupBy(timeline.entries(), ([at]) => Math.floor(at / together));
  return [...columns.values()].flatMap((entries) => {
    const points = entries.map(([, point]) => point);
    const cells = countsByCell(points);
    const total = [...cells.values()].reduce((sum, count) => sum + count, 0);
    return [...cells].map(([cell, count]) => ({
      x1: points[0]?.at_s ?? 0,
      x2: (points.at(-1)?.at_s ?? 0) + slot_s,
      y1: cellFrom(cell),
      y2: cellFrom(cell + 1),
      level: HEAT_LEVELS.findLastIndex((share) => count / total >= share),
    }));
  });
}

function heatWords({ steps }: Run): string {
  const counts = countsByCell(steps.flatMap(({ timeline }) => timeline));
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (most === undefined) return 'nenhuma resposta';
  const [cell, count] = most;
  return `a faixa mais cheia é de ${ms(cellFrom(cell))} a ${ms(cellFrom(cell + 1))} ms, com ${formatWhole(count)} pedidos`;
}
