import { expect, test } from 'vitest';
import { IpLimit } from '../../src/http/ip-limit.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

test('the per-IP limit allows its number of requests in a window that begins with the first, and gives the rest of it', async () => {
  const clock = new SimulatedClock();
  // At 0 the library takes an entry for one without an age.
  await clock.advance(1);
  const limit = new IpLimit(2, 10, clock);
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
