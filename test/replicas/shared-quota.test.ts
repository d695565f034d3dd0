import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Counters } from '../../src/replicas/counters.ts';
import { QUOTA_BREAK_MS, SharedQuota } from '../../src/replicas/shared-quota.ts';
import { quotaOfThisProcess, type QuotaState } from '../../src/shared/quota.ts';
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
  test('is renewed at the next UTC midnight', async () => {
    const clock = new SimulatedClock('2026-03-10T22:00:00Z');
    const quota = quotaOfThisProcess(clock);
    expect(quota.charge('a', 1)).toMatchObject({ granted: true, resetSeconds: 7200 });
    await clock.advance(2 * HOUR_MS - 1);
    expect(quota.charge('a', 1)).toMatchObject({ granted: false, resetSeconds: 1 });
    await clock.advance(1);
    expect(quota.charge('a', 1)).toMatchObject({ granted: true, resetSeconds: 86_400 });
  });

  test.each([2, 5 * 365])('is counted for the right day after a clock was %i days ahead', (days) => {
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

  test('counts a granted unit once, whether the failed addition had counted or not', async () => {
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

  test('asks them once a second while they do not answer, however many charges failed', async () => {
    const clock = new SimulatedClock();
    const add = vi.fn(() => Promise.reject(new Error('no answer')));
    const { quota } = quotaOver({ add, read: () => Promise.resolve(0) }, clock);
    await Promise.all(['a', 'b', 'c'].map((key) => Promise.resolve(quota.charge(key, 9))));
    for (const calls of [4, 5, 6]) {
      await clock.advance(QUOTA_BREAK_MS);
      expect(add).toHaveBeenCalledTimes(calls);
    }
    quota.close();
  });

  test('grants no more than the known rest while they do not answer', async () => {
    const counters = lossy();
    const { quota } = quotaOver(counters, new SimulatedClock());
    for (let spent = 0; spent < 20; spent += 1) await quota.charge('k', 50);
    counters.loses = true;
    let granted = 0;
    for (let asked = 0; asked < 100; asked += 1) if ((await quota.charge('k', 50)).granted) granted += 1;
    expect(granted).toBe(30);
  });

  test('counts units granted while earlier ones are being added', async () => {
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

  test('starts each day at zero, even if a charge of the day before is answered later', async () => {
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

  test('sends nothing after it is closed', async () => {
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

describe('the quota of a busy key, over counters that answer later', () => {
  /** So many processes with one clock, the charges counted so far, and the messages that took. */
  function processes(count: number, clock = new SimulatedClock()) {
    const values = new Map<string, number>();
    const all = {
      values,
      messages: 0,
      answers: Promise.resolve(),
      get counted() {
        return [...values.values()].reduce((sum, value) => sum + value, 0);
      },
    };
    /** The first one alone may get no answer, which the others may know. */
    const net = { cut: false, silent: 0 };
    const countersOf = (at: number): Counters => ({
      read: (name) => Promise.resolve(values.get(name) ?? 0),
      add: (name, units) => {
        if (net.cut && at === 0) return Promise.reject(new Error('no answer'));
        all.messages += 1;
        const value = (values.get(name) ?? 0) + units;
        values.set(name, value);
        return all.answers.then(() => value);
      },
    });
    const make = (_: unknown, at: number) =>
      new SharedQuota({
        clock,
        counters: countersOf(at),
        peers: () => count,
        silent: () => (at === 0 ? 0 : net.silent),
      });
    return { clock, all, net, quotas: Array.from({ length: count }, make) };
  }

  test('is reserved ahead, shown to the unit, and returned unused after a second or at the end', async () => {
    const { clock, all, quotas } = processes(1);
    const [quota] = quotas as [SharedQuota];
    for (let at = 1; at <= 1_000; at += 1) {
      expect(await quota.charge('k', 100_000)).toMatchObject({ granted: true, remaining: 100_000 - at });
      await clock.advance(1);
    }
    expect(all.messages).toBeLessThan(150);
    expect(await quota.peek('k', 100_000)).toMatchObject({ remaining: 99_000 });
    await clock.advance(1_000);
    expect(all.counted).toBe(1_000);
    for (let at = 0; at < 250; at += 1) await quota.charge('k', 100_000);
    expect(all.counted).toBeGreaterThan(1_250);
    quota.close();
    expect(all.counted).toBe(1_250);
  });

  test('is counted charge by charge while charges come singly', async () => {
    const { clock, all, quotas } = processes(1);
    for (let at = 1; at <= 20; at += 1) {
      await quotas[0]?.charge('k', 100_000);
      expect(all.counted).toBe(at);
      await clock.advance(250);
    }
  });

  const grantsOf = async (quota: SharedQuota | undefined, charges: number, limit: number) => {
    const states = await Promise.all(Array.from({ length: charges }, async () => quota!.charge('k', limit)));
    return states.filter(({ granted }) => granted).length;
  };

  test('is not exceeded by units reserved before other processes were seen', async () => {
    const { quotas } = processes(2);
    const [a, b] = quotas;
    expect((await grantsOf(a, 100, 1_000)) + (await grantsOf(b, 895, 1_000))).toBe(995);
    let granted = 0;
    for (let at = 0; at < 20; at += 1) granted += await grantsOf(a, 1, 1_000);
    expect(granted).toBe(5);
  });

  test('is not granted from units reserved yesterday', async () => {
    const clock = new SimulatedClock('2026-03-10T23:59:59.500Z');
    const { all, quotas } = processes(1, clock);
    await grantsOf(quotas[0], 100, 10_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    all.answers = promise;
    const late = grantsOf(quotas[0], 1, 10_000);
    await clock.advance(600);
    const first = grantsOf(quotas[0], 1, 10_000);
    resolve();
    await Promise.all([late, first]);
    for (let at = 1; at < 30; at += 1) await grantsOf(quotas[0], 1, 10_000);
    await clock.advance(2_000);
    expect([...all.values.values()]).toEqual([101, 30]);
  });

  test('that two processes granted in parts is not granted again when they count one after the other', async () => {
    const clock = new SimulatedClock();
    const silent = [false, false];
    const all = { counted: 0 };
    const quotas = silent.map((_, at) => {
      const add = (units: number) => {
        all.counted += units;
        return all.counted;
      };
      const counters: Counters = {
        read: () => Promise.resolve(all.counted),
        add: async (_name, units) => {
          if (silent[at] === true) throw new Error('no answer');
          return Promise.resolve(add(units));
        },
      };
      return new SharedQuota({ clock, counters, peers: () => 2 });
    });
    const [a, b] = quotas;
    let granted = (await grantsOf(a, 10, 100)) + (await grantsOf(b, 10, 100)) + (await grantsOf(a, 1, 100));
    // Each knows what the other has used.
    await b?.peek('k', 100);
    silent.fill(true);
    granted += (await grantsOf(a, 30, 100)) + (await grantsOf(b, 60, 100));
    silent[0] = false;
    await clock.advance(QUOTA_BREAK_MS);
    expect(a?.fault).toMatch(/keeps to its part/u);
    granted += await grantsOf(a, 100, 100);
    expect(granted).toBeGreaterThan(90);
    expect(granted).toBeLessThanOrEqual(100);
    silent[1] = false;
    await clock.advance(6_000);
    expect(all.counted).toBe(granted);
    expect(a?.fault).toBe('');
    granted += await grantsOf(b, 100, 100);
    expect(granted).toBe(100);
  });

  test('is not exceeded while a process that nobody hears grants its own part, nor when it is heard again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ who: fc.nat(2), charges: fc.nat(6) }), { minLength: 60, maxLength: 200 }),
        fc.integer({ min: 0, max: 30 }),
        async (steps, cutAt) => {
          const limit = 300;
          const { clock, all, quotas, net } = processes(3);
          let granted = 0;
          for (const [at, { who, charges }] of steps.entries()) {
            if (at === cutAt) {
              // A part is of what each saw remain at its own last charge, so the first one has just seen it.
              granted += await grantsOf(quotas[0], 1, limit);
              net.cut = true;
            }
            // The entry of the unheard one is 5 s old, and read within two more.
            if (at === cutAt + 14) net.silent = 1;
            granted += await grantsOf(quotas[who], charges, limit);
            await clock.advance(500);
            expect(granted).toBeLessThanOrEqual(limit);
          }
          net.cut = false;
          await clock.advance(6_000);
          net.silent = 0;
          for (let at = 0; at < 300 && granted < limit; at += 1) {
            granted += await grantsOf(quotas[at % 3], 10, limit);
            await clock.advance(500);
          }
          await clock.advance(3_000);
          expect([granted, all.counted]).toEqual([limit, limit]);
        },
      ),
      { numRuns: 200, endOnFailure: true },
    );
  });

  test('is never exceeded, and fully granted in the end, for any order of charges', async () => {
    const step = fc.record({
      who: fc.nat(2),
      charges: fc.nat(60),
      ms: fc.constantFrom(0, 1, 20, 300, 1_500),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 1_500 }),
        async (steps, limit) => {
          const { clock, all, quotas } = processes(3);
          let granted = 0;
          const charge = async (who: number, charges: number) => {
            const states = await Promise.all(
              Array.from({ length: charges }, async () => quotas[who]!.charge('k', limit)),
            );
            granted += states.filter((state) => state.granted).length;
            expect(granted).toBeLessThanOrEqual(limit);
          };
          for (const { who, charges, ms } of steps) {
            await charge(who, charges);
            await clock.advance(ms);
          }
          await clock.advance(3_000);
          expect(all.counted).toBe(granted);
          for (let at = 0; at < 200; at += 1) {
            if (granted === limit) break;
            await charge(0, 50);
            await clock.advance(1_500);
          }
          expect(granted).toBe(limit);
          await charge(1, 10);
          await clock.advance(3_000);
          expect(all.counted).toBe(limit);
        },
      ),
      { numRuns: 40 },
    );
  });
});
