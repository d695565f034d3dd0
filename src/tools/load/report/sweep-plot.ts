import { line } from 'd3-shape';
import type { Run, Step } from '../result.ts';
import { evenAxis, frame, MARGINS, msAxis, px, type Size } from './frame.ts';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { failedStep } from '../knee.ts';
import { formatPercentile, formatRate, formatWhole, ms } from './numbers.ts';

const PERCENTILES = ['p99', 'p50'] as const;

/**
 * Latency by complete answers a second, one point for each rate. The curve goes right while the service keeps up,
 * and up when it does not. One run has its 99th percentile and median; two runs have their 99th percentiles.
 */
export function sweepPlot(runs: readonly Run[], size: Size): Markup {
  const lines = runs.length > 1 ? runs.map((run) => ({ run, of: 'p99' as const })) : linesOf(runs[0]);
  const steps = runs.flatMap((run) => measured(run));
  const bottom = size.height - MARGINS.bottom;
  const x = evenAxis(
    Math.max(1, ...steps.map(({ complete_per_s }) => complete_per_s)) * 1.05,
    [MARGINS.left, size.width - MARGINS.right],
    'respostas completas por segundo',
  );
  const values = lines.flatMap(({ run, of }) => measured(run).map((step) => step.latency_ms.all?.[of] ?? 0));
  const y = msAxis(values, [bottom, MARGINS.top], 'latência, ms');
  const content = lines.map(({ run, of }, at) => {
    const points = measured(run).map((step) => ({ step, value: step.latency_ms.all?.[of] ?? 0 }));
    const path = line<(typeof points)[number]>()
      .x(({ step }) => x.of(step.complete_per_s))
      .y(({ value }) => y.of(value));
    return joined([
      markup`<path class="linha s${at}" d="${path(points) ?? ''}"/>`,
      ...points.map(
        ({ step, value }) =>
          markup`<circle class="ponto s${at}" cx="${px(x.of(step.complete_per_s))}" cy="${px(y.of(value))}" r="4"><title>${formatRate(step.rate_per_s)}: ${formatPercentile(step.latency_ms.all, of)} ms</title></circle>`,
      ),
      of === 'p99' ? kneeMark(run, x.of, y.of) : null,
    ]);
  });
  const description = runs.map((run) => kneeWords(run)).join(' ');
  return frame({ id: 'varredura', name: 'Vazão e latência', description }, size, MARGINS, { x, y }, content);
}

/** Where the knee is, and why. */
export function kneeWords(run: Run): string {
  const { knee, steps } = run;
  const last = formatRate(steps.at(-1)?.rate_per_s ?? 0);
  switch (knee.found) {
    case 'knee':
      return `O serviço acompanhou até ${formatRate(knee.rate_per_s ?? 0)} (joelho). ${kneeReason(run)}`;
    case 'above':
      return `O serviço acompanhou todas as taxas, até ${last}: o joelho está acima delas.`;
    case 'below':
      return `O serviço não acompanhou nem a primeira taxa: o joelho está abaixo dela. ${kneeReason(run)}`;
    case 'single':
      return `Uma só taxa, ${last}: sem varredura não há joelho.`;
  }
}

function kneeReason(run: Run): string {
  const failed = failedStep(run);
  if (failed === null) return '';
  const { step, isSlow, isIncomplete, limitMs } = failed;
  const ended = step.due - step.interrupted;
  const all = step.latency_ms.all;
  const reasons = [
    isIncomplete
      ? `${formatWhole(ended - step.complete)} de ${formatWhole(ended)} pedidos ficaram sem resposta completa`
      : '',
    isSlow
      ? `o percentil 99 de ${formatWhole(all?.count)} respostas foi de ${ms(all?.p99)} ms, acima de ${ms(limitMs)} ms (3 vezes o da primeira taxa mais 10)`
      : '',
  ];
  return `A ${formatRate(step.rate_per_s)}, ${reasons.filter(Boolean).join(', e ')}.`;
}

function linesOf(run: Run | undefined) {
  return run === undefined ? [] : PERCENTILES.map((of) => ({ run, of }));
}

function measured({ steps }: Run): Step[] {
  return steps.filter(({ latency_ms }) => latency_ms.all !== null);
}

/** A ring around the knee. Its rate stands in the legend: a text in the plot would cover a line. */
function kneeMark(run: Run, x: (value: number) => number, y: (value: number) => number): Markup | null {
  const step = kneeStep(run);
  if (step?.latency_ms.all === undefined || step.latency_ms.all === null) return null;
  return markup`<circle class="joelho" cx="${px(x(step.complete_per_s))}" cy="${px(y(step.latency_ms.all.p99))}" r="9"/>`;
}

/** The knee for a legend; empty if there is none. */
export function kneeLabel(run: Run): string {
  const step = kneeStep(run);
  return step === undefined ? '' : ` (anel: joelho, ${formatRate(step.rate_per_s)})`;
}

function kneeStep({ knee, steps }: Run): Step | undefined {
  return knee.found === 'knee' ? steps.find(({ rate_per_s }) => rate_per_s === knee.rate_per_s) : undefined;
}
