import { bug } from '../../bug.ts';
import { endedOf } from './figures.ts';
import type { Knee, Run, Step } from './result.ts';

type Sweep = Pick<Run, 'steps' | 'knee'>;

/** Minimum fraction of due requests with a complete answer. */
const COMPLETE_SHARE_MIN = 0.95;
/** Maximum 99th percentile: the first step's times this factor, plus these milliseconds. */
const SLOWER_TIMES = 3;
const SLOWER_MS = 10;

/**
 * Where the service stops keeping up. The knee is the last step before the first lasting failure. A
 * step fails if fewer than 95% of the requests got a complete answer, or if the 99th percentile is
 * more than 3 times the first step's plus 10 ms. A single failed step between two good ones does not
 * count. A failed last step counts.
 * @param steps by rising rate.
 */
export function findKnee(steps: readonly Step[]): Knee {
  const limitMs = limitOf(steps);
  const reasons = steps.map((step) => faults(step, limitMs));
  if (steps.length === 1) return { found: 'single', rate_per_s: null, reasons };
  const failsAt = reasons.findIndex(
    (reason, at) => reason.length > 0 && (reasons[at + 1] ?? reason).length > 0,
  );
  if (failsAt < 0) return { found: 'above', rate_per_s: lastRate(steps), reasons };
  if (failsAt === 0) return { found: 'below', rate_per_s: null, reasons };
  return { found: 'knee', rate_per_s: lastRate(steps.slice(0, failsAt)), reasons };
}

/** The highest rate that the service kept up with; 0 if it kept up with none. */
export function kneeRate({ steps, knee }: Sweep): number {
  return knee.found === 'below' ? 0 : (knee.rate_per_s ?? lastRate(steps));
}

export function lastRate(steps: readonly Step[]): number {
  return rateOf(steps.at(-1));
}

function rateOf(step: Step | undefined): number {
  return (step ?? bug('a run without steps')).rate_per_s;
}

/** True for the last rate that the service kept up with, if it did not keep up with a higher one. */
export function isKnee({ knee }: Pick<Run, 'knee'>, { rate_per_s }: Step): boolean {
  return knee.found === 'knee' && rate_per_s === knee.rate_per_s;
}

/**
 * The steps to show of runs: at the highest common rate that all kept up with, else at the lowest common one. Of one run it is
 * the knee or the last rate, else the first.
 */
export function shownSteps(runs: readonly Sweep[]): Step[] {
  const most = Math.min(...runs.map((run) => run.knee.rate_per_s ?? rateOf(run.steps[0])));
  const [first = bug('no run'), ...others] = runs.map(({ steps }) =>
    steps.map(({ rate_per_s }) => rate_per_s),
  );
  const common = first.filter((rate) => others.every((rates) => rates.includes(rate)));
  const rate = common.findLast((one) => one <= most) ?? common[0];
  return runs.map(
    ({ steps }) => steps.find(({ rate_per_s }) => rate_per_s === rate) ?? bug('no common rate'),
  );
}

/** The greatest 99th percentile that is not slow: any, if the first step has no answers to compare with. */
export function limitOf([first]: readonly Step[]): number {
  return (first?.latency_ms.all?.p99 ?? Infinity) * SLOWER_TIMES + SLOWER_MS;
}

function faults(step: Step, limitMs: number): ('incomplete' | 'slow')[] {
  const ended = endedOf(step);
  const faulty: ('incomplete' | 'slow')[] = [];
  if (step.complete < ended * COMPLETE_SHARE_MIN) faulty.push('incomplete');
  const { all } = step.latency_ms;
  if (all !== null && all.p99 > limitMs) faulty.push('slow');
  return faulty;
}
