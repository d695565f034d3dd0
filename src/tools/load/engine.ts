import { dueTimes } from './arrivals.ts';
import type { LoadAsk } from './mix.ts';
import type { Reply } from './http-client.ts';
import type { StepPlan } from './plan.ts';

/** Time as the generator sees it, milliseconds; a test has its own. */
export interface LoadClock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const REAL_CLOCK: LoadClock = { now: () => performance.now(), sleep: (ms) => Bun.sleep(ms) };

/** What became of one request; every time in milliseconds on the clock. */
export interface Sample extends Reply {
  readonly ask: LoadAsk;
  /** When it was to be sent: latency counts from here, whatever kept it. */
  readonly dueAt: number;
  /** When the generator came to it; the wait for a free connection follows. */
  readonly pickedAt: number;
}

export interface Engine {
  readonly clock: LoadClock;
  readonly timeoutMs: number;
  readonly next: () => LoadAsk;
  readonly send: (ask: LoadAsk, giveUpAt: number) => Promise<Reply>;
  /** Is given every request that has ended. @param dueMs since the warm-up's end; less than 0 before it. */
  readonly ended: (sample: Sample, dueMs: number) => void;
  /** True once the load is to end before its time. */
  readonly isStopped: () => boolean;
}

/** A shorter sleep is none, and would have the loop take a whole core. */
const SLEEP_MS_MIN = 1;
/** A request to stop waits no longer than this. */
const SLEEP_MS_MAX = 50;

/**
 * Sends requests when they are due, answered or not, and ends when the last of them has come to its end. A
 * generator that waited for answers would ask less of a service just when it is slow, and leave the requests
 * that suffer most out of the figures.
 * @returns milliseconds of the warm-up and the load; less than planned when it was stopped.
 */
export async function runStep(step: StepPlan, engine: Engine): Promise<number> {
  const { clock, isStopped } = engine;
  const startedAt = clock.now();
  const endMs = step.warmupMs + step.durationMs;
  const under = new UnderWay();
  const times = dueTimes(step);
  let dueMs = times.next().value;
  while (dueMs < endMs && !isStopped()) {
    for (const nowMs = clock.now() - startedAt; dueMs <= nowMs && dueMs < endMs; dueMs = times.next().value) {
      under.add(sendOne(startedAt + dueMs, dueMs - step.warmupMs, engine));
    }
    if (dueMs >= endMs) break;
    const left = startedAt + dueMs - clock.now();
    await clock.sleep(Math.min(SLEEP_MS_MAX, Math.max(SLEEP_MS_MIN, left)));
  }
  const ranMs = isStopped() ? clock.now() - startedAt : endMs;
  await under.none();
  return Math.min(ranMs, endMs);
}

async function sendOne(dueAt: number, dueMs: number, engine: Engine): Promise<void> {
  const ask = engine.next();
  const pickedAt = engine.clock.now();
  const reply = await engine.send(ask, dueAt + engine.timeoutMs);
  engine.ended({ ...reply, ask, dueAt, pickedAt }, dueMs);
}

/** Counts what has not ended, and keeps none of what has. */
class UnderWay {
  #count = 0;
  #error: unknown = null;
  #wake: (() => void) | null = null;

  add(work: Promise<void>): void {
    this.#count += 1;
    void this.#watch(work);
  }

  /** Waits until all has ended. @throws the first error of any. */
  async none(): Promise<void> {
    if (this.#count > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.#error !== null) throw this.#error;
  }

  async #watch(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#error ??= error;
    }
    this.#count -= 1;
    if (this.#count === 0) this.#wake?.();
  }
}
