import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Counters } from '../../src/shared/counters.ts';
import { QUOTA_BREAK_MS, quotaOfThisProcess, SharedQuota, type QuotaState } from '../../src/shared/quota.ts';
import { systemClock, type Clock } from '../../src/clock.ts';
import { until } from '../tools/faults/support-poll.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

const HOUR_MS = 3_600_000;

function quotaOver(counters: Counters, clock: Clock = systemClock) {
  const breaks: boolean[] = [];
  const onBreak = (isBroken: boolean) => breaks.push(isBroken);
  return { quota: new SharedQuota({ clock, counters, peers: () => 1, onBreak }), breaks };
}

/** The state that has come without a turn of the event loop. */
function now(state: QuotaState | Promise<QuotaState>): QuotaState {
  if (state instanceof Promise) throw new Error('not answered at once');
  return state;
}

describe('the quota of a key', () => {
  test('is whole again at the next UTC midnight', async () => {
    const clock = new SimulatedClock('2026-03-10T22:00:00Z');
    const quota = quotaOfThisProcess(clock);
    expect(quota.charge('a', 1)).toMatchObject({ granted: true, resetSeconds: 7200 });
    await clock.advance(2 * HOUR_MS - 1);
    expect(quota.charge('a', 1)).toMatchObject({ granted: false, resetSeconds: 1 });
    await clock.advance(1);
    expect(quota.charge('a', 1)).toMatchObject({ granted: true, resetSeconds: 86_400 });
  });

  test('is not handed out twice when the clock steps back over midnight', () => {
    const clock = new SimulatedClock('2026-03-10T23:59:00Z');
    const quota = quotaOfThisProcess(clock);
    now(quota.charge('a', 1));
    clock.stepWall(HOUR_MS);
    expect(quota.charge('a', 1)).toMatchObject({ granted: true });
    clock.stepWall(-HOUR_MS);
    expect(quota.charge('a', 1)).toMatchObject({ granted: false });
    clock.stepWall(HOUR_MS);
    expect(quota.charge('a', 1)).toMatchObject({ granted: false });
  });

  test.each([2, 5 * 365])('is of the day of a clock that was %i days ahead and is put right', (days) => {
    const clock = new SimulatedClock('2030-01-01T00:00:00Z');
    const quota = quotaOfThisProcess(clock);
    now(quota.charge('a', 2));
    clock.stepWall(days * 24 * HOUR_MS);
    expect(quota.charge('a', 2)).toMatchObject({ granted: true, remaining: 1 });
    clock.stepWall(-days * 24 * HOUR_MS);
    const state = quota.charge('a', 2);
    expect(state).toMatchObject({ granted: true, resetSeconds: 86_400 });
  });

  test('grants no more than the limit on each day that the clock shows, however it steps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -23, max: 23 }), { maxLength: 60 }), (hours) => {
        const clock = new SimulatedClock();
        const quota = quotaOfThisProcess(clock);
        const granted = new Map<string, number>();
        let latest = 0;
        for (const step of hours) {
          // Beyond the day before counts are forgotten.
          clock.stepWall(Math.max(step * HOUR_MS, latest - 24 * HOUR_MS - clock.date().getTime()));
          latest = Math.max(latest, clock.date().getTime());
          const day = clock.date().toISOString().slice(0, 10);
          const state = now(quota.charge('a', 3));
          expect(state.resetSeconds).toBeGreaterThan(0);
          if (state.granted) granted.set(day, (granted.get(day) ?? 0) + 1);
        }
        for (const count of granted.values()) expect(count).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('a quota whose counters fail', () => {
  /** Counters that lose the answers to some additions, which may have counted. */
  function lossy(): Counters & { values: Map<string, number>; loses: boolean; seen: Set<string> } {
    const values = new Map<string, number>();
    const seen = new Set<string>();
    return {
      values,
      seen,
      loses: false,
      read: (subject) => Promise.resolve(values.get(subject) ?? 0),
      add(subject, units, id) {
        const isAgain = seen.has(id);
        seen.add(id);
        const value = (values.get(subject) ?? 0) + (isAgain ? 0 : units);
        values.set(subject, value);
        if (this.loses) return Promise.reject(new Error('no answer'));
        return Promise.resolve(isAgain ? null : value);
      },
    };
  }

  test('counts what it granted once, whether the addition had counted or not', async () => {
    const counters = lossy();
    const quick = { ...systemClock, after: soonAfter, now: fastNow };
    const { quota, breaks } = quotaOver(counters, quick);
    const charge = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, async () => quota.charge('k', 50)))).filter(
        ({ granted }) => granted,
      ).length;
    let granted = await charge(20);
    counters.loses = true;
    granted += await charge(10);
    granted += await charge(10);
    counters.loses = false;
    await until('it asks again', () => breaks.at(-1) === false);
    expect([...counters.values.values()].reduce((sum, value) => sum + value, 0)).toBe(granted);
    granted += await charge(100);
    expect(granted).toBe(50);
  });

  test('grants no more than was left of it while they are silent', async () => {
    const counters = lossy();
    const { quota } = quotaOver(counters, new SimulatedClock());
    for (let spent = 0; spent < 20; spent += 1) await quota.charge('k', 50);
    counters.loses = true;
    let granted = 0;
    for (let asked = 0; asked < 100; asked += 1) if ((await quota.charge('k', 50)).granted) granted += 1;
    expect(granted).toBe(30);
  });

  test('counts also what it granted while its debts were being added', async () => {
    const counters = lossy();
    const add = counters.add.bind(counters);
    const { quota } = quotaOver(counters, { ...systemClock, after: soonAfter, now: fastNow });
    counters.loses = true;
    await quota.charge('k', 50);
    counters.loses = false;
    const meanwhile: Promise<QuotaState>[] = [];
    counters.add = (subject, units, id) => {
      if (meanwhile.length === 0) meanwhile.push(Promise.resolve(quota.charge('k', 50)));
      return add(subject, units, id);
    };
    await until('it owes nothing', () => meanwhile.length > 0 && quota.owed === 0);
    await Promise.all(meanwhile);
    expect([...counters.values.values()].reduce((sum, value) => sum + value, 0)).toBe(2);
  });

  test('begins each day with nothing used, also if a charge of the day before is answered later', async () => {
    const clock = new SimulatedClock('2026-03-10T23:59:59Z');
    const counters = lossy();
    const add = counters.add.bind(counters);
    const { promise: word, resolve: tell } = Promise.withResolvers<undefined>();
    counters.add = async (...addition) => {
      const value = await add(...addition);
      if (value === 1) await word;
      return value;
    };
    const { quota } = quotaOver(counters, clock);
    const read = counters.read.bind(counters);
    counters.read = (name) => word.then(() => read(name));
    const late = quota.charge('k', 2);
    const before = quota.peek('k', 2);
    await clock.advance(2_000);
    const after = quota.peek('k', 2);
    tell(undefined);
    await before;
    const peeked = await after;
    await expect(late).resolves.toMatchObject({ granted: true, remaining: 1 });
    counters.loses = true;
    const today = await Promise.all([1, 2].map(async () => quota.charge('k', 2)));
    expect([peeked.remaining, ...today.map(({ granted }) => granted)]).toEqual([2, true, true]);
    quota.close();
  });

  test('asks no more once it is closed', async () => {
    const clock = new SimulatedClock();
    const counters = lossy();
    const add = vi.spyOn(counters, 'add');
    counters.loses = true;
    const { quota } = quotaOver(counters, clock);
    await quota.charge('k', 2);
    await clock.advance(3_000);
    expect(add.mock.calls.length).toBeGreaterThan(1);
    // One has no answer yet when it is closed.
    const { promise, reject } = Promise.withResolvers<never>();
    add.mockReturnValueOnce(promise);
    const before = add.mock.calls.length;
    await clock.advance(QUOTA_BREAK_MS);
    quota.close();
    reject(new Error('no answer'));
    await clock.advance(60_000);
    expect(add.mock.calls).toHaveLength(before + 1);
  });

  const soonAfter: Clock['after'] = (_, action) => systemClock.after(5, action);
  /** So fast that every break is over at the next look. */
  let ticks = 0;
  function fastNow(): number {
    ticks += 10_000;
    return ticks;
  }
});
