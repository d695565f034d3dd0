import { barX, dot, lineY, ruleY, tickX } from '@observablehq/plot';
import type { Markup } from './markup.ts';
import type { Distribution } from '../histogram.ts';
import type { Run, Step } from '../result.ts';
import { PORTUGUESE as t } from '../language.ts';
import { kneeText } from '../words.ts';
import { colourOf, evenScale, msScale, picture, rateLine, seriesLine } from './picture.ts';

interface Curve {
  readonly label: string;
  readonly step: Step;
}

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
        const title = `${t.rate(step.rate_per_s)}: ${t.percentile(all, of)} ms`;
        return [{ x: step.complete_per_s, y: all[of], title, isKnee: of === 'p99' && isKnee(run, step) }];
      }),
    ),
  );
  const points = lines.flat();
  const place = { x: 'x', y: 'y' };
  return picture('Vazão e latência', runs.map((run) => kneeText(run, t)).join(' '), () => ({
    x: evenScale(Math.max(1, ...points.map(({ x }) => x)) * 1.05, 'respostas completas por segundo'),
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
          fill: at === 1 ? colourOf(at) : 'var(--papel)',
        }),
      ),
      // The rate is in the legend: text here would cover a line.
      dot(
        points.filter((point) => point.isKnee),
        { ...place, className: 'joelho', r: 9, strokeWidth: 2 },
      ),
    ],
  }));
}

export function isKnee({ knee }: Run, { rate_per_s }: Step): boolean {
  return knee.found === 'knee' && rate_per_s === knee.rate_per_s;
}

/** The knee for a legend; empty if there is none. */
export function kneeLabel(run: Run): string {
  const step = run.steps.find((one) => isKnee(run, one));
  return step === undefined ? '' : ` (anel: joelho, ${t.rate(step.rate_per_s)})`;
}

const CURVE_MARKS = [0, 50, 90, 99, 99.9, 99.99, 99.999];

/**
 * Latency by percentile, with a finer scale towards 100%.
 * @param marked the curve to highlight if the curves are a run's rates in rising order; else null.
 */
export function curvePlot(curves: readonly Curve[], marked: number | null = null): Markup {
  const lines = curves.map(({ label, step }) =>
    step.curve.map(({ percentile, ms: y }) => ({ x: nines(percentile), y, label })),
  );
  const most = Math.max(1, ...lines.flat().map(({ x }) => x));
  const words = curves.map(({ label, step }) => `${label}: ${curveWords(step)}`).join('; ');
  return picture('Curva de percentis da latência', words, ({ name }) => ({
    x: {
      ...evenScale(most, 'percentil (quantos não esperaram mais)'),
      ticks: CURVE_MARKS.filter((mark) => nines(mark) <= most && (name === 'largo' || mark !== 50)).map(
        nines,
      ),
      tickFormat: (at: number) =>
        `${String(CURVE_MARKS.find((mark) => nines(mark) === at)).replace('.', ',')}%`,
    },
    y: msScale(lines.flat().map(({ y }) => y)),
    marks: lines.map((line, at) =>
      lineY(line, {
        x: 'x',
        y: 'y',
        curve: 'step-before',
        ...(marked === null
          ? seriesLine(at)
          : { title: 'label', ...rateLine(at, lines.length, at === marked) }),
      }),
    ),
  }));
}

/** 0 for 0%, 1 for 90%, 2 for 99%, … */
function nines(percentile: number): number {
  return -Math.log10(Math.max(1e-9, 1 - percentile / 100));
}

function curveWords({ latency_ms: { all }, due }: Step): string {
  if (all === null) return 'nenhuma resposta';
  const answered = t.percent(all.count / Math.max(1, due));
  return `${percentileWords(all)}, a mais longa ${t.ms(all.max)} ms (${answered} dos pedidos)`;
}

function percentileWords(times: Distribution): string {
  return `mediana ${t.percentile(times, 'p50')} ms, 99% até ${t.percentile(times, 'p99')} ms`;
}

const MARGINS_HEIGHT = 72;
const ROW = 24;
const GAP = 8;

/** A box for each base and run: quartiles, whiskers from the minimum to 99%, a dot at the maximum. */
export function basePlot(bases: readonly string[], series: readonly Curve[]): Markup | null {
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
  return picture('Tempo de cada base', words, () => ({
    height: MARGINS_HEIGHT + bases.length * (series.length * ROW + GAP),
    fy: { domain: [...bases], label: null, axis: 'left' },
    y: { domain: series.map(({ label }) => label), axis: null },
    x: msScale(
      boxes.flatMap(({ min, max }) => [min, max]),
      'tempo na base, ms',
    ),
    marks: [
      ruleY(boxes, { ...place, x1: 'min', x2: 'p25' }),
      ruleY(boxes, { ...place, x1: 'p75', x2: 'p99' }),
      ...['min', 'p99'].map((x) => tickX(boxes, { ...place, x, inset: 4 })),
      barX(boxes, { ...place, x1: 'p25', x2: 'p75', fill: 'var(--papel)', strokeWidth: 2, title: 'title' }),
      tickX(boxes, { ...place, x: 'p50', strokeWidth: 3 }),
      dot(boxes, { ...place, x: 'max', r: 2.5, fill: 'colour' }),
    ],
  }));
}
