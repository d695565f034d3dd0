import { keysOf } from '../../contract/records.ts';
import { PlainError } from '../../process/fail.ts';
import { cachedShare, FIGURES, type Figure } from './figures.ts';
import { listed, percent, short } from './format.ts';
import { shownSteps } from './knee.ts';
import type { Run, Step } from './result.ts';
import { shiftOf, type Difference } from './shift.ts';

/** A figure of two runs, over the rates that both have: milliseconds or a share. */
export interface Compared {
  readonly name: keyof typeof FIGURES;
  readonly unit: Figure['unit'];
  readonly before: number;
  readonly now: number;
  /** As a share of the earlier figure for a time, else as a difference of shares. */
  readonly change: Difference;
}

type Runs = Pick<Run, 'steps'>;

/** The figures that runs are compared by. */
export const COMPARED = keysOf(FIGURES).filter((name) => FIGURES[name].ofBatch !== null);
/**
 * Of one interval, so that all of a comparison hold together in 97 of 100 if the batches are independent, and in 95 if
 * a slow period of the machine now and then lasts longer than one.
 */
const ERROR = 0.03 / COMPARED.length;
/** A histogram's least time, milliseconds: 0 has no logarithm. */
const LEAST_MS = 0.001;

/**
 * Each figure before and now, and its change with a 95% interval from batches of seconds. Over several rates it is the
 * geometric mean of times, and the mean of shares.
 */
export function compare(before: Runs, now: Runs): Compared[] {
  const pairs = commonSteps(before, now);
  const [was, is] = [pairs.map((pair) => pair.was), pairs.map((pair) => pair.is)];
  return COMPARED.flatMap((name) => {
    const figure: Figure = FIGURES[name];
    const [wholeBefore, wholeNow] = [was, is].map((steps) => overRates(figure, steps.map(figure.of)));
    const [batchesBefore = [], batchesNow = []] = [was, is].map((steps) => batchFigures(figure, steps));
    if (wholeBefore == null || wholeNow == null || batchesBefore.length === 0 || batchesNow.length === 0)
      return [];
    const shift = shiftOf(batchesBefore, batchesNow, ERROR);
    return [
      {
        name,
        unit: figure.unit,
        before: unscaled(figure, wholeBefore),
        now: unscaled(figure, wholeNow),
        change: figure.unit === 'ms' ? factorLess1(shift) : shift,
      },
    ];
  });
}

/** The steps at every rate that both runs have. */
function commonSteps(before: Runs, now: Runs): { was: Step; is: Step }[] {
  return now.steps.flatMap((is) => {
    const was = before.steps.find(({ rate_per_s }) => rate_per_s === is.rate_per_s);
    return was === undefined ? [] : [{ was, is }];
  });
}

/** The figure of each batch that has answers at every rate; times as logarithms. */
function batchFigures({ ofBatch, unit }: Figure, steps: readonly Step[]): number[] {
  const count = Math.min(...steps.map(({ batches }) => batches.length));
  return Array.from({ length: count }, (_, at) =>
    overRates(
      { unit },
      steps.map(({ batches }) => (batches[at] === undefined ? null : (ofBatch?.(batches[at]) ?? null))),
    ),
  ).filter((one) => one !== null);
}

/** The mean over rates, of the logarithm for a time; null if a rate has no figure. */
function overRates({ unit }: Pick<Figure, 'unit'>, figures: readonly (number | null)[]): number | null {
  if (figures.length === 0) return null;
  let sum = 0;
  for (const figure of figures) {
    if (figure === null) return null;
    sum += unit === 'ms' ? Math.log(Math.max(LEAST_MS, figure)) : figure;
  }
  return sum / figures.length;
}

function unscaled({ unit }: Figure, value: number): number {
  return unit === 'ms' ? Math.exp(value) : value;
}

function factorLess1({ value, low, high }: Difference): Difference {
  return {
    value: Math.expm1(value),
    low: low === Number.NEGATIVE_INFINITY ? low : Math.expm1(low),
    high: Math.expm1(high),
  };
}

/**
 * Refuses what no comparison can tell apart.
 * @param allowOtherData true with `--other-data`.
 * @throws PlainError with a correction.
 */
export function needComparable(
  before: Run,
  now: Pick<Run, 'data'> & { readonly plan: Pick<Run['plan'], 'rates_per_s' | 'batch_s'> },
  allowOtherData: boolean,
): void {
  if (!before.steps.some(({ rate_per_s }) => now.plan.rates_per_s.includes(rate_per_s)))
    throw new PlainError(
      'the two runs have no rate in common; give the same rates, or replay the same recording',
    );
  if (before.plan.batch_s !== now.plan.batch_s)
    throw new PlainError('the two runs took unequal times; give both the same --duration and --passes');
  if (before.data !== now.data && !allowOtherData)
    throw new PlainError(
      `the data differ: ${without(before.data, now.data)} before, ${without(now.data, before.data)} now; to compare nevertheless, add --other-data`,
    );
}

/** The versions of the bases whose data the other run does not have. */
function without(data: string | null, other: string | null): string {
  const others = new Set((other ?? '').split(', '));
  const own = (data ?? '').split(', ').filter((one) => one !== '' && !others.has(one));
  return data === null ? 'not named' : own.join(', ') || 'not there';
}

/** Above this difference in the fraction of cached answers, the runs measure different things. */
const CACHED_DIFFERENCE_MAX = 0.1;

/** Why a comparison may mislead: what differed between the runs. */
export function doubtsOf(before: Run, run: Run): string[] {
  const [was, is] = [wanted(before), wanted(run)];
  const unlike = Object.keys(was).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  const [loadBefore, load] = [before.machine.load_average, run.machine.load_average];
  const [cachedBefore = null, cached = null] = shownSteps([before, run]).map(cachedShare);
  const isUnlike =
    cachedBefore === null || cached === null
      ? cachedBefore !== cached
      : Math.abs(cached - cachedBefore) > CACHED_DIFFERENCE_MAX;
  const mend =
    run.recording === null
      ? 'give another --seed, or restart the service'
      : 'restart the service before each replay';
  return [
    ...(unlike.length === 0 ? [] : [`the two runs differ in ${listed(unlike)}`]),
    ...(Math.abs(load - loadBefore) > run.machine.cores / 2
      ? [
          `the machine's load average was ${short(loadBefore)} before and ${short(load)} now: a difference may come from other work`,
        ]
      : []),
    ...(isUnlike
      ? [
          `of the answers ${cachedText(cachedBefore)} came from the result cache before and ${cachedText(cached)} now, so the runs may measure different things: ${mend}`,
        ]
      : []),
  ];
}

/** What two runs should have alike, by name. */
function wanted({ plan, url, data, machine }: Run): Readonly<Record<string, unknown>> {
  return { ...plan, url, data, machine: { ...machine, load_average: 0 } };
}

function cachedText(share: number | null): string {
  return share === null ? 'an unreported part' : percent(share);
}
