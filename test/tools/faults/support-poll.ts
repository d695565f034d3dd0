import { afterAll, beforeAll, expect } from 'vitest';
import { bePatient } from '../../support/patience.ts';

export { randomNumbers as seeded } from '../../../src/tools/load/random.ts';

const POLL_MS = 5;
/** Longer than the longest rest of a pool between two tries, and than any machine that is merely busy. */
const POLL_MS_MAX = 120_000;

/** Waits until the condition holds. @throws after a bound, with what was waited for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  everyMs = POLL_MS,
): Promise<void> {
  const end = performance.now() + POLL_MS_MAX;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${POLL_MS_MAX} ms in vain until ${what}`);
    await Bun.sleep(everyMs);
  }
}

const TRIES_MAX = 6;

/**
 * Expects that one of a few attempts takes at most so long: a busy machine is slow now and then, slow code each time.
 * @param attempt gets its number, from 0, and returns its milliseconds.
 */
export async function expectWithin(ms: number, attempt: (at: number) => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < TRIES_MAX && least > ms; at += 1) least = Math.min(least, await attempt(at));
  expect(least).toBeLessThanOrEqual(ms);
}

/** Waits until the condition holds. @returns for how long, milliseconds. */
export async function msUntil(...[what, condition]: Parameters<typeof until>): Promise<number> {
  const since = performance.now();
  await until(what, condition);
  return performance.now() - since;
}

/**
 * For the head of a test file: its tests may take as long as a busy machine makes them, and no promise of the
 * process may be rejected with nobody to hear it.
 */
export function expectNoUnhandledRejection(): void {
  bePatient();
  const heard: string[] = [];
  const hear = (reason: unknown) => heard.push(String(reason));
  beforeAll(() => {
    process.on('unhandledRejection', hear);
  });
  afterAll(() => {
    process.off('unhandledRejection', hear);
    expect(heard).toEqual([]);
  });
}
