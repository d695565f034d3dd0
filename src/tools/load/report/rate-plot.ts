import { area, line } from 'd3-shape';
import type { Run, Step } from '../result.ts';
import { evenAxis, frame, type Size } from './frame.ts';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { formatRate, formatWhole } from './numbers.ts';
import { MARGINS, stepMark, stretchesOf, timeAxis } from './timeline-plot.ts';

type Point = Step['timeline'][number];

/** Requests a second by due time: due, completely answered, and failed. */
export function ratePlot(run: Run, id: string, size: Size): Markup {
  const bottom = size.height - MARGINS.bottom;
  const x = timeAxis(run, size);
  const most = Math.max(
    1,
    ...run.steps.flatMap(({ timeline, slot_s }) => timeline.map(({ due }) => due / slot_s)),
  );
  const y = evenAxis(most * 1.05, [bottom, MARGINS.top], 'pedidos por segundo');
  const content = stretchesOf(run).map((step) => {
    const { timeline, slot_s } = step;
    const curve = (of: (point: Point) => number) =>
      line<Point>()
        .x(({ at_s }) => x.of(at_s))
        .y((point) => y.of(of(point) / slot_s))(timeline) ?? '';
    const failed = area<Point>()
      .x(({ at_s }) => x.of(at_s))
      .y0(y.of(0))
      .y1((point) => y.of(point.failed / slot_s));
    return joined([
      stepMark(step, x.of, bottom, run.steps.length),
      markup`<path class="falhas" d="${failed(timeline) ?? ''}"/>`,
      markup`<path class="linha devida" d="${curve(({ due }) => due)}"/>`,
      markup`<path class="linha s0" d="${curve(({ complete }) => complete)}"/>`,
    ]);
  });
  return frame(
    { id, name: 'Pedidos por segundo', description: words(run) },
    size,
    MARGINS,
    { x, y },
    content,
  );
}

function words({ steps }: Run): string {
  const parts = steps.map(
    ({ rate_per_s, due, complete }) =>
      `a ${formatRate(rate_per_s)}, ${formatWhole(due)} pedidos e ${formatWhole(complete)} respostas completas`,
  );
  return parts.join('; ');
}
