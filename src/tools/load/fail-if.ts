import { PlainError } from '../../process/fail.ts';
import { changeOf, commonSteps, FIGURES, overallChange, valueOf, type Figure } from './figures.ts';
import { kneeChange, kneeRate } from './knee.ts';
import { isNoise } from './margins.ts';
import type { Run, Step, Verdict } from './result.ts';

/** Exit codes besides 0, 1 (the command failed) and 130 (ended by Ctrl-C). */
const CONDITION_MET = 2;
const NOTHING_COMPLETE = 3;
const PERCENT = 100;

/** The figure of a sweep: the highest rate that the service kept up with. */
const KNEE = 'knee';
const OPERATORS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
};

export interface Condition {
  /** The condition's text without spaces. */
  readonly text: string;
  /** Null for the knee. */
  readonly figure: Figure | null;
  readonly isMet: (value: number) => boolean;
  /** True if a greater figure is worse. */
  readonly isUpper: boolean;
  /** The value to compare with the limit: the figure, its difference from an earlier run, or that difference in percent. */
  readonly of: 'figure' | 'difference' | 'percent';
}

type Runs = Pick<Run, 'steps' | 'knee'>;
type Measured = Omit<Verdict, 'condition' | 'is_met'>;

/** Parses `p99>200,complete<99,p99>+20%`. @throws PlainError with a correction. */
export function conditionsOf(text: string): Condition[] {
  return text.split(',').map((part) => conditionOf(part.replaceAll(/\s/gu, '')));
}

/**
 * Checks before a load that its results can decide the conditions.
 * @param rates of the load. @param before the run to compare with; null if there is none.
 * @throws PlainError with a correction.
 */
export function needDecidable(
  conditions: readonly Condition[],
  rates: readonly number[],
  before: Pick<Run, 'steps'> | null,
): void {
  const differences = conditions.filter(({ of }) => of !== 'figure');
  if (differences.length > 0 && before === null)
    throw new PlainError('a difference needs the figures of an earlier run; give them with --compare');
  const runs = [rates, ...(differences.length > 0 && before !== null ? [before.steps] : [])];
  if (conditions.some(({ figure }) => figure === null) && runs.some(({ length }) => length < 2))
    throw new PlainError('a condition on the knee needs a sweep; give --rate-from and --rate-to');
  const isCommon = before?.steps.some(({ rate_per_s }) => rates.includes(rate_per_s)) ?? false;
  if (differences.some(({ figure }) => figure !== null) && !isCommon)
    throw new PlainError('the two runs have no rate in common; give the same rates');
}

/**
 * Checks every rate against the conditions. A figure without answers meets its condition, because nothing shows
 * otherwise. A difference within its margin does not: it may be chance.
 */
export function verdictsOf(conditions: readonly Condition[], run: Runs, before: Runs | null): Verdict[] {
  return conditions.map((condition) => {
    const { text, isMet, isUpper } = condition;
    const [worst] = measured(condition, run, before).toSorted(
      (a, b) => badness(b, isUpper) - badness(a, isUpper),
    );
    if (worst === undefined) throw new Error('a run without steps');
    const is_met = worst.value === null || (isMet(worst.value) && !worst.is_noise);
    return { condition: text, is_met, ...worst };
  });
}

/** @returns 0 if the run succeeded. */
export function exitCodeOf({ steps, verdicts }: Pick<Run, 'steps' | 'verdicts'>): number {
  if (steps.every(({ complete }) => complete === 0)) return NOTHING_COMPLETE;
  return verdicts.some(({ is_met }) => is_met) ? CONDITION_MET : 0;
}

function measured({ figure, of }: Condition, run: Runs, before: Runs | null): Measured[] {
  const ofSweep = { rate_per_s: null };
  if (of === 'figure') {
    if (figure === null) return [{ ...ofSweep, value: kneeRate(run), is_noise: false }];
    return run.steps.map((step) => ({ ...shown(figure, step), is_noise: false }));
  }
  if (before === null) throw new Error('a difference without an earlier run');
  if (figure === null) {
    const { value, is_noise } = kneeChange(before, run);
    return [{ ...ofSweep, value: of === 'percent' ? percentOf(value, kneeRate(before)) : value, is_noise }];
  }
  const overall = of === 'percent' ? overallChange(figure, before, run) : null;
  const overAll =
    overall === null
      ? []
      : [{ ...ofSweep, value: (overall.value - 1) * PERCENT, is_noise: isNoise(overall, 1) }];
  const ofRates = commonSteps(before, run).map(({ was, is }) => {
    const { rate_per_s } = is;
    const change = changeOf(figure, was, is);
    if (change === null) return { value: null, rate_per_s, is_noise: false };
    const unit = figure.is === 'share' ? PERCENT : 1;
    const value = of === 'percent' ? percentOf(change.value, valueOf(figure, was)) : change.value * unit;
    return { value, rate_per_s, is_noise: isNoise(change) };
  });
  return [...ofRates, ...overAll];
}

function shown(figure: Figure, step: Step): Pick<Verdict, 'value' | 'rate_per_s'> {
  const value = valueOf(figure, step);
  const unit = figure.is === 'share' ? PERCENT : 1;
  return { value: value === null ? null : value * unit, rate_per_s: step.rate_per_s };
}

function percentOf(change: number, before: number | null): number | null {
  return before === null || before === 0 ? null : (PERCENT * change) / before;
}

const CONDITION = /^([a-z][a-z0-9.]*)(<=|>=|<|>)([+-]?)(\d+(?:\.\d+)?)(%?)$/u;

function conditionOf(text: string): Condition {
  const [, name = '', operator = '', sign = '', limit = '', percent = ''] = CONDITION.exec(text) ?? [];
  const compare = OPERATORS[operator];
  if (compare === undefined || (sign === '' && percent !== ''))
    throw new PlainError(
      `“${text}” is not a condition; write a figure, <, <=, > or >=, and a number: p99>200, or a difference: p99>+20%`,
    );
  const known: Readonly<Record<string, Figure>> = FIGURES;
  const figure = name === KNEE ? null : known[name];
  if (figure === undefined)
    throw new PlainError(
      `no figure is named ${name}; there are ${[...Object.keys(FIGURES), KNEE].join(', ')}`,
    );
  if (sign !== '' && (name === 'max' || name === 'mean'))
    throw new PlainError(`${name} has no margin to tell a difference from noise; use a percentile`);
  if (figure?.is === 'share' && percent !== '')
    throw new PlainError(`the difference of ${name} is in points; write ${name}${operator}${sign}${limit}`);
  const signed = Number(`${sign}${limit}`);
  return {
    text,
    figure,
    isMet: (value) => compare(value, signed),
    isUpper: operator.startsWith('>'),
    of: sign === '' ? 'figure' : percent === '' ? 'difference' : 'percent',
  };
}

/** Sorts figures by how near they are to meeting a condition; a missing figure meets it, and noise does not. */
function badness({ value, is_noise }: Measured, isUpper: boolean): number {
  if (value === null) return Number.MAX_VALUE;
  if (is_noise) return -Number.MAX_VALUE;
  return isUpper ? value : -value;
}
