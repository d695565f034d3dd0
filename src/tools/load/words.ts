import { bug } from '../../bug.ts';
import { isNoise } from './shift.ts';
import type { Compared } from './comparison.ts';
import { cachedShare, endedOf } from './figures.ts';
import { listed, ms, percent, rate, short, signed, whole } from './format.ts';
import { isKnee, kneeRate, lastRate, limitOf } from './knee.ts';
import type { Run, Step, Verdict } from './result.ts';

/** Up to which of several rates the service kept up, and why no further. */
export function kneeText(run: Run): string {
  const { knee, steps } = run;
  if (knee.found === 'knee')
    return `knee: the service kept up with ${rate(kneeRate(run))}, and no more: ${kneeReason(run)}`;
  return knee.found === 'below'
    ? `no knee: the service did not keep up with the first rate; try lower ones: ${kneeReason(run)}`
    : `no knee: the service kept up with every rate up to ${rate(lastRate(steps))}; try higher ones`;
}

/** Why the first rate above the knee failed. */
function kneeReason({ knee, steps }: Run): string {
  const at = steps.findIndex(({ rate_per_s }) => rate_per_s === knee.rate_per_s) + 1;
  const step = steps[at];
  if (step === undefined) return '';
  const ended = endedOf(step);
  const { count, p99 } = step.latency_ms.all ?? { count: 0, p99: null };
  const texts = {
    incomplete: `${whole(ended - step.complete)} of ${whole(ended)} requests had no complete answer`,
    slow: `the 99th percentile of ${whole(count)} answers was ${ms(p99)} ms, above ${ms(limitOf(steps))} ms (3 times the first rate's plus 10)`,
  };
  const reasons = reasonsOf(knee, at).map((reason) => texts[reason]);
  return `at ${rate(step.rate_per_s)} ${reasons.join(', and ')}`;
}

/** The result of a condition of `--fail-if`, with the figure nearest to meeting it. */
export function verdictText({ condition, value, rate_per_s, is_noise }: Verdict): string {
  const isDifference = /[<>]=?[+-]/u.test(condition);
  const unit = condition.endsWith('%') ? '%' : '';
  const figure =
    value === null ? 'no answer to measure it by' : `${isDifference ? signed(value) : short(value)}${unit}`;
  const at = rate_per_s === null ? '' : ` at ${rate(rate_per_s)}`;
  return `${figure}${at}${is_noise ? ', within noise' : ''}`;
}

/** What two runs show in one sentence. */
export function comparisonText(rows: readonly Compared[]): string {
  const different = rows.filter(({ change }) => !isNoise(change)).map(({ name }) => name);
  if (different.length > 0) return `${listed(different)} differ`;
  if (rows.every(({ change }) => change.low === Number.NEGATIVE_INFINITY))
    return 'too short to tell anything; give both a longer --duration, or more --passes';
  return 'no difference, all is within noise';
}

/** What became of a rate's requests: the first four also if nothing had them. */
export function outcomesText({
  due,
  complete,
  incomplete,
  rejected,
  interrupted,
  gone,
  errors,
}: Step): string {
  const counts: [string, number][] = [
    ...Object.entries({ due, complete, incomplete, rejected, interrupted, 'ids gone': gone }),
    ...errors.map(({ error, count }): [string, number] => [ERRORS[error] ?? `status ${error}`, count]),
  ];
  return counts
    .filter(([, count], at) => at < ALWAYS_NAMED || count > 0)
    .map(([name, count]) => `${whole(count)} ${name}`)
    .join(', ');
}
const ALWAYS_NAMED = 4;
const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'timed out',
  unsent: 'never sent (no free connection)',
  connect: 'not connected',
  closed: 'cut off',
  unframed: 'not readable as HTTP',
  not_a_search: 'not readable as a search',
  others: 'other errors',
  '429': 'status 429 (per-IP limit)',
};

export function generatorText(step: Step): string {
  const { cpu_share, lateness_ms: late } = step.generator;
  const cached =
    step.cache_reported === 0
      ? 'not reported by the service'
      : `${percent(cachedShare(step))} of ${step.cache_reported} answers came from it`;
  return `result cache: ${cached}; generator: ${percent(cpu_share)} of a core; late by ${ms(late?.p50)} ms (p50), ${ms(late?.p99)} ms (p99)`;
}

/** The columns of the bases' table, and how much of a search the slowest base is. */
export function basesText({ slowest_base_percent: share }: Step): string {
  const slowest =
    share === null
      ? ''
      : `; the slowest base took ${Math.round(share.p50)}% of a search’s time in the median`;
  return `fell back: by recency although relevance was requested; timed out, failed: no answer; no count: of first pages; was slowest: how often of a search, shared among equals${slowest}`;
}

/** Why a rate failed, or that it did not. */
export function stateText(run: Run, step: Step, at: number): string {
  const names = { incomplete: 'missing', slow: 'slow' };
  const reasons = reasonsOf(run.knee, at).map((reason) => names[reason]);
  if (reasons.length > 0) return reasons.join('+');
  return isKnee(run, step) ? 'knee' : 'yes';
}

function reasonsOf({ reasons }: Run['knee'], at: number) {
  return reasons[at] ?? bug('a rate without its reasons');
}
