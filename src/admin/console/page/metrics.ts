import type { Point } from '../base-gauge.ts';
import { formatNumber, formatPercent, formatTime, formatWhole } from './format.ts';

export type Count =
  'pedidos' | 'relevancia' | 'recentes' | 'tempo_esgotado' | 'recusados' | 'recuos' | 'falhas';

/** A line of a chart; `color` is its name in the style sheet. */
export interface Line {
  readonly label: string;
  readonly color: string;
  readonly dash?: number[];
  readonly of: (point: Point) => number | null;
}

export interface Metric {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  /** On a logarithmic scale. */
  readonly isLog?: boolean;
  readonly max?: number;
  readonly format: (value: number | null) => string;
  readonly lines: readonly Line[];
  /** A period's summary. */
  readonly summary: (points: readonly Point[]) => string;
}

const line = (label: string, of: Line['of'], color: string, dash?: number[]): Line => ({
  label,
  color,
  of,
  ...(dash && { dash }),
});
const counted = (key: Count) => (point: Point) => point[key];
const sumOf = (points: readonly Point[], key: Count) => points.reduce((sum, point) => sum + point[key], 0);

/** Percentiles of times, and a period's slowest moment. */
const timesOf = (id: 'exec' | 'fila', name: string): Metric => ({
  id,
  name,
  unit: 'ms',
  isLog: true,
  format: formatNumber,
  lines: [
    line('p50', (point) => point[id].p50, 'linha-1'),
    line('p95', (point) => point[id].p95, 'linha-2'),
    line('p99', (point) => point[id].p99, 'linha-3', [5, 3]),
  ],
  summary: (points) => {
    const most = Math.max(...points.map((point) => point[id].p99 ?? -1));
    const worst = points.find((point) => point[id].p99 === most);
    return worst === undefined
      ? 'sem pedidos'
      : `p99 até ${formatNumber(most)} ms, às ${formatTime(worst.em)}`;
  },
});

function failures(points: readonly Point[]) {
  const sums = FAILURES.flatMap(([key, name]) => {
    const sum = sumOf(points, key);
    return sum === 0 ? [] : [`${formatWhole(sum)} ${name.replace('tempo', 'com tempo')}`];
  });
  return sums.length === 0 ? 'nenhuma' : sums.join(', ');
}

/** Events that an operator must know of. */
export const FAILURES: readonly (readonly [key: Count, name: string, color: string, dash?: number[]])[] = [
  ['recuos', 'recuos', 'linha-3', [5, 3]],
  ['tempo_esgotado', 'tempo esgotado', 'falha'],
  ['recusados', 'recusados', 'linha-2'],
  ['falhas', 'falhas', 'linha-1', [2, 2]],
];

function use(points: readonly Point[]) {
  const uses = points.flatMap(({ uso }) => (uso === null ? [] : [uso]));
  if (uses.length === 0) return 'sem threads';
  const mean = uses.reduce((sum, one) => sum + one, 0) / uses.length;
  return `média ${formatPercent(mean)}, até ${formatPercent(Math.max(...uses))}`;
}

export const METRICS: readonly [Metric, ...Metric[]] = [
  timesOf('exec', 'Execução'),
  timesOf('fila', 'Fila'),
  {
    id: 'vazao',
    name: 'Vazão',
    unit: 'por s',
    format: formatNumber,
    lines: [
      line('à base', counted('pedidos'), 'linha-1'),
      line('relevância', counted('relevancia'), 'linha-2'),
      line('recentes', counted('recentes'), 'linha-3', [5, 3]),
    ],
    summary: (points) => `${formatWhole(sumOf(points, 'pedidos'))} à base`,
  },
  {
    id: 'uso',
    name: 'Uso do pool',
    unit: '%',
    max: 1,
    format: formatPercent,
    lines: [line('threads ocupadas', ({ uso }) => uso, 'linha-1')],
    summary: use,
  },
  {
    id: 'falhas',
    name: 'Falhas',
    unit: 'por s',
    format: formatNumber,
    lines: FAILURES.map(([key, name, color, dash]) => line(name, counted(key), color, dash)),
    summary: failures,
  },
];
