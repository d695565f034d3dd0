import { describe, expect, test } from 'vitest';
import { DataVersion } from '../../src/engine/data-version.ts';
import { runningClock } from '../support/simulated-clock.ts';

function start() {
  const clock = runningClock();
  const probes: ((version: string | null) => void)[] = [];
  const version: DataVersion = new DataVersion(clock, () => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    probes.push(resolve);
    return promise;
  });
  return { clock, version, probes };
}

describe('the data version', () => {
  test('is asked for once by all who come before the probe leaves and within 3 ms after', async () => {
    const { clock, version, probes } = start();
    const early = version.current();
    await clock.advance(10);
    const waiting = version.current();
    version.leave();
    await clock.advance(2);
    const late = version.current();
    probes[0]?.('a');
    expect(await Promise.all([early, waiting, late])).toEqual(['a', 'a', 'a']);
    expect(probes).toHaveLength(1);
  });

  test('is asked for again 3 ms after the probe has left, even before its answer', async () => {
    const { clock, version, probes } = start();
    const first = version.current();
    version.leave();
    await clock.advance(3);
    const second = version.current();
    version.leave();
    probes[0]?.('a');
    probes[1]?.('b');
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
  });

  test('is null when the base does not name it in 25 ms, and the next caller asks again', async () => {
    const { clock, version, probes } = start();
    const first = version.current();
    await clock.advance(24);
    const second = version.current();
    await clock.advance(1);
    expect(await Promise.all([first, second])).toEqual([null, null]);
    const third = version.current();
    expect(probes).toHaveLength(2);
    probes[1]?.('b');
    expect(await third).toBe('b');
  });

  test('counts its 3 ms from the first leaving', async () => {
    const { clock, version, probes } = start();
    void version.current();
    version.leave();
    await clock.advance(2);
    version.leave();
    await clock.advance(1);
    void version.current();
    expect(probes).toHaveLength(2);
  });
});
