import { describe, expect, test } from 'vitest';
import { Tuning, settingsAt } from '../../src/admin/console/tuning.ts';
import type { BaseConfig } from '../../src/config/config.ts';
import { readConfig } from '../../src/config/config.ts';
import { Node } from '../../src/cluster/nodes.ts';
import {
  TakenSettings,
  followOnNode,
  followSettings,
  settingsOver,
  shareChanges,
  shareSetting,
  type SettingsBucket,
} from '../../src/cluster/settings.ts';
import type { Value } from '../../src/shared/values.ts';
import { settle, SimulatedClock } from '../support/simulated-clock.ts';
import { STATUS_UP } from './small-cluster.ts';

const NO_LOG = { error: () => undefined };

/** The settings of a cluster. */
function sharedSettings() {
  const entries = new Map<string, Value>();
  const listeners: (() => void)[] = [];
  const writes: string[] = [];
  let revision = 0;
  const settings: SettingsBucket = {
    entries,
    get readTo() {
      return revision;
    },
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
    revision += 1;
    entries.set(key, { text: String(value), revision });
    for (const listener of listeners) listener();
  };
  return { settings, change, writes };
}

/** A front with its tuning; changes that it applies wait until `go`. */
function front() {
  const { settings, change, writes } = sharedSettings();
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

test('a node applies, within their bounds, the settings of its bases that fronts do not, and reports what a base refuses', async () => {
  const { settings, change } = sharedSettings();
  const applied: string[] = [];
  const actor = {
    changeThreads: (count: number) => Promise.resolve(Math.min(count, 2)),
    changeQueueMax: (count: number) => applied.push(`queue_max ${count}`),
    changeResultCacheMb: () => {
      throw new Error('no memory');
    },
  };
  const taken = new TakenSettings();
  const faults: object[] = [];
  followOnNode(settings, new Map([['stj', actor]]), readConfig({}).bases, {
    taken,
    changeExpensive: (count) => applied.push(`expensive ${count}`),
    onTaken: () => applied.push(`to ${taken.to}`),
    log: { info: () => undefined, error: (fault: object) => faults.push(fault) },
  });
  await settle();
  const { min = 0, max = 0 } = settingsAt('stj').find(({ key }) => key === 'queue_max') ?? {};
  for (const [key, value] of [
    ['stj.queue_max', min],
    ['stj.queue_max', max],
    ['stj.queue_max', max + 1],
    ['stj.relevance_ms', 1_000],
    ['tst.queue_max', min],
    ['servico.expensive_at_once', 4],
  ] as const) {
    change(key, value);
    await settle();
  }
  const changes = applied.filter((one) => !one.startsWith('to'));
  expect(changes).toEqual([`queue_max ${min}`, `queue_max ${max}`, 'expensive 4']);
  expect([applied.at(-1), faults, taken.refused.get('stj')]).toEqual(['to 6', [], []]);
  change('stj.threads', 3);
  change('stj.result_cache_mb', 9);
  await settle();
  expect(taken.refused.get('stj')).toEqual([
    { key: 'threads', value: 3, reason: 'ficou com 2: as novas threads não iniciaram' },
    { key: 'result_cache_mb', value: 9, reason: 'no memory' },
  ]);
  change('stj.threads', 2);
  await settle();
  expect(taken.refused.get('stj')).toMatchObject([{ key: 'result_cache_mb' }]);
});

test('a change in a console waits for the live nodes of the base, and names those that do not handle or refuse it', async () => {
  const { settings } = sharedSettings();
  const clock = new SimulatedClock();
  const node = new Node('n1');
  const share = shareChanges(settings, { liveOf: () => [node] }, clock)(() => Promise.reject(new Error()));
  const change = (threads: number) => share('stj', { ...readConfig({}).bases.stj, threads }, 'threads');
  const waiting = change(3);
  await clock.advance(40);
  node.settingsTo = 1;
  await clock.advance(20);
  await expect(waiting).resolves.toBe(3);
  const silent = expect(change(4)).rejects.toThrow('n1 não confirmou em 15 s');
  await clock.advance(15_020);
  await silent;
  node.settingsTo = 9;
  const refused = [{ key: 'threads' as const, value: 5, reason: 'ficou com 2' }];
  node.bases.set('stj', { status: STATUS_UP, late: false, toldAt: 0, refused });
  await expect(change(5)).rejects.toThrow('n1 ficou com 2');
  await expect(change(6)).resolves.toBe(6);
});
