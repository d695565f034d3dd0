import { describe, expect, test } from 'vitest';
import { IpLimit } from '../../src/http/ip-limit.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

async function start(requests: number, windowSeconds: number) {
  const clock = new SimulatedClock();
  // At 0 the library takes an entry for one without an age.
  await clock.advance(1);
  return { clock, limit: new IpLimit(requests, windowSeconds, clock) };
}

describe('the count behind the per-IP limit', () => {
  test('lets so many pass in a window that begins with the first, and says how long it lasts', async () => {
    const { clock, limit } = await start(2, 10);
    expect(limit.refuse('a')).toBeNull();
    await clock.advance(4_000);
    expect(limit.refuse('a')).toBeNull();
    expect(limit.refuse('a')).toBe(6);
    await clock.advance(5_500);
    expect(limit.refuse('a')).toBe(1);
    await clock.advance(501);
    expect(limit.refuse('a')).toBeNull();
    expect(limit.refuse('a')).toBeNull();
    expect(limit.refuse('a')).toBe(10);
  });

  test('is each client’s own', async () => {
    const { limit } = await start(1, 10);
    expect(limit.refuse('a')).toBeNull();
    expect(limit.refuse('b')).toBeNull();
    expect([limit.refuse('a'), limit.refuse('b')]).toEqual([10, 10]);
  });
});
