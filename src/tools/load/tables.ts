import { compare, type Compared } from './comparison.ts';
import { cachedShare, errorCount, slowestShare } from './figures.ts';
import { ms, percent, percentile, rate, short, signed, whole } from './format.ts';
import type { Distribution, PercentileName } from './histogram.ts';
import { kneeRate } from './knee.ts';
import type { BaseStep, Run, Step } from './result.ts';
import { isNoise } from './shift.ts';
import { stateText } from './words.ts';

/** A table; the first cell of a row is its name. */
export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

type Column<T> = readonly [name: string, cell: (of: T, at: number) => string];

export function sweepTable(run: Run): Table {
  return tableOf<Step>('Each rate; latency from when it was due, ms', run.steps, [
    ['rate', ({ rate_per_s }) => rate(rate_per_s)],
    ['complete/s', ({ complete_per_s }) => short(complete_per_s)],
    ...latencyColumns<Step>(['p50', 'p99'], ({ latency_ms }) => latency_ms.all),
    ['incomplete', ({ incomplete, rejected }) => whole(incomplete + rejected)],
    ['errors', (step) => whole(errorCount(step))],
    ['cached', (step) => percent(cachedShare(step))],
    ['kept up', (step, at) => stateText(run, step, at)],
  ]);
}

export function latencyTable({ latency_ms, service_ms }: Step): Table {
  const rows = [
    { name: 'all', times: latency_ms.all },
    { name: 'first pages', times: latency_ms.search },
    { name: 'further pages', times: latency_ms.page },
    { name: 'records', times: latency_ms.record },
    { name: 'all, from the real start', times: service_ms },
  ];
  return tableOf<(typeof rows)[number]>('Latency, ms', rows, [
    ['requests', ({ name }) => name],
    ['count', ({ times }) => whole(times?.count ?? 0)],
    ...latencyColumns<(typeof rows)[number]>(['p50', 'p90', 'p99', 'p999'], ({ times }) => times),
  ]);
}

export function baseTable(step: Step): Table {
  return tableOf<BaseStep>('Each base by the service’s clock, ms', step.bases, [
    ['base', ({ base }) => base],
    ['answers', ({ latency_ms }) => whole(latency_ms?.count ?? 0)],
    ...latencyColumns<BaseStep>(['p50', 'p90', 'p99'], ({ latency_ms }) => latency_ms),
    ['fell back', ({ fallbacks }) => whole(fallbacks)],
    ['timed out', ({ timed_out }) => whole(timed_out)],
    ['failed', ({ failed }) => whole(failed)],
    ['no count', ({ no_count }) => whole(no_count)],
    ['was slowest', (base) => percent(slowestShare(base, step))],
  ]);
}

/** Two runs: each figure before and now, and the difference with its interval. */
export function comparisonTable(before: Run, now: Run): Table {
  const rows = compare(before, now).map(comparedCells);
  if (before.knee.found !== 'single' && now.knee.found !== 'single')
    rows.push(['knee', rate(kneeRate(before)), rate(kneeRate(now)), '', '']);
  return {
    caption: 'Difference with its 95% interval',
    head: ['', 'before', 'now', 'difference (95% interval)', ''],
    rows,
  };
}

function comparedCells({ name, unit, before, now, change }: Compared): string[] {
  const isTime = unit === 'ms';
  const shown = (value: number) => (isTime ? ms(value) : percent(value));
  const [value, low, high] = [change.value, change.low, change.high].map(
    (one) => `${signed(one * 100)}${isTime && Number.isFinite(one) ? '%' : ''}`,
  );
  const points = isTime ? '' : ' points';
  return [
    `${name}${isTime ? ', ms' : ''}`,
    shown(before),
    shown(now),
    `${value}${points} (${low} to ${high})`,
    isNoise(change) ? 'within noise' : 'differs',
  ];
}

function latencyColumns<T>(
  names: readonly PercentileName[],
  of: (row: T) => Distribution | null,
): Column<T>[] {
  return [
    ...names.map((name): Column<T> => [name.replace('p999', 'p99.9'), (row) => percentile(of(row), name)]),
    ['max', (row) => ms(of(row)?.max)],
  ];
}

function tableOf<T>(caption: string, rows: readonly T[], columns: readonly Column<T>[]): Table {
  return {
    caption,
    head: columns.map(([name]) => name),
    rows: rows.map((row, index) => columns.map(([, cell]) => cell(row, index))),
  };
}
