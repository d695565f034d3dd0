import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { counterName, dayOfTime, MemoryCounters, type Counters } from '../../src/shared/counters.ts';
import { SharedQuota } from '../../src/shared/quota.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';

const PEERS = 3;
const today = (key: string) => counterName(dayOfTime(new Date()), key);

/** The same counters as each of three askers has them. */
function places(): readonly Counters[] {
  const counters = new MemoryCounters();
  return Array.from({ length: PEERS }, () => counters);
}

describe('counters of one process', () => {
  expectNoUnhandledRejection();

  test('count each addition once, and return a different value to each adder', async () => {
    const all = places();
    const values = await Promise.all(
      Array.from({ length: 90 }, async (_none, at) => all[at % PEERS]!.add(today('a'), 1, `id-${at}`)),
    );
    expect(values.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 90 }, (_none, at) => at + 1),
    );
    expect(await all[1]!.add(today('a'), -40, 'back')).toBe(50);
    expect(await Promise.all(all.map(async (one) => one.read(today('a'))))).toEqual([50, 50, 50]);
    expect(await all[2]!.read(today('b'))).toBe(0);
    expect(await all[0]!.add(today('b'), 0, 'none')).toBe(0);
  });

  test('grant a quota exactly over all processes, each unit once', async () => {
    const breaks: string[] = [];
    const all = places();
    const quotas = all.map(
      (counters) =>
        new SharedQuota({
          clock: systemClock,
          counters,
          peers: () => PEERS,
          onBreak: (_isBroken, reason) => breaks.push(reason),
        }),
    );
    const states = await Promise.all(
      Array.from({ length: 900 }, async (_none, at) => quotas[at % PEERS]!.charge('k', 300)),
    );
    const granted = states.filter((state) => state.granted);
    expect(breaks).toEqual([]);
    expect(granted).toHaveLength(300);
    expect(new Set(granted.map(({ remaining }) => remaining)).size).toBe(300);
    await until('refused charges are given back', async () => (await all[0]!.read(today('k'))) === 300);
    expect(await quotas[0]!.peek('k', 300)).toMatchObject({ remaining: 0, limit: 300 });
    expect(await quotas[1]!.peek('other', 7)).toMatchObject({ granted: true, remaining: 7 });
    for (const quota of quotas) quota.close();
  });
});

test('counters in memory keep the last three days', () => {
  const counters = new MemoryCounters();
  for (const day of [1, 2, 3, 4, 5]) counters.add(counterName(day, 'a'), 1);
  expect([1, 2, 3, 4, 5].map((day) => counters.read(counterName(day, 'a')))).toEqual([0, 0, 1, 1, 1]);
});
