import { describe, expect, test } from 'vitest';
import { BaseHealth, NOT_LOADED } from '../../src/engine/health.ts';
import { done, failed } from '../../src/engine/outcome.ts';
import { runningClock } from '../support/simulated-clock.ts';

const ANSWER = done({ kind: 'read' as const, rows: [], generation: 1, docs: 1 });
const FAULT = failed('unavailable', 'no base file');

function start() {
  const clock = runningClock();
  const changes: string[] = [];
  const health = new BaseHealth(clock, (state, detail) => changes.push(`${state} ${detail}`.trim()));
  return { clock, health, changes };
}

describe('the health of a base', () => {
  test('is unknown until the first answer or fault, and reported at each change', () => {
    const { health, changes } = start();
    expect(health.current).toEqual({ state: 'unknown', detail: '' });
    health.note([ANSWER]);
    expect(health.current.state).toBe('up');
    expect(changes).toEqual([]);
    health.note([FAULT]);
    health.note([failed('unavailable', 'not a database')]);
    expect(changes).toEqual(['down no base file']);
    expect(health.current).toEqual({ state: 'down', detail: 'not a database' });
    health.note([ANSWER, ANSWER]);
    expect(changes).toEqual(['down no base file', 'up']);
    expect(health.current).toEqual({ state: 'up', detail: '' });
  });

  test('is reported down once more with the cause if at first a thread only took too long to load', () => {
    const { health, changes } = start();
    const slow = failed('unavailable', NOT_LOADED);
    health.note([slow, slow, FAULT, failed('unavailable', 'not a database'), slow, FAULT]);
    expect(changes).toEqual([`down ${NOT_LOADED}`, 'down no base file']);
  });

  test('does not change by a request that is no fault of the base', () => {
    const { health, changes } = start();
    health.note([ANSWER]);
    health.note([failed('deadline'), failed('overloaded'), failed('abandoned'), null]);
    expect(health.current.state).toBe('up');
    expect(changes).toEqual([]);
  });

  test('returns to up after a quiet time that doubles with each flap, up to a minute', async () => {
    const { clock, health } = start();
    health.note([ANSWER, FAULT]);
    health.note([ANSWER]);
    expect(health.current.state).toBe('up');
    for (const quietMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      health.note([FAULT]);
      await clock.advance(quietMs - 1);
      health.note([ANSWER]);
      expect(health.current.state, `after ${quietMs - 1} ms`).toBe('down');
      await clock.advance(1);
      health.note([ANSWER]);
      expect(health.current.state, `after ${quietMs} ms`).toBe('up');
    }
  });

  test('returns to up at once if the last fault was over a minute ago', async () => {
    const { clock, health } = start();
    health.note([ANSWER, FAULT, ANSWER, FAULT]);
    await clock.advance(1_000);
    health.note([ANSWER]);
    await clock.advance(60_000);
    health.note([FAULT, ANSWER]);
    expect(health.current.state).toBe('up');
  });
});
