import { line } from 'd3-shape';
import type { Run, Step } from '../result.ts';
import { evenAxis, frame, msAxis, px, type Size } from './frame.ts';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { percentil, taxa } from './numbers.ts';

const MARGINS = { top: 28, right: 26, bottom: 44, left: 52 };
/** The name of a knee stands below its point. */
const ROOM_FOR_KNEE = 2;
const PERCENTILES = ['p99', 'p50'] as const;

/**
 * Latency against the complete answers a second, rate after rate: what keeps up goes to the right, what does not
 * goes up. Of one run its 99th percentile and its median; of two the 99th percentile of each.
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
  const y = msAxis(values, [bottom, MARGINS.top], 'latência, ms', ROOM_FOR_KNEE);
  const content = lines.map(({ run, of }, at) => {
    const points = measured(run).map((step) => ({ step, value: step.latency_ms.all?.[of] ?? 0 }));
    const path = line<(typeof points)[number]>()
      .x(({ step }) => x.of(step.complete_per_s))
      .y(({ value }) => y.of(value));
    return joined([
      markup`<path class="linha s${at}" d="${path(points) ?? ''}"/>`,
      ...points.map(
        ({ step, value }) =>
          markup`<circle class="ponto s${at}" cx="${px(x.of(step.complete_per_s))}" cy="${px(y.of(value))}" r="4"><title>${taxa(step.rate_per_s)}: ${percentil(step.latency_ms.all, of)} ms</title></circle>`,
      ),
      of === 'p99' ? kneeMark(run, x.of, y.of, { size, isAbove: at > 0 }) : null,
    ]);
  });
  const description = runs.map((run) => kneeWords(run)).join(' ');
  return frame({ id: 'varredura', name: 'Vazão e latência', description }, size, MARGINS, { x, y }, content);
}

/** Where the service stopped keeping up, in words. */
export function kneeWords({ knee, steps }: Run): string {
  const last = taxa(steps.at(-1)?.rate_per_s ?? 0);
  switch (knee.found) {
    case 'knee':
      return `O serviço acompanhou até ${taxa(knee.rate_per_s ?? 0)} (joelho).`;
    case 'above':
      return `O serviço acompanhou todas as taxas, até ${last}: o joelho está acima delas.`;
    case 'below':
      return `O serviço não acompanhou nem a primeira taxa: o joelho está abaixo dela.`;
    case 'single':
      return `Uma só taxa, ${last}: sem varredura não há joelho.`;
  }
}

function linesOf(run: Run | undefined) {
  return run === undefined ? [] : PERCENTILES.map((of) => ({ run, of }));
}

function measured({ steps }: Run): Step[] {
  return steps.filter(({ latency_ms }) => latency_ms.all !== null);
}

function kneeMark(
  { knee, steps }: Run,
  x: (value: number) => number,
  y: (value: number) => number,
  { size: { width }, isAbove }: { readonly size: Size; readonly isAbove: boolean },
): Markup | null {
  const step = steps.find(({ rate_per_s }) => rate_per_s === knee.rate_per_s);
  if (knee.found !== 'knee' || step?.latency_ms.all === undefined || step.latency_ms.all === null)
    return null;
  const at = x(step.complete_per_s);
  const anchor = at > width / 2 ? 'end' : 'start';
  return ring(at, y(step.latency_ms.all.p99), `joelho: ${taxa(step.rate_per_s)}`, { anchor, isAbove });
}

/** A ring around a point, with its name beside it; the second of two names stands above its point. */
function ring(
  x: number,
  y: number,
  label: string,
  place: { anchor: 'start' | 'end'; isAbove: boolean },
): Markup {
  const { anchor, isAbove } = place;
  const dx = anchor === 'start' ? 12 : -12;
  return markup`<g class="joelho"><circle cx="${px(x)}" cy="${px(y)}" r="9"/><text x="${px(x + dx)}" y="${px(isAbove ? y - 14 : y + 20)}" text-anchor="${anchor}">${label}</text></g>`;
}
