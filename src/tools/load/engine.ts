import type { LoadAsk } from './mix.ts';
import type { Reply } from './http-client.ts';
import type { StepPlan } from './plan.ts';
import { randomNumbers } from './random.ts';

/** The generator's clock, milliseconds; tests inject their own. */
export interface LoadClock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const REAL_CLOCK: LoadClock = { now: () => performance.now(), sleep: (ms) => Bun.sleep(ms) };

/** A request's result. Times are milliseconds on the clock. */
export interface Sample extends Reply {
  readonly ask: LoadAsk;
  /** When it was due. Latency counts from here. */
  readonly dueAt: number;
  /** When the generator handled it, before the wait for a free connection. */
  readonly pickedAt: number;
}

export interface Engine {
  readonly clock: LoadClock;
  readonly timeoutMs: number;
  readonly next: () => LoadAsk;
  readonly send: (ask: LoadAsk, giveUpAt: number) => Promise<Reply>;
  /** Called for every ended request. @param dueMs since the end of the warm-up; negative during it. */
  readonly ended: (sample: Sample, dueMs: number) => void;
  readonly isStopped: () => boolean;
}

/** Shorter sleeps return immediately, so the loop would use a whole core. */
const SLEEP_MS_MIN = 1;
/** Longest delay of a stop. */
const SLEEP_MS_MAX = 50;

/**
 * Sends requests when they are due, even if earlier ones have no answer, and ends after the last one. A
 * generator that waited for answers would send fewer requests while the service is slow, and so omit the requests
 * with the longest latency from the figures.
 * @returns milliseconds of the warm-up and the load; less than planned after a stop.
 */
export async function runStep(step: StepPlan, engine: Engine): Promise<number> {
  const { clock, isStopped } = engine;
  const startedAt = clock.now();
  const endMs = step.warmupMs + step.durationMs;
  const running = new Set<Promise<void>>();
  const times = dueTimes(step);
  let dueMs = times.next().value;
  while (dueMs < endMs && !isStopped()) {
    for (const nowMs = clock.now() - startedAt; dueMs <= nowMs && dueMs < endMs; dueMs = times.next().value) {
      track(running, sendOne(startedAt + dueMs, dueMs - step.warmupMs, engine));
    }
    if (dueMs >= endMs) break;
    const left = startedAt + dueMs - clock.now();
    await clock.sleep(Math.min(SLEEP_MS_MAX, Math.max(SLEEP_MS_MIN, left)));
  }
  const ranMs = isStopped() ? clock.now() - startedAt : endMs;
  await Promise.all(running);
  return Math.min(ranMs, endMs);
}

async function sendOne(dueAt: number, dueMs: number, engine: Engine): Promise<void> {
  const ask = engine.next();
  const pickedAt = engine.clock.now();
  const reply = await engine.send(ask, dueAt + engine.timeoutMs);
  engine.ended({ ...reply, ask, dueAt, pickedAt }, dueMs);
}

/** Keeps a request until it ends. A failed request stays, so that waiting for all throws its error. */
function track(running: Set<Promise<void>>, request: Promise<void>): void {
  running.add(request);
  void request.then(
    () => running.delete(request),
    () => undefined,
  );
}

/** The endless sequence of times at which requests are due, milliseconds since the step's start. */
export function* dueTimes(
  step: Pick<StepPlan, 'ratePerS' | 'arrivals' | 'phase' | 'seed' | 'recorded'>,
): Generator<number, never> {
  const { recorded } = step;
  if (recorded !== undefined) {
    for (let from = 0; ; from += recorded.periodMs) for (const dueMs of recorded.dueMs) yield from + dueMs;
  }
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
