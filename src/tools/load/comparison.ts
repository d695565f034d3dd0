import {
  cachedShare,
  changeOf,
  commonSteps,
  FIGURES,
  overallChange,
  valueOf,
  type Figure,
} from './figures.ts';
import { kneeChange, kneeRate, shownSteps } from './knee.ts';
import { isNoise, type Difference } from './margins.ts';
import type { Run, Step } from './result.ts';
import { ms, percent, rate, table, wrapped, type Column } from './terminal.ts';

const PERCENT = 100;
const NOISE = 'within noise';

interface Row {
  readonly name: string;
  readonly before: string;
  readonly now: string;
  readonly change: string;
  /** False if the figure may be the same. */
  readonly differs: boolean;
}

/** A run's figures next to an earlier run's, with the significance of each change. */
export function comparisonLines(before: Run, run: Run): string[] {
  const [was, is] = shownSteps([before, run]);
  if (was === undefined || is === undefined) return [];
  const rows = [
    ...Object.entries(FIGURES).flatMap(([name, figure]) => figureRow(name, figure, was, is)),
    ...kneeRow(before, run),
  ];
  const columns: readonly Column<Row>[] = [
    ['', ({ name }) => name],
    ['before', (row) => row.before],
    ['now', ({ now }) => now],
    ['change (95% margin)', ({ change }) => change],
    ['', ({ differs }) => (differs ? 'differs' : NOISE)],
  ];
  const name = before.name === '' ? before.started_at : before.name;
  const rates = was.rate_per_s === is.rate_per_s ? '' : `, which had ${rate(was.rate_per_s)}/s`;
  const different = rows.filter(({ differs }) => differs).map((row) => row.name.replace(/,.*/u, ''));
  const overall = overallRows(before, run);
  const everywhere = overall.filter(({ differs }) => differs).map((row) => row.name);
  const found = [
    ...(everywhere.length > 0 ? [`over all rates ${everywhere.join(' and ')} differ`] : []),
    // The difference may come only from what else the machine did during this rate.
    ...(everywhere.length === 0 && overall.length > 0 && different.length > 0
      ? ['over all rates no difference']
      : []),
    ...(different.length > 0 ? [`at ${rate(is.rate_per_s)}/s ${different.join(', ')} differ`] : []),
  ];
  return [
    ...wrapped(
      `compared with ${name}${rates}: ${
        found.length === 0
          ? `no difference at ${rate(is.rate_per_s)}/s${overall.length > 0 ? ' or over all rates' : ''}, all is within noise`
          : `${found.join('; ')} beyond noise`
      }`,
    ),
    ...table(columns, rows, 0),
    ...everyRate(before, run),
    ...overall.flatMap(({ text }) => wrapped(text)),
    ...[...planDifferences(before, run), ...doubtsOf(before, run).map(doubtText)].flatMap((text) =>
      wrapped(`warning: ${text}`),
    ),
  ];
}

function figureRow(name: string, figure: Figure, before: Step, after: Step): Row[] {
  const change = changeOf(figure, before, after);
  if (change === null) return [];
  const unit = { time: ', ms', share: '', rate: ', 1/s' }[figure.is];
  return [
    {
      name: `${name}${unit}`,
      before: shown(figure, before),
      now: shown(figure, after),
      change: changeText(figure, change),
      differs: !isNoise(change),
    },
  ];
}

function kneeRow(before: Run, run: Run): Row[] {
  if (before.knee.found === 'single' || run.knee.found === 'single') return [];
  const [was, is] = [kneeRate(before), kneeRate(run)];
  const { value, is_noise } = kneeChange(before, run);
  const change = signed(value);
  return [{ name: 'knee, 1/s', before: rate(was), now: rate(is), change, differs: !is_noise }];
}

