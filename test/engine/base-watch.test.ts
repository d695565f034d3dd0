import { describe, expect, test } from 'vitest';
import { BaseWatch, WATCH_EVERY_MS } from '../../src/engine/base-watch.ts';
import type { DataVersion } from '../../src/engine/data-version.ts';
import type { FileState } from '../../src/engine/port.ts';
import { runningClock, settle } from '../support/simulated-clock.ts';

function watched() {
  const clock = runningClock();
  const base = { isUp: false, file: { fault: null, identity: 'a' } as FileState };
  const faults: string[] = [];
  const probes: (() => void)[] = [];
  const watch = new BaseWatch({
    clock,
    port: { checkFile: () => Promise.resolve(base.file) },
    isUp: () => base.isUp,
    probe: () => new Promise<void>((resolve) => probes.push(resolve)),
    onFault: (detail) => faults.push(detail),
  });
  watch.start();
  return { clock, base, faults, probes, watch };
}

describe('the watch of a base', () => {
  test('sends no second probe before the first has its answer', async () => {
    const { clock, probes } = watched();
    await clock.advance(5 * WATCH_EVERY_MS);
    expect(probes).toHaveLength(1);
    probes[0]?.();
    await settle();
    await clock.advance(WATCH_EVERY_MS);
    expect(probes).toHaveLength(2);
  });

  test('reports a fault at each check even without an answer to a probe, and nothing after it is closed', async () => {
    const { clock, base, faults, watch } = watched();
    base.file = { fault: 'gone', identity: 'a' };
    await clock.advance(3 * WATCH_EVERY_MS);
    expect(faults).toEqual(['gone', 'gone', 'gone']);
    watch.close();
    await clock.advance(3 * WATCH_EVERY_MS);
    expect(faults).toHaveLength(3);
  });
});

function versions() {
  const clock = runningClock();
  const probes: ((version: DataVersion | null) => void)[] = [];
  const version: BaseWatch = new BaseWatch({
    clock,
    port: {},
    isUp: () => true,
    probe: async () => {
      const sentAt = clock.now();
      const { promise, resolve } = Promise.withResolvers<DataVersion | null>();
      probes.push(resolve);
      const named = await promise;
      // A refused probe names none.
      if (named !== null) version.note(named, sentAt);
    },
    onFault: () => undefined,
  });
  return { clock, version, probes };
}

const A = { state: 'a', name: '1-a' };
const B = { state: 'b', name: '2-b' };

describe('the data version', () => {
  test('is taken from the latest reply for 100 ms, without a probe', async () => {
    const { clock, version, probes } = versions();
    version.note(A, clock.now());
    await clock.advance(99);
    expect(version.version()).toBe(A);
    version.note(B, clock.now());
    expect(version.version()).toBe(B);
    expect(probes).toHaveLength(0);
  });

  test('is that of the latest request, whichever reply comes last', async () => {
    const { clock, version } = versions();
    await clock.advance(50);
    version.note(B, clock.now());
    version.note(A, clock.now() - 10);
    expect(version.version()).toBe(B);
  });

  test('is waited for no longer than the sender waits', async () => {
    const { version } = versions();
    const sender = new AbortController();
    const answer = version.version(sender.signal);
    sender.abort();
    await settle();
    expect(await answer).toBeNull();
  });
});
