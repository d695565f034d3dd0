import { compare, type Compared } from './comparison.ts';
import { cachedShare, errorCount, slowestShare } from './figures.ts';
import { ms, percent, percentile, rate, short, signed, whole } from './format.ts';
import type { Distribution, PercentileName } from './histogram.ts';
import { kneeRate } from './knee.ts';
import type { BaseStep, Run, Step } from './result.ts';
import { isNoise } from './shift.ts';
import { errorText, stateText } from './words.ts';

/** A run, the rate of it that is shown, and its name beside another run. */
export interface Named {
  readonly label: string;
  readonly run: Run;
  readonly step: Step;
}

/** A table; the first cell of a row is its name. */
export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

type Column<T> = readonly [name: string, cell: (of: T) => string];

/** A row with a name, which names the run too if there are two. Without a figure all cells are dashes. */
interface Row<T> {
  readonly name: string;
  readonly label: string;
  readonly of: T | undefined;
}

export function sweepTable(all: readonly Named[]): Table {
  const columns: readonly Column<{ readonly run: Run; readonly step: Step; readonly at: number }>[] = [
    ['complete/s', ({ step }) => short(step.complete_per_s)],
    ['p50', ({ step }) => percentile(step.latency_ms.all, 'p50')],
    ['p99', ({ step }) => percentile(step.latency_ms.all, 'p99')],
    ['max', ({ step }) => ms(step.latency_ms.all?.max)],
    ['incomplete', ({ step }) => whole(step.incomplete + step.rejected)],
    ['errors', ({ step }) => whole(errorCount(step))],
    ['cached', ({ step }) => percent(cachedShare(step))],
    ['kept up', ({ run, step, at }) => stateText(run, step, at)],
  ];
  const rows = all.flatMap(({ label, run }) =>
    run.steps.map((step, at) => ({ name: rate(step.rate_per_s), label, of: { run, step, at } })),
  );
  const caption = 'Each rate; latency from when it was due, ms';
  return tableOf(all, caption, 'rate', columns, rows);
}

export function latencyTable(all: readonly Named[]): Table {
  const kinds: readonly [string, (step: Step) => Distribution | null][] = [
    ['all', ({ latency_ms }) => latency_ms.all],
    ['first pages', ({ latency_ms }) => latency_ms.search],
    ['further pages', ({ latency_ms }) => latency_ms.page],
    ['records', ({ latency_ms }) => latency_ms.record],
    ['all, from the real start', ({ service_ms }) => service_ms],
  ];
  const columns: readonly Column<Distribution | null>[] = [
    ['count', (times) => whole(times?.count ?? 0)],
    ...percentileColumns<Distribution | null>(['p50', 'p90', 'p99', 'p999'], (times) => times),
  ];
  const rows = kinds.flatMap(([name, of]) => all.map(({ label, step }) => ({ name, label, of: of(step) })));
  return tableOf(all, 'Latency, ms', 'requests', columns, rows);
}

export function baseTable(all: readonly Named[]): Table {
  type OfBase = { readonly base: BaseStep; readonly step: Step };
  const columns: readonly Column<OfBase>[] = [
    ['answers', ({ base }) => whole(base.latency_ms?.count ?? 0)],
    ...percentileColumns<OfBase>(['p50', 'p90', 'p99'], ({ base }) => base.latency_ms),
    ['fell back', ({ base }) => whole(base.fallbacks)],
    ['timed out', ({ base }) => whole(base.timed_out)],
    ['failed', ({ base }) => whole(base.failed)],
    ['no count', ({ base }) => whole(base.no_count)],
    ['was slowest', ({ base, step }) => percent(slowestShare(base, step))],
  ];
  const names = [...new Set(all.flatMap(({ step }) => step.bases.map(({ base }) => base)))];
  const rows = names.flatMap((name) =>
    all.map(({ label, step }) => {
      const base = step.bases.find((one) => one.base === name);
      return { name, label, of: base === undefined ? undefined : { base, step } };
    }),
  );
  const caption = 'Each base by the service’s clock, ms';
  return tableOf(all, caption, 'base', columns, rows);
}

/** What became of the requests; in the terminal without what never happened. */
export function outcomeTable(all: readonly Named[]): Table {
  const names = [...new Set(all.flatMap(({ step }) => step.errors.map(({ error }) => error)))];
  const rows: [string, (step: Step) => number][] = [
    ['due', ({ due }) => due],
    ['complete', ({ complete }) => complete],
    ['incomplete', ({ incomplete }) => incomplete],
    ['rejected', ({ rejected }) => rejected],
    ['interrupted', ({ interrupted }) => interrupted],
    ['ids gone', ({ gone }) => gone],
    ...names.map((name): [string, (step: Step) => number] => [
      errorText(name),
      ({ errors }) => errors.find(({ error }) => error === name)?.count ?? 0,
    ]),
  ];
  return {
    caption: 'What became of the requests',
    head: ['', ...all.map(({ label }) => label)],
    rows: rows.map(([name, of]) => [name].concat(all.map(({ step }) => whole(of(step))))),
  };
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

function percentileColumns<T>(
  names: readonly PercentileName[],
  of: (row: T) => Distribution | null,
): Column<T>[] {
  const columns = names.map((name): Column<T> => [
    name === 'p999' ? 'p99.9' : name,
    (row) => percentile(of(row), name),
  ]);
  return [...columns, ['max', (row) => ms(of(row)?.max)]];
}

function tableOf<T>(
  all: readonly Named[],
  caption: string,
  first: string,
  columns: readonly Column<T>[],
  rows: readonly Row<T>[],
): Table {
  const ofRun = (label: string) => (all.length > 1 ? [label] : []);
  return {
    caption,
    head: [first, ...ofRun('run'), ...columns.map(([name]) => name)],
    rows: rows.map(({ name, label, of }) => [
      name,
      ...ofRun(label),
      ...columns.map(([, cell]) => (of === undefined ? whole(null) : cell(of))),
    ]),
  };
}
