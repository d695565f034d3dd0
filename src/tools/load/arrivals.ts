import type { StepPlan } from './plan.ts';
import { randomNumbers } from './random.ts';

/** The endless sequence of times at which requests are due, milliseconds since the step's start. */
export function* dueTimes(
  step: Pick<StepPlan, 'ratePerS' | 'arrivals' | 'phase' | 'seed'>,
): Generator<number, never> {
  const intervalMs = 1000 / step.ratePerS;
  if (step.arrivals === 'constant') {
    // A product, because a sum would drift from the rate.
    for (let index = 0; ; index += 1) yield (index + step.phase) * intervalMs;
  }
  const random = randomNumbers(step.seed);
  for (let dueMs = 0; ;) {
    // Gaps of a Poisson process are exponential; 1 - random is never 0.
    dueMs -= Math.log(1 - random()) * intervalMs;
    yield dueMs;
  }
}
