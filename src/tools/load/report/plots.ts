import { barX, dot, lineY, ruleY, tickX } from '@observablehq/plot';
import type { Markup } from './markup.ts';
import type { Distribution } from '../histogram.ts';
import { isKnee } from '../knee.ts';
import type { Run, Step } from '../result.ts';
import type { Named } from '../tables.ts';
import { ms, percent, percentile, rate } from '../format.ts';
import { kneeText } from '../words.ts';
import { colourOf, evenScale, msScale, picture, seriesLine } from './picture.ts';

/**
 * Latency by complete answers a second, a point for each rate. The curve goes right while the service keeps up,
 * and up when it does not. One run has its 99th percentile and median; two runs have their 99th percentiles.
 */
export function sweepPlot(runs: readonly Run[]): Markup {
  const lines = runs.flatMap((run) =>
    (runs.length > 1 ? (['p99'] as const) : (['p99', 'p50'] as const)).map((of) =>
      run.steps.flatMap((step) => {
        const { all } = step.latency_ms;
        if (all === null) return [];
        const title = `${rate(step.rate_per_s)}: ${percentile(all, of)} ms`;
        return [{ x: step.complete_per_s, y: all[of], title, isKnee: of === 'p99' && isKnee(run, step) }];
      }),
    ),
  );
  const points = lines.flat();
  const place = { x: 'x', y: 'y' };
  return picture('Rate and latency', runs.map((run) => kneeText(run)).join(' '), () => ({
    x: evenScale(Math.max(1, ...points.map(({ x }) => x)) * 1.05, 'complete answers a second'),
    y: msScale(points.map(({ y }) => y)),
    marks: [
      ...lines.map((line, at) => lineY(line, { ...place, ...seriesLine(at) })),
      ...lines.map((line, at) =>
        dot(line, {
          ...place,
          title: 'title',
          r: 4,
          stroke: colourOf(at),
          strokeWidth: 2,
          fill: at === 1 ? colourOf(at) : 'var(--paper)',
        }),
      ),
      // The rate is in the legend: text here would cover a line.
      dot(
        points.filter((point) => point.isKnee),
        { ...place, className: 'knee', r: 9, strokeWidth: 2 },
      ),
    ],
  }));
}

/** The knee for a legend; empty if there is none. */
export function kneeLabel(run: Run): string {
  const step = run.steps.find((one) => isKnee(run, one));
  return step === undefined ? '' : ` (ring: knee, ${rate(step.rate_per_s)})`;
}

const CURVE_MARKS = [0, 50, 90, 99, 99.9, 99.99, 99.999];

/** Latency by percentile, with a finer scale towards 100%. */
export function curvePlot(series: readonly Named[]): Markup {
  const lines = series.map(({ step }) =>
    step.curve.map(({ percentile: at, ms: y }) => ({ x: nines(at), y })),
  );
  const most = Math.max(1, ...lines.flat().map(({ x }) => x));
  const words = series.map(({ label, step }) => `${label}: ${curveWords(step)}`).join('; ');
  return picture('Latency by percentile', words, ({ name }) => ({
    x: {
      ...evenScale(most, 'percentile (how many waited no longer)'),
      ticks: CURVE_MARKS.filter((mark) => nines(mark) <= most && (name === 'wide' || mark !== 50)).map(nines),
      tickFormat: (at: number) => `${CURVE_MARKS.find((mark) => nines(mark) === at)}%`,
    },
    y: msScale(lines.flat().map(({ y }) => y)),
    marks: lines.map((line, at) => lineY(line, { x: 'x', y: 'y', ...seriesLine(at) })),
  }));
}

/** 0 for 0%, 1 for 90%, 2 for 99%, … */
function nines(at: number): number {
  return -Math.log10(Math.max(1e-9, 1 - at / 100));
}

function curveWords({ latency_ms: { all }, due }: Step): string {
  if (all === null) return 'no answer';
  const answered = percent(all.count / Math.max(1, due));
  return `${percentileWords(all)}, longest ${ms(all.max)} ms (${answered} of the requests)`;
}

function percentileWords(times: Distribution): string {
  return `median ${percentile(times, 'p50')} ms, 99% up to ${percentile(times, 'p99')} ms`;
}

const MARGINS_HEIGHT = 72;
const ROW = 24;
const GAP = 8;

/** A box for each base and run: quartiles, whiskers from the minimum to 99%, a dot at the maximum. */
export function basePlot(bases: readonly string[], series: readonly Named[]): Markup | null {
  const boxes = bases.flatMap((base) =>
    series.flatMap(({ label, step }, at) => {
      const times = step.bases.find((one) => one.base === base)?.latency_ms ?? null;
      if (times === null) return [];
      const title = `${base} (${label}): ${percentileWords(times)}`;
      return [{ ...times, base, label, title, colour: colourOf(at) }];
    }),
  );
  if (boxes.length === 0) return null;
  const place = { fy: 'base', y: 'label', stroke: 'colour' };
  const words = boxes.map(({ title }) => title).join('; ');
  return picture('Time in each base', words, () => ({
    height: MARGINS_HEIGHT + bases.length * (series.length * ROW + GAP),
    fy: { domain: [...bases], label: null, axis: 'left' },
    y: { domain: series.map(({ label }) => label), axis: null },
    x: msScale(
      boxes.flatMap(({ min, max }) => [min, max]),
      'time in the base, ms',
    ),
    marks: [
      ruleY(boxes, { ...place, x1: 'min', x2: 'p25' }),
      ruleY(boxes, { ...place, x1: 'p75', x2: 'p99' }),
      ...['min', 'p99'].map((x) => tickX(boxes, { ...place, x, inset: 4 })),
      barX(boxes, { ...place, x1: 'p25', x2: 'p75', fill: 'var(--paper)', strokeWidth: 2, title: 'title' }),
      tickX(boxes, { ...place, x: 'p50', strokeWidth: 3 }),
      dot(boxes, { ...place, x: 'max', r: 2.5, fill: 'colour' }),
    ],
  }));
}
