import { describe, expect, test } from 'vitest';
import { BaseWatch, WATCH_EVERY_MS } from '../../src/engine/base-watch.ts';
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

function versions() {
  const clock = runningClock();
  const probes: ((version: string | null) => void)[] = [];
  const version: BaseWatch = new BaseWatch({
    clock,
    port: {},
    isUp: () => true,
    probe: async () => {
      const sentAt = clock.now();
      const { promise, resolve } = Promise.withResolvers<string | null>();
      probes.push(resolve);
      const named = await promise;
      // A refused probe names none.
      if (named !== null) version.note(named, sentAt);
    },
    onFault: () => undefined,
  });
  return { clock, version, probes };
}

describe('the data version', () => {
  test('is for 100 ms what the latest reply named, which no probe must confirm', async () => {
    const { clock, version, probes } = versions();
    version.note('a', clock.now());
    await clock.advance(99);
    const areCurrent = () => Promise.all(['a', 'b', undefined].map((one) => version.isCurrent(one)));
    expect(await areCurrent()).toEqual([true, false, false]);
    version.note('b', clock.now());
    expect(await areCurrent()).toEqual([false, true, false]);
    expect(probes).toHaveLength(0);
  });

  test('is that of the reply asked for last, whichever comes last', async () => {
    const { clock, version } = versions();
    await clock.advance(50);
    version.note('b', clock.now());
    version.note('a', clock.now() - 10);
    expect(await version.isCurrent('b')).toBe(true);
  });

  test('is waited for no longer than the sender waits', async () => {
    const { version } = versions();
    const sender = new AbortController();
    const answer = version.isCurrent('a', sender.signal);
    sender.abort();
    await settle();
    expect(await answer).toBe(false);
  });
});
