import { line } from 'd3-shape';
import type { Run, Step } from '../result.ts';
import { evenAxis, frame, MARGINS as PLAIN_MARGINS, msAxis, px, type Axis, type Size } from './frame.ts';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { formatRate, formatWhole, ms } from './numbers.ts';

/** The steps in the order of their time, one for each pass over its rate. */
export function stretchesOf({ steps }: Run): Step[] {
  return steps
    .flatMap((step) => {
      const passes = [...Map.groupBy(step.timeline, ({ pass }) => pass).values()];
      return passes.map((timeline): Step => Object.assign({}, step, { timeline }));
    })
    .toSorted((a, b) => (a.timeline[0]?.at_s ?? 0) - (b.timeline[0]?.at_s ?? 0));
}

type Point = Step['timeline'][number];

/** With room for the rates of the steps. */
export const MARGINS = { ...PLAIN_MARGINS, top: 36 };
const PERCENTILES = ['p99_ms', 'p50_ms'] as const;
/** Narrower steps do not show their rate. */
const LABEL_PIXELS = 44;

/** Latency over time, with the steps of a sweep in sequence. Marks below are requests without a complete answer. */
export function timelinePlot(run: Run, id: string, values: readonly number[], size: Size): Markup {
  const points = run.steps.flatMap(({ timeline }) => timeline);
  const bottom = size.height - MARGINS.bottom;
  const x = timeAxis(run, size);
  const y = msAxis(values, [bottom, MARGINS.top], 'latência, ms');
  const failures = points.filter(({ failed }) => failed > 0);
  return frame(
    { id, name: 'Linha do tempo da latência', description: words(run, points) },
    size,
    MARGINS,
    { x, y },
    [
      ...stretchesOf(run).map((step) => stepMark(step, x.of, bottom, run.steps.length)),
      ...stretchesOf(run).flatMap(({ timeline }) =>
        PERCENTILES.map((of, at) => {
          const path = line<Point>()
            .defined((point) => point[of] !== null)
            .x(({ at_s }) => x.of(at_s))
            .y((point) => y.of(point[of] ?? 0));
          return markup`<path class="linha s${at}" d="${path(timeline) ?? ''}"/>`;
        }),
      ),
      joined(
        failures.map(
          ({ at_s, failed }) =>
            markup`<rect class="falha" x="${px(x.of(at_s) - 1.5)}" y="${bottom - 7}" width="3" height="7"><title>${formatWhole(failed)} sem resposta completa</title></rect>`,
        ),
      ),
    ],
  );
}

/** The time axis of all plots, in seconds since the run's start. */
export function timeAxis({ steps }: Run, { width }: Size): Axis {
  const starts = steps.flatMap(({ timeline }) => timeline.map(({ at_s }) => at_s));
  const ends = steps.flatMap(({ timeline, slot_s }) => timeline.map(({ at_s }) => at_s + slot_s));
  const first = Math.min(...starts);
  const last = Math.max(...ends, first + 1);
  return evenAxis(last, [MARGINS.left, width - MARGINS.right], 'segundos desde o início', first);
}

/** The latencies that the common scale of all runs must cover. */
export function timelineValues(runs: readonly Run[]): number[] {
  return runs.flatMap(({ steps }) =>
    steps.flatMap(({ timeline }) => timeline.flatMap(({ p50_ms, p99_ms }) => [p50_ms ?? 1, p99_ms ?? 1])),
  );
}

/** The background of a step, with its rate if it fits. */
export function stepMark(
  { timeline, rate_per_s, slot_s }: Step,
  x: (value: number) => number,
  bottom: number,
  steps: number,
): Markup | null {
  const [first] = timeline;
  const last = timeline.at(-1);
  if (steps < 2 || first === undefined || last === undefined) return null;
  const from = x(first.at_s);
  const to = x(last.at_s + slot_s);
  const hasRoom = to - from >= LABEL_PIXELS;
  return joined([
    markup`<rect class="passo" x="${px(from)}" y="${MARGINS.top}" width="${px(Math.max(2, to - from))}" height="${bottom - MARGINS.top}"/>`,
    hasRoom
      ? markup`<text class="nota" x="${px((from + to) / 2)}" y="${MARGINS.top - 4}" text-anchor="middle">${formatRate(rate_per_s)}</text>`
      : null,
  ]);
}

function words({ steps }: Run, points: readonly Point[]): string {
  const failed = points.reduce((sum, point) => sum + point.failed, 0);
  const worst = points.toSorted((a, b) => (b.p99_ms ?? 0) - (a.p99_ms ?? 0))[0];
  return (
    `${formatWhole(points.length)} pontos em ${formatWhole(steps.length)} taxa(s); o pior percentil 99 foi ` +
    `${ms(worst?.p99_ms)} ms, aos ${formatWhole(worst?.at_s)} s; ${formatWhole(failed)} pedidos sem resposta completa`
  );
}
