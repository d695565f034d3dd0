import { describe, expect, test } from 'vitest';
import { WATCH_EVERY_MS } from '../../src/config/limits.ts';
import { BaseWatch } from '../../src/engine/base-watch.ts';
import type { Look } from '../../src/engine/port.ts';
import { runningClock, settle } from '../support/simulated-clock.ts';

function watched() {
  const clock = runningClock();
  const base = { isUp: false, look: { fault: null, identity: 'a' } as Look };
  const faults: string[] = [];
  const probes: (() => void)[] = [];
  const watch = new BaseWatch({
    clock,
    port: { look: () => Promise.resolve(base.look) },
    isUp: () => base.isUp,
    probe: () => new Promise<void>((resolve) => probes.push(resolve)),
    onFault: (detail) => faults.push(detail),
  });
  watch.start();
  return { clock, base, faults, probes, watch };
}

describe('the watch of a base', () => {
  test('sends no second probe while one has no answer, and another once it has', async () => {
    const { clock, probes } = watched();
    await clock.advance(5 * WATCH_EVERY_MS);
    expect(probes).toHaveLength(1);
    probes[0]?.();
    await settle();
    await clock.advance(WATCH_EVERY_MS);
    expect(probes).toHaveLength(2);
  });

  test('probes a base that is up only when another file stands at its place', async () => {
    const { clock, base, probes } = watched();
    base.isUp = true;
    await clock.advance(WATCH_EVERY_MS);
    probes[0]?.();
    await settle();
    await clock.advance(5 * WATCH_EVERY_MS);
    expect(probes).toHaveLength(1);
    base.look = { fault: null, identity: 'b' };
    await clock.advance(5 * WATCH_EVERY_MS);
    expect(probes).toHaveLength(2);
  });

  test('reports a fault at each check though no probe is answered, and nothing once it is closed', async () => {
    const { clock, base, faults, watch } = watched();
    base.look = { fault: 'gone', identity: 'a' };
    await clock.advance(3 * WATCH_EVERY_MS);
    expect(faults).toEqual(['gone', 'gone', 'gone']);
    watch.close();
    await clock.advance(3 * WATCH_EVERY_MS);
    expect(faults).toHaveLength(3);
  });
});
