import type { Pace } from './plan.ts';
import { randomNumbers } from './random.ts';

/** The generator's clock, milliseconds; tests inject their own. */
export interface LoadClock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const REAL_CLOCK: LoadClock = { now: () => performance.now(), sleep: (ms) => Bun.sleep(ms) };

/** A result with what was asked for and when. Times are milliseconds on the clock. */
export type Ended<Ask, Result> = Result & {
  readonly ask: Ask;
  /** When it was due. Latency counts from here. */
  readonly dueAt: number;
  /** When the generator handled it, before the wait for a free connection. */
  readonly pickedAt: number;
};

export interface Engine<Ask, Result> {
  readonly clock: LoadClock;
  readonly timeoutMs: number;
  readonly next: () => Ask;
  readonly send: (ask: Ask, giveUpAt: number) => Promise<Result>;
  /** Called for every ended request. @param dueMs since the end of the warm-up; negative during it. */
  readonly ended: (sample: Ended<Ask, Result>, dueMs: number) => void;
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
export async function runStep<Ask, Result>(pace: Pace, engine: Engine<Ask, Result>): Promise<number> {
  const { clock, isStopped } = engine;
  const startedAt = clock.now();
  const endMs = pace.warmupMs + pace.durationMs;
  const running = new Set<Promise<void>>();
  const times = dueTimes(pace);
  let dueMs = times.next().value;
  while (dueMs < endMs && !isStopped()) {
    for (const nowMs = clock.now() - startedAt; dueMs <= nowMs && dueMs < endMs; dueMs = times.next().value) {
      track(running, sendOne(startedAt + dueMs, dueMs - pace.warmupMs, engine));
    }
    if (dueMs >= endMs) break;
    const left = startedAt + dueMs - clock.now();
    await clock.sleep(Math.min(SLEEP_MS_MAX, Math.max(SLEEP_MS_MIN, left)));
  }
  const ranMs = isStopped() ? clock.now() - startedAt : endMs;
  await Promise.all(running);
  return Math.min(ranMs, endMs);
}

async function sendOne<Ask, Result>(
  dueAt: number,
  dueMs: number,
  engine: Engine<Ask, Result>,
): Promise<void> {
  const ask = engine.next();
  const pickedAt = engine.clock.now();
  const result = await engine.send(ask, dueAt + engine.timeoutMs);
  engine.ended({ ...result, ask, dueAt, pickedAt }, dueMs);
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
export function* dueTimes({
  ratePerS,
  arrivals,
  seed,
  recorded,
}: Omit<Pace, 'warmupMs' | 'durationMs'>): Generator<number, never> {
  if (recorded !== undefined) {
    for (let from = 0; ; from += recorded.periodMs) for (const dueMs of recorded.dueMs) yield from + dueMs;
  }
  const intervalMs = 1000 / ratePerS;
  if (arrivals === 'constant') {
    // A product, because a sum would drift from the rate.
    for (let index = 0; ; index += 1) yield index * intervalMs;
  }
  const random = randomNumbers(seed);
  for (let dueMs = 0; ;) {
    // Gaps of a Poisson process are exponential; 1 - random is never 0.
    dueMs -= Math.log(1 - random()) * intervalMs;
    yield dueMs;
  }
}
