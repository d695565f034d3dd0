import type { Knee, Step } from './result.ts';

/** Minimum share of due requests with a complete answer. */
const COMPLETE_SHARE_MIN = 0.95;
/** Maximum 99th percentile: this factor times the first step's, plus these milliseconds. */
const SLOWER_TIMES = 3;
const SLOWER_MS = 10;

/**
 * Where the service stops keeping up. The knee is the last step before the first lasting failure. A
 * step fails when fewer than 95% of its requests brought a complete answer, or when its 99th percentile is
 * more than 3 times the first step's plus 10 ms. A single failed step between two good ones does not
 * count. A failed last step counts.
 * @param steps by rising rate.
 */
export function findKnee(steps: readonly Step[]): Knee {
  const firstP99 = steps[0]?.latency_ms.all?.p99 ?? 0;
  const reasons = steps.map((step) => faults(step, firstP99));
  if (steps.length === 1) return { found: 'single', rate_per_s: null, reasons };
  const failsAt = reasons.findIndex(
    (reason, at) => reason.length > 0 && (reasons[at + 1] ?? reason).length > 0,
  );
  if (failsAt < 0) return { found: 'above', rate_per_s: steps.at(-1)?.rate_per_s ?? null, reasons };
  if (failsAt === 0) return { found: 'below', rate_per_s: null, reasons };
  return { found: 'knee', rate_per_s: steps[failsAt - 1]?.rate_per_s ?? null, reasons };
}

/** The step for plots of one rate: the knee, else the highest rate that the service kept up with, else the first. */
export function shownStep({ steps, knee }: { steps: readonly Step[]; knee: Knee }): Step {
  const shown = steps.find(({ rate_per_s }) => rate_per_s === knee.rate_per_s) ?? steps[0];
  if (shown === undefined) throw new Error('a run without steps');
  return shown;
}

/**
 * The same for runs to compare: the highest common rate that all kept up with, else the lowest common rate,
 * because latencies at different rates are not comparable. Runs without a common rate use their own.
 */
export function shownSteps(
  runs: readonly { readonly steps: readonly Step[]; readonly knee: Knee }[],
): Step[] {
  const own = runs.map(shownStep);
  const rates = runs.map(({ steps }) => new Set(steps.map(({ rate_per_s }) => rate_per_s)));
  const common = [...(rates[0] ?? [])].filter((rate) => rates.every((one) => one.has(rate)));
  const most = Math.min(...own.map(({ rate_per_s }) => rate_per_s));
  const rate = common.findLast((one) => one <= most) ?? common[0];
  return runs.map(({ steps }, at) => {
    const step = steps.find(({ rate_per_s }) => rate_per_s === rate) ?? own[at];
    if (step === undefined) throw new Error('a run without steps');
    return step;
  });
}

function faults(step: Step, firstP99: number): ('incomplete' | 'slow')[] {
  const ended = step.due - step.interrupted;
  const faulty: ('incomplete' | 'slow')[] = [];
  if (step.complete < ended * COMPLETE_SHARE_MIN) faulty.push('incomplete');
  const p99 = step.latency_ms.all?.p99 ?? Number.POSITIVE_INFINITY;
  if (ended > 0 && p99 > firstP99 * SLOWER_TIMES + SLOWER_MS) faulty.push('slow');
  return faulty;
}
