import { curveStepBefore, line } from 'd3-shape';
import type { Step } from '../result.ts';
import { frame, MARGINS, msAxis, type Axis, type Size } from './frame.ts';
import { markup, type Markup } from '../../../html/markup.ts';
import { formatPercent, formatPercentile, ms } from './numbers.ts';
import { rampStyle } from './ramp.ts';

/** A curve of a plot; its index sets its colour and dashes. */
export interface Curve {
  readonly label: string;
  readonly step: Step;
}

const MARKS = [0, 50, 90, 99, 99.9, 99.99, 99.999];

/**
 * Latency by percentile, with a finer scale towards 100%.
 * @param marked the curve to highlight if the curves are the rates of one run in rising order; else null.
 */
export function curvePlot(
  id: string,
  curves: readonly Curve[],
  size: Size,
  marked: number | null = null,
): Markup {
  const points = curves.map(({ step }) =>
    step.curve.map(({ percentile, ms: y }) => [nines(percentile), y] as const),
  );
  const bottom = size.height - MARGINS.bottom;
  const y = msAxis(
    points.flat().map(([, value]) => value),
    [bottom, MARGINS.top],
    'latência, ms',
  );
  const x = percentileAxis(Math.max(1, ...points.flat().map(([at]) => at)), size);
  const path = line<readonly [number, number]>()
    .x(([at]) => x.of(at))
    .y(([, value]) => y.of(value))
    .curve(curveStepBefore);
  const about = curves.map(({ label, step }) => `${label}: ${words(step)}`).join('; ');
  return frame(
    { id, name: 'Curva de percentis da latência', description: about },
    size,
    MARGINS,
    { x, y },
    points.map((one, at) => {
      const label = curves[at]?.label ?? '';
      return marked === null
        ? markup`<path class="linha s${at}" d="${path(one) ?? ''}"/>`
        : markup`<path class="rampa${at === marked ? ' forte' : ''}" style="${rampStyle(at, points.length)}" d="${path(one) ?? ''}"><title>${label}</title></path>`;
    }),
  );
}

function percentileAxis(most: number, { width, name }: Size): Axis {
  const left = MARGINS.left;
  const right = width - MARGINS.right;
  const of = (value: number): number => left + (value / most) * (right - left);
  const marks = MARKS.filter((mark) => nines(mark) <= most && (name === 'largo' || mark !== 50));
  const ticks = marks.map((mark) => ({ at: of(nines(mark)), label: `${String(mark).replace('.', ',')}%` }));
  return { of, ticks, title: 'percentil (quantos não esperaram mais)' };
}

/** 0 for 0%, 1 for 90%, 2 for 99%, … */
function nines(percentile: number): number {
  return -Math.log10(Math.max(1e-9, 1 - percentile / 100));
}

function words({ latency_ms: { all }, due }: Step): string {
  if (all === null) return 'nenhuma resposta';
  const answered = formatPercent(all.count / Math.max(1, due));
  return `mediana ${formatPercentile(all, 'p50')} ms, 99% até ${formatPercentile(all, 'p99')} ms, a mais longa ${ms(all.max)} ms (${answered} dos pedidos)`;
}
