import type { Knee, Step } from './result.ts';

/** Least share of the requests due that must bring a complete answer. */
export const COMPLETE_SHARE_MIN = 0.95;
/** The 99th percentile may be so many times the first step's, and so many milliseconds more. */
export const SLOWER_TIMES = 3;
export const SLOWER_MS = 10;

/**
 * Where the service stops keeping up: the knee is the last step before the first that fails and stays failed. A
 * step fails when fewer than 95% of its requests brought a complete answer, or when its 99th percentile is
 * past 3 times the first step's and 10 ms. One step that fails between two that do not was bad luck, and does not
 * count; the last step has none after it, and counts by itself.
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

/** The step that the plots of one rate show: the knee, or the highest rate that was kept up with, or the first. */
export function shownStep({ steps, knee }: { steps: readonly Step[]; knee: Knee }): Step {
  const shown = steps.find(({ rate_per_s }) => rate_per_s === knee.rate_per_s) ?? steps[0];
  if (shown === undefined) throw new Error('a run without steps');
  return shown;
}

/**
 * The same for runs to compare: of the rates that all have, the highest that all kept up with, or else the lowest,
 * since latencies at two rates say little of one another. Runs without a rate in common show their own.
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
