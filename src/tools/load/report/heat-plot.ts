import { cellFrom, countsByCell } from '../heat-cells.ts';
import type { Run, Step } from '../result.ts';
import { frame, msAxis, px, type Size } from './frame.ts';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { formatWhole, ms } from './numbers.ts';
import { MARGINS, stepMark, stretchesOf, timeAxis } from './timeline-plot.ts';

/** Shares of a column's requests at which the colour changes; the first level takes all smaller shares. */
export const LEVELS = [0, 0.02, 0.05, 0.1, 0.2, 0.4];
/** Narrower columns are merged. */
const COLUMN_PIXELS = 4;

interface Column {
  readonly from_s: number;
  readonly to_s: number;
  /** Requests by cell. */
  readonly cells: ReadonlyMap<number, number>;
}

/** The distribution of latencies over time: a column is a time, a row a range of latencies, the colour a share. */
export function heatPlot(run: Run, id: string, size: Size): Markup {
  const bottom = size.height - MARGINS.bottom;
  const x = timeAxis(run, size);
  const all = run.steps.flatMap(({ timeline }) =>
    timeline.flatMap(({ cells }) => cells.map(([cell]) => cell)),
  );
  const least = Math.min(...all, Number.MAX_SAFE_INTEGER);
  const values = all.length === 0 ? [1, 10] : [cellFrom(least), cellFrom(Math.max(...all) + 1)];
  const y = msAxis(values, [bottom, MARGINS.top], 'latência, ms', 1);
  const columns = stretchesOf(run).flatMap((step) => columnsOf(step, x.of));
  const paths = LEVELS.map(() => '');
  for (const { from_s, to_s, cells } of columns) {
    const total = [...cells.values()].reduce((sum, count) => sum + count, 0);
    const left = x.of(from_s);
    const width = Math.max(1, x.of(to_s) - left);
    for (const [cell, count] of cells) {
      const top = y.of(cellFrom(cell + 1));
      const height = y.of(cellFrom(cell)) - top;
      const level = LEVELS.findLastIndex((share) => count / total >= share);
      paths[level] += `M${px(left)} ${px(top)}h${px(width)}v${px(height)}h${px(-width)}z`;
    }
  }
  return frame({ id, name: 'Mapa de calor da latência', description: words(run) }, size, MARGINS, { x, y }, [
    joined(stretchesOf(run).map((step) => stepMark(step, x.of, bottom, run.steps.length))),
    joined(
      paths.map((path, level) => (path === '' ? null : markup`<path class="calor c${level}" d="${path}"/>`)),
    ),
  ]);
}

/** The time line of a step, in columns of visible width. */
function columnsOf({ timeline, slot_s }: Step, x: (seconds: number) => number): Column[] {
  const together = Math.max(1, Math.ceil(COLUMN_PIXELS / Math.max(0.01, x(slot_s) - x(0))));
  const columns: Column[] = [];
  for (let at = 0; at < timeline.length; at += together) {
    const points = timeline.slice(at, at + together);
    const [first] = points;
    const last = points.at(-1);
    if (first === undefined || last === undefined) continue;
    columns.push({ from_s: first.at_s, to_s: last.at_s + slot_s, cells: countsByCell(points) });
  }
  return columns;
}

function words({ steps }: Run): string {
  const counts = countsByCell(steps.flatMap(({ timeline }) => timeline));
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (most === undefined) return 'nenhuma resposta';
  const [cell, count] = most;
  return `a faixa mais cheia é de ${ms(cellFrom(cell))} a ${ms(cellFrom(cell + 1))} ms, com ${formatWhole(count)} pedidos`;
}