/** The median and the 99th percentile at the rates that both runs have, if there are several. */
function everyRate(before: Run, run: Run): string[] {
  const pairs = commonSteps(before, run);
  if (pairs.length < 2) return [];
  const columns = (['p50', 'p99'] as const).flatMap((name): Column<(typeof pairs)[number]>[] => [
    [`${name} bef.`, ({ was }) => shown(FIGURES[name], was)],
    ['now', ({ is }) => shown(FIGURES[name], is)],
    [
      '',
      ({ was, is }) => {
        const change = changeOf(FIGURES[name], was, is);
        return change === null ? '-' : isNoise(change) ? 'noise' : 'differs';
      },
    ],
  ]);
  return ['', ...table([['rate/s', ({ is }) => rate(is.rate_per_s)], ...columns], pairs, 6)];
}

/** The factor of the median and of the 99th percentile, over all common rates. */
function overallRows(before: Run, run: Run) {
  return (['p50', 'p99'] as const).flatMap((name) => {
    const change = overallChange(FIGURES[name], before, run);
    if (change === null) return [];
    const { value, low, high, rates } = change;
    const [times, from, to] = [value, low, high].map((one) => String(Number(one.toPrecision(3))));
    const differs = !isNoise(change, 1);
    const verdict = differs ? 'differs' : NOISE;
    return [
      {
        name,
        differs,
        text: `${name} over all ${rates} rates: ${times} times (${from} to ${to}), ${verdict}`,
      },
    ];
  });
}

function planDifferences({ plan }: Run, run: Run): string[] {
  const other: Readonly<Record<string, unknown>> = run.plan;
  const names = Object.entries(plan).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(other[name]) ? [] : [name],
  );
  return names.length === 0 ? [] : [`the plans of the two runs differ in ${names.join(', ')}`];
}

/** Why a comparison may mislead: conditions that differed between the runs. */
type Doubt =
  | { readonly about: 'passes' }
  | { readonly about: 'load' | 'cache'; readonly was: number; readonly is: number };

/** Above this difference in the fraction of cached answers, the runs measure different things. */
const CACHED_DIFFERENCE_MAX = 0.1;

export function doubtsOf(before: Run, run: Run): Doubt[] {
  const doubts: Doubt[] = [];
  if (before.plan.passes === 1 || run.plan.passes === 1) doubts.push({ about: 'passes' });
  const compare = (about: 'load' | 'cache', most: number, [was = 0, is = 0]: readonly number[]) => {
    if (Math.abs(is - was) > most) doubts.push({ about, was, is });
  };
  const loads = [before, run].map(({ machine }) => machine.load_average);
  // Other programs took different amounts of CPU in the two runs.
  compare('load', run.machine.cores / 2, loads);
  const cached = shownSteps([before, run]).map((step) => cachedShare(step) ?? 0);
  compare('cache', CACHED_DIFFERENCE_MAX, cached);
  return doubts;
}

function doubtText(doubt: Doubt): string {
  switch (doubt.about) {
    case 'passes':
      return 'with one pass, the margins leave out what changes from one minute to the next; give --passes 8';
    case 'load':
      return `the machine's load average was ${doubt.was} before and ${doubt.is} now: a difference may come from other work`;
    case 'cache':
      return `of the answers ${percent(doubt.was)} came from the result cache before and ${percent(doubt.is)} now: the second run repeats queries of the first; give another --seed, or restart the service`;
  }
}

/** A share as a count out of a total: with few requests a percentage means little. */
function shown(figure: Figure, step: Step): string {
  if (figure.is !== 'share') {
    const value = valueOf(figure, step);
    return value === null ? '-' : ms(value);
  }
  const { counted, of } = figure.part(step);
  return `${counted} of ${of}`;
}

function changeText({ is }: Figure, { value, low, high }: Difference): string {
  const unit = is === 'share' ? PERCENT : 1;
  const [middle, from, to] = [value, low, high].map((one) => signed(one * unit));
  return `${middle}${is === 'share' ? ' points' : ''} (${from} to ${to})`;
}

function signed(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'any' : '-any';
  const text = ms(Math.abs(value));
  return `${value < 0 ? '-' : '+'}${text}`;
}
