import { describe, expect, test } from 'vitest';
import { Tuning } from '../../src/admin/console/tuning.ts';
import type { BaseConfig } from '../../src/config/config.ts';
import { readConfig } from '../../src/config/config.ts';
import {
  followSettings,
  settingsOver,
  shareChanges,
  shareSetting,
  type SettingsBucket,
} from '../../src/cluster/settings.ts';
import type { Value } from '../../src/shared/values.ts';
import { settle, SimulatedClock } from '../support/simulated-clock.ts';

const NO_LOG = { error: () => undefined };

/** A front with its tuning; changes that it applies wait until `go`. */
function front() {
  const entries = new Map<string, Value>();
  const listeners: (() => void)[] = [];
  const writes: string[] = [];
  const settings: SettingsBucket = {
    entries,
    readTo: 0,
    change: (key, next) => {
      const text = next(entries.get(key)?.text ?? null);
      if (text !== null) {
        writes.push(`${key}=${text}`);
        change(key, Number(text));
      }
      return Promise.resolve(text !== null);
    },
    onChange: (listener) => listeners.push(listener),
  };
  const change = (key: string, value: number) => {
    entries.set(key, { text: String(value), revision: entries.size + 1 });
    for (const listener of listeners) listener();
  };
  const held: (() => void)[] = [];
  const here = (_: unknown, changed: BaseConfig, key: keyof BaseConfig) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    held.push(() => {
      resolve(changed[key]);
    });
    return promise;
  };
  const config = readConfig({});
  const clock = new SimulatedClock();
  const tuning = new Tuning({
    clock,
    start: config,
    restart: () => config,
    apply: shareChanges(settings, { liveOf: () => [] }, clock)(here),
    applyService: (key, value) => shareSetting(settings, { base: 'servico', key, value }),
  });
  followSettings(settings, tuning, here, NO_LOG);
  const go = async () => {
    await settle();
    while (held.length > 0) {
      held.shift()?.();
      await settle();
    }
  };
  return { change, settings, tuning, writes, go };
}

describe('a front that follows the settings of its cluster', () => {
  test('writes none of them back, and ends with the latest of each', async () => {
    const { change, tuning, writes, go } = front();
    change('stj.relevance_ms', 1_000);
    change('tst.relevance_ms', 1_000);
    await settle();
    // While the first is being applied.
    change('tst.relevance_ms', 2_000);
    change('stj.relevance_ms', 3_000);
    change('tst.threads', 3);
    await go();
    expect(tuning.current.stj.relevance_ms).toBe(3_000);
    expect(tuning.current.tst).toMatchObject({ relevance_ms: 2_000, threads: 3 });
    expect(writes).toEqual([]);
  });

  test('writes what is changed in its own console, once', async () => {
    const { settings, tuning, writes, go } = front();
    const changing = tuning.change('stj', 'relevance_ms', 1_000);
    await go();
    await expect(changing).resolves.toMatchObject({ para: 1_000 });
    expect(tuning.current.stj.relevance_ms).toBe(1_000);
    expect(writes).toEqual(['stj.relevance_ms=1000']);
    await expect(tuning.change('servico', 'expensive_at_once', 4)).resolves.toMatchObject({ de: 0, para: 4 });
    expect(settingsOver(settings, readConfig({})).expensive_at_once).toBe(4);
    expect(writes).toEqual(['stj.relevance_ms=1000', 'servico.expensive_at_once=4']);
  });
});
