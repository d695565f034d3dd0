import { describe, expect, test } from 'vitest';
import { dueTimes, runStep, type Ended, type Engine } from '../../../src/tools/load/engine.ts';
import type { Pace } from '../../../src/tools/load/plan.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

const STEP: Pace = { ratePerS: 100, arrivals: 'constant', warmupMs: 0, durationMs: 3_000, seed: 1 };

interface Result {
  readonly endedAt: number;
}

/**
 * Runs a step on a simulated clock against a service that is a function of time.
 * @param slept how long a sleep really takes.
 */
async function simulate(
  step: Partial<Pace>,
  answeredAt: (sentAt: number) => number,
  more: Partial<Engine<string, Result>> = {},
  slept = (ms: number, _now: number) => ms,
) {
  const simulated = new SimulatedClock();
  const clock = {
    now: () => simulated.now(),
    sleep: async (ms: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      simulated.after(slept(ms, simulated.now()), resolve);
      await promise;
    },
  };
  const samples: (Ended<string, Result> & { dueMs: number })[] = [];
  const engine: Engine<string, Result> = {
    clock,
    timeoutMs: 10_000,
    next: () => 'a request',
    send: async () => {
      const sentAt = clock.now();
      if (answeredAt(sentAt) > sentAt) await clock.sleep(answeredAt(sentAt) - sentAt);
      return { endedAt: clock.now() };
    },
    ended: (sample, dueMs) => samples.push({ ...sample, dueMs }),
    isStopped: () => false,
    ...more,
  };
  const running = runStep({ ...STEP, ...step }, engine);
  // A failure is seen where it is awaited.
  running.catch(() => undefined);
  await simulated.advance(60_000);
  return { samples, ranMs: await running };
}

describe('the open loop', () => {
  test('keeps sending while the service stalls, and counts the wait of every due request', async () => {
    // One second of no answers: of a closed loop of one client a single request would meet it.
    const stalled = (sentAt: number) => (sentAt >= 1_000 && sentAt < 2_000 ? 2_000 : sentAt + 1);
    const { samples } = await simulate({}, stalled);
    expect(samples).toHaveLength(300);
    expect(samples.filter(({ endedAt, dueAt }) => endedAt - dueAt > 100)).toHaveLength(90);
  });

  test('counts from when a request was due even where a late generator sent it', async () => {
    // The generator itself is held for half a second: 50 requests are late, and none of their time is lost.
    let isHeld = false;
    const held = (ms: number, now: number) => {
      if (isHeld || now < 1_000) return ms;
      isHeld = true;
      return 500;
    };
    const { samples } = await simulate({}, (sentAt) => sentAt, {}, held);
    expect(samples).toHaveLength(300);
    const late = samples.filter((one) => one.pickedAt - one.dueAt >= 10);
    expect(late.length).toBeGreaterThanOrEqual(48);
    expect(Math.max(...late.map(({ endedAt, dueAt }) => endedAt - dueAt))).toBeGreaterThan(480);
  });

  test('separates warm-up from load by the time a request was due, and ends when the last answer has come', async () => {
    const { samples, ranMs } = await simulate({ warmupMs: 1_000, durationMs: 2_000 }, () => 9_000);
    expect(samples.filter(({ dueMs }) => dueMs < 0)).toHaveLength(100);
    expect(samples.filter(({ dueMs, endedAt }) => dueMs >= 0 && endedAt === 9_000)).toHaveLength(200);
    expect(ranMs).toBe(3_000);
  });

  test('sends nothing more once it is stopped, and shows an error of its own', async () => {
    let asked = 0;
    const next = () => String((asked += 1));
    const { ranMs } = await simulate({}, (sentAt) => sentAt + 1, { next, isStopped: () => asked >= 50 });
    expect(asked).toBe(50);
    expect(ranMs).toBeLessThan(600);
    const send = async (): Promise<Result> => Promise.reject(new Error('broken'));
    await expect(simulate({}, () => 0, { send })).rejects.toThrow('broken');
  });
});

describe('arrivals', () => {
  const first = (count: number, step: Partial<Pace>) =>
    Iterator.from(dueTimes({ ...STEP, ...step }))
      .take(count)
      .toArray();

  test('are due every 1/rate seconds, or at the times of a recording again and again', () => {
    expect(first(4, { ratePerS: 250 })).toEqual([0, 4, 8, 12]);
    expect(first(5, { recorded: { dueMs: [0, 10, 40], periodMs: 60 } })).toEqual([0, 10, 40, 60, 70]);
  });

  test('at random have the rate on average, gaps that vary as an exponential does, and one seed’s own times', () => {
    const times = first(20_000, { arrivals: 'poisson', seed: 3 });
    const gaps = times.map((at, index) => at - (times[index - 1] ?? 0));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    expect(mean).toBeCloseTo(10, 0);
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1);
    expect(first(5, { arrivals: 'poisson', seed: 3 })).toEqual(times.slice(0, 5));
    expect(first(5, { arrivals: 'poisson', seed: 2 })).not.toEqual(times.slice(0, 5));
  });
});
