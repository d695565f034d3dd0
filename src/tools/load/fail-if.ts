import { PlainError } from '../../process/fail.ts';
import type { Knee, Run, Step, Verdict } from './result.ts';
import { errorCount } from './step-figures.ts';

/** Exit codes besides 0, 1 (the command failed) and 130 (ended by Ctrl-C). */
const CONDITION_MET = 2;
const NOTHING_COMPLETE = 3;

type OfStep = (step: Step) => number | null;
const share = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);
const ended = ({ due, interrupted }: Step): number => due - interrupted;

/** The figures of each rate, in milliseconds, percent, or answers a second. */
const FIGURES: Readonly<Record<string, OfStep>> = {
  p50: ({ latency_ms }) => latency_ms.all?.p50 ?? null,
  p90: ({ latency_ms }) => latency_ms.all?.p90 ?? null,
  p95: ({ latency_ms }) => latency_ms.all?.p95 ?? null,
  p99: ({ latency_ms }) => latency_ms.all?.p99 ?? null,
  'p99.9': ({ latency_ms }) => latency_ms.all?.p999 ?? null,
  max: ({ latency_ms }) => latency_ms.all?.max ?? null,
  mean: ({ latency_ms }) => latency_ms.all?.mean ?? null,
  complete: (step) => share(step.complete, ended(step)),
  incomplete: (step) => share(step.incomplete + step.rejected, ended(step)),
  errors: (step) => share(errorCount(step), ended(step)),
  cached: ({ cache_hits, cache_reported }) => share(cache_hits, cache_reported),
  rate: ({ complete_per_s }) => complete_per_s,
};
/** The figure of a sweep: the highest rate that the service kept up with. */
const KNEE = 'knee';
const OPERATORS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
};

export interface Condition {
  /** Its text without spaces. */
  readonly text: string;
  readonly figure: string;
  readonly isMet: (value: number) => boolean;
  /** True if a greater figure is worse. */
  readonly isUpper: boolean;
}

/** Parses `p99>200,complete<99`. @throws PlainError with a correction. */
export function conditionsOf(text: string): Condition[] {
  return text.split(',').map((part) => conditionOf(part.replaceAll(/\s/gu, '')));
}

/** @throws PlainError if a condition uses the knee, which a single rate does not have. */
export function needNoKnee(conditions: readonly Condition[]): void {
  if (conditions.some(({ figure }) => figure === KNEE))
    throw new PlainError('a condition on the knee needs a sweep; give --rate-from and --rate-to');
}

/**
 * Checks every rate against the conditions. A figure without any answer meets its condition, because nothing shows
 * that it would not.
 * @throws PlainError if a condition uses the knee and there is only one rate.
 */
export function verdictsOf(
  conditions: readonly Condition[],
  { steps, knee }: Pick<Run, 'steps' | 'knee'>,
): Verdict[] {
  return conditions.map((condition) => {
    const { text, figure, isMet, isUpper } = condition;
    if (figure === KNEE) {
      if (knee.found === 'single') needNoKnee(conditions);
      const value = kneeRate(steps, knee);
      return { condition: text, is_met: isMet(value), value, rate_per_s: null };
    }
    const of = FIGURES[figure] ?? (() => null);
    const worst = steps
      .map((step) => ({ value: of(step), rate_per_s: step.rate_per_s }))
      .toSorted((a, b) => badness(b.value, isUpper) - badness(a.value, isUpper))[0];
    if (worst === undefined) throw new Error('a run without steps');
    return { condition: text, is_met: worst.value === null || isMet(worst.value), ...worst };
  });
}

/** @returns 0 if the run succeeded. */
export function exitCodeOf({ steps, verdicts }: Pick<Run, 'steps' | 'verdicts'>): number {
  if (steps.every(({ complete }) => complete === 0)) return NOTHING_COMPLETE;
  return verdicts.some(({ is_met }) => is_met) ? CONDITION_MET : 0;
}

function conditionOf(text: string): Condition {
  const names = [...Object.keys(FIGURES), KNEE];
  const [, figure = '', operator = '', limit = ''] =
    /^([a-z][a-z0-9.]*)(<=|>=|<|>)(\d+(?:\.\d+)?)$/u.exec(text) ?? [];
  const compare = OPERATORS[operator];
  if (compare === undefined)
    throw new PlainError(
      `“${text}” is not a condition; write a figure, <, <=, > or >=, and a number: p99>200`,
    );
  if (!names.includes(figure))
    throw new PlainError(`no figure is named ${figure}; there are ${names.join(', ')}`);
  return {
    text,
    figure,
    isMet: (value) => compare(value, Number(limit)),
    isUpper: operator.startsWith('>'),
  };
}

function kneeRate(steps: readonly Step[], { found, rate_per_s }: Knee): number {
  return found === 'below' ? 0 : (rate_per_s ?? steps.at(-1)?.rate_per_s ?? 0);
}

/** Sorts figures by how near they are to meeting a condition; a missing figure meets it. */
function badness(value: number | null, isUpper: boolean): number {
  if (value === null) return Number.MAX_VALUE;
  return isUpper ? value : -value;
}
