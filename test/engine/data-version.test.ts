import { describe, expect, test } from 'vitest';
import { DataVersion } from '../../src/engine/data-version.ts';
import { runningClock, settle } from '../support/simulated-clock.ts';

function start() {
  const clock = runningClock();
  const probes: ((version: string | null) => void)[] = [];
  const version: DataVersion = new DataVersion(clock, async () => {
    const sentAt = clock.now();
    const { promise, resolve } = Promise.withResolvers<string | null>();
    probes.push(resolve);
    const named = await promise;
    // A refused probe names none.
    if (named !== null) version.note(named, sentAt);
  });
  return { clock, version, probes };
}

describe('the data version', () => {
  test('is for 100 ms what the latest reply named, which no probe must confirm', async () => {
    const { clock, version, probes } = start();
    version.note('a', clock.now());
    await clock.advance(99);
    expect([version.isCurrent('a'), version.isCurrent('b')]).toEqual([true, false]);
    version.note('b', clock.now());
    expect([version.isCurrent('a'), version.isCurrent('b')]).toEqual([false, true]);
    expect(version.isCurrent(undefined)).toBe(false);
    expect(probes).toHaveLength(0);
  });

  test('is asked for with one probe by all who want it later', async () => {
    const { clock, version, probes } = start();
    version.note('a', clock.now());
    await clock.advance(100);
    const answers = ['a', 'b'].map(async (named) => await version.isCurrent(named));
    probes[0]?.('b');
    expect(await Promise.all(answers)).toEqual([false, true]);
    expect(probes).toHaveLength(1);
    expect(version.isCurrent('b')).toBe(true);
  });

  test('is not known when the base does not name it in 25 ms', async () => {
    const { clock, version } = start();
    const answer = version.isCurrent('a');
    await clock.advance(25);
    expect(await answer).toBe(false);
  });

  test('is asked for again after a probe that was refused', async () => {
    const { version, probes } = start();
    const refused = version.isCurrent('a');
    probes[0]?.(null);
    expect(await refused).toBe(false);
    const again = version.isCurrent('a');
    probes[1]?.('a');
    expect(await again).toBe(true);
  });

  test('is that of the reply asked for last, whichever comes last', async () => {
    const { clock, version } = start();
    await clock.advance(50);
    version.note('b', clock.now());
    version.note('a', clock.now() - 10);
    expect(version.isCurrent('b')).toBe(true);
  });

  test('is waited for no longer than the sender waits', async () => {
    const { version } = start();
    const sender = new AbortController();
    const answer = version.isCurrent('a', sender.signal);
    sender.abort();
    await settle();
    expect(await answer).toBe(false);
  });
});
