import { PlainError } from '../../process/fail.ts';
import { compare, COMPARED } from './comparison.ts';
import { FIGURES, type Figure } from './figures.ts';
import { kneeRate } from './knee.ts';
import { isNoise } from './shift.ts';
import type { Run, Verdict } from './result.ts';

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
  readonly name: string;
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
 * @param isSweep true if there are several rates. @param hasBefore true if there is a run to compare with.
 * @throws PlainError with a correction.
 */
export function needDecidable(conditions: readonly Condition[], isSweep: boolean, hasBefore: boolean): void {
  if (!hasBefore && conditions.some(({ of }) => of !== 'figure'))
    throw new PlainError('a difference needs the figures of an earlier run; give them with --compare');
  if (!isSweep && conditions.some(({ figure }) => figure === null))
    throw new PlainError('a condition on the knee needs a sweep; give --rate-from and --rate-to');
}

/**
 * Checks every rate against the conditions. A figure without answers meets its condition, because nothing shows
 * otherwise. A difference whose interval holds 0 does not: it may be chance.
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

function measured({ name, figure, of }: Condition, run: Runs, before: Runs | null): Measured[] {
  const ofAll = { rate_per_s: null, is_noise: false };
  if (figure === null) return [{ ...ofAll, value: kneeRate(run) }];
  const unit = figure.unit === 'share' ? PERCENT : 1;
  if (of === 'figure')
    return run.steps.map((step) => {
      const value = figure.of(step);
      return { value: value === null ? null : value * unit, rate_per_s: step.rate_per_s, is_noise: false };
    });
  if (before === null) throw new Error('a difference without an earlier run');
  const row = compare(before, run).find((one) => one.name === name);
  if (row === undefined) return [{ ...ofAll, value: null }];
  const { change } = row;
  // A time's change is a share of the earlier time.
  const scale = of === 'percent' || figure.unit === 'share' ? PERCENT : row.before;
  return [{ ...ofAll, value: change.value * scale, is_noise: isNoise(change) }];
}

const CONDITION = /^([a-z][a-z0-9.]*)(<=|>=|<|>)([+-]?)(\d+(?:\.\d+)?)(%?)$/u;

function conditionOf(text: string): Condition {
  const [, name = '', operator = '', sign = '', limit = '', percent = ''] = CONDITION.exec(text) ?? [];
  const holds = OPERATORS[operator];
  if (holds === undefined || (sign === '' && percent !== ''))
    throw new PlainError(
      `“${text}” is not a condition; write a figure, <, <=, > or >=, and a number: p99>200, or a difference: p99>+20%`,
    );
  const figure = name === KNEE ? null : new Map<string, Figure>(Object.entries(FIGURES)).get(name);
  if (figure === undefined)
    throw new PlainError(
      `no figure is named ${name}; there are ${[...Object.keys(FIGURES), KNEE].join(', ')}`,
    );
  if (sign !== '' && !COMPARED.some((one) => one === name))
    throw new PlainError(`two runs are not compared by ${name}; they are by ${COMPARED.join(', ')}`);
  if (figure?.unit === 'share' && percent !== '')
    throw new PlainError(`the difference of ${name} is in points; write ${name}${operator}${sign}${limit}`);
  const signed = Number(`${sign}${limit}`);
  return {
    text,
    name,
    figure,
    isMet: (value) => holds(value, signed),
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
