import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QuotaActor } from '../../src/search/quota.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

const HOUR_MS = 3_600_000;

describe('the quota of a key', () => {
  test('is exact however many charges there are', () => {
    const quota = new QuotaActor(new SimulatedClock());
    const states = Array.from({ length: 500 }, () => quota.charge('a', 100));
    expect(states.filter(({ granted }) => granted)).toHaveLength(100);
    expect(states.at(-1)).toMatchObject({ granted: false, remaining: 0, limit: 100 });
  });

  test('is counted for each key apart', () => {
    const quota = new QuotaActor(new SimulatedClock());
    quota.charge('a', 1);
    expect(quota.charge('b', 1)).toMatchObject({ granted: true });
    expect(quota.charge('a', 1)).toMatchObject({ granted: false });
  });

  test('is not spent by looking at it', () => {
    const quota = new QuotaActor(new SimulatedClock());
    quota.peek('a', 5);
    expect(quota.peek('a', 5)).toMatchObject({ remaining: 5 });
  });

  test('is whole again at the next UTC midnight', async () => {
    const clock = new SimulatedClock('2026-03-10T22:00:00Z');
    const quota = new QuotaActor(clock);
    expect(quota.charge('a', 1)).toMatchObject({ granted: true, resetSeconds: 7200 });
    await clock.advance(2 * HOUR_MS - 1);
    expect(quota.charge('a', 1)).toMatchObject({ granted: false, resetSeconds: 1 });
    await clock.advance(1);
    expect(quota.charge('a', 1)).toMatchObject({ granted: true, resetSeconds: 86_400 });
  });

  test('is not handed out twice when the clock steps back over midnight', () => {
    const clock = new SimulatedClock('2026-03-10T23:59:00Z');
    const quota = new QuotaActor(clock);
    quota.charge('a', 1);
    clock.stepWall(HOUR_MS);
    expect(quota.charge('a', 1)).toMatchObject({ granted: true });
    clock.stepWall(-HOUR_MS);
    expect(quota.charge('a', 1)).toMatchObject({ granted: false });
    clock.stepWall(HOUR_MS);
    expect(quota.charge('a', 1)).toMatchObject({ granted: false });
  });

  test.each([2, 5 * 365])(
    'begins again in its day when a clock that was %i days ahead is put right',
    async (days) => {
      const clock = new SimulatedClock('2031-01-01T00:00:00Z');
      const quota = new QuotaActor(clock);
      quota.charge('a', 1);
      clock.stepWall(-days * 24 * HOUR_MS);
      expect(quota.charge('a', 1)).toMatchObject({ granted: false, resetSeconds: 86_400 });
      await clock.advance(24 * HOUR_MS);
      expect(quota.charge('a', 1)).toMatchObject({ granted: true });
    },
  );

  test('grants no more than the limit for each midnight passed, however the clock steps about it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -23, max: 30 }), { maxLength: 60 }), (hours) => {
        const clock = new SimulatedClock();
        const quota = new QuotaActor(clock);
        const days = new Set<string>();
        let latest = 0;
        let granted = 0;
        for (const step of hours) {
          const back = Math.max(step * HOUR_MS, latest - 24 * HOUR_MS - clock.date().getTime());
          clock.stepWall(latest === 0 ? 0 : back);
          latest = Math.max(latest, clock.date().getTime());
          days.add(new Date(latest).toISOString().slice(0, 10));
          if (quota.charge('a', 3).granted) granted += 1;
        }
        expect(granted).toBeLessThanOrEqual(3 * days.size);
      }),
    );
  });
});
