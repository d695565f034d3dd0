import type { Logger } from 'pino';
import { applySetting } from '../admin/console/apply-setting.ts';
import { ChangeNotShared, type Tuning } from '../admin/console/tuning.ts';
import type { BaseConfig } from '../config/config.ts';
import { BASE_SETTINGS, type BaseKey } from '../config/settings.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import type { Shared } from '../processes/serving.ts';
import type { Bucket } from './bucket.ts';

/** The name of the bucket with settings that were changed while the cluster runs: `BASE.KEY`, a whole number. */
export const SETTINGS_BUCKET = 'jur_settings';

/** A setting of a base that was changed in some console. */
export interface SharedSetting {
  readonly base: Base;
  readonly key: BaseKey;
  readonly value: number;
}

/** Settings that hold in the whole cluster, in place of those of each process. */
export class SharedSettings {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** Of those there are, what is a setting and in its bounds. */
  all(): SharedSetting[] {
    return BASES.flatMap((base) =>
      BASE_SETTINGS.flatMap(({ key, min, max }) => {
        const text = this.#bucket.entries.get(`${base}.${key}`)?.text ?? '';
        const value = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
        return value >= min && value <= max ? [{ base, key, value }] : [];
      }),
    );
  }

  /** A base's settings with those of the cluster in their place. */
  over(base: Base, settings: BaseConfig): BaseConfig {
    const changed = this.all().filter((one) => one.base === base);
    return { ...settings, ...Object.fromEntries(changed.map(({ key, value }) => [key, value])) };
  }

  /** @throws where the broker does not answer. */
  async set({ base, key, value }: SharedSetting): Promise<void> {
    const text = String(value);
    await this.#bucket.change(`${base}.${key}`, (known) => (known === text ? null : text));
  }

  onChange(listener: () => void): void {
    this.#bucket.onChange(listener);
  }
}

/** Settings of a base that a front has for itself; the others are its nodes'. */
const OF_FRONTS: ReadonlySet<BaseKey> = new Set(['relevance_ms', 'recency_ms', 'count_ms', 'record_ms']);

/** A change in the console of a front becomes the cluster's first, and then holds here. Nodes take theirs from there. */
export function shareChanges(settings: SharedSettings): NonNullable<Shared['change']> {
  return (here) => async (base, changed, key) => {
    const value = changed[key];
    try {
      await settings.set({ base, key, value });
    } catch (error) {
      throw new ChangeNotShared(error instanceof Error ? error.message : String(error));
    }
    return OF_FRONTS.has(key) ? here(base, changed, key) : value;
  };
}

/** Has a front’s settings follow those that were changed in any console. */
export function followSettings(settings: SharedSettings, tuning: Tuning, log: Pick<Logger, 'error'>): void {
  const follow = async () => {
    for (const { base, key, value } of settings.all()) {
      if (tuning.current[base][key] !== value) await tuning.change(base, key, value);
    }
  };
  const start = () => {
    follow().catch((error: unknown) => {
      log.error({ err: error }, 'settings of the cluster not taken');
    });
  };
  start();
  settings.onChange(start);
}

type Changeable = Pick<AskedBase, 'changeThreads' | 'changeQueueMax' | 'changeResultCacheMb'>;

/** Has the bases of a node follow them. @param start the settings that the bases run with. */
export function followOnNode(
  settings: SharedSettings,
  bases: ReadonlyMap<Base, Changeable>,
  start: Readonly<Record<Base, BaseConfig>>,
  log: Pick<Logger, 'info' | 'error'>,
): void {
  const current = { ...start };
  let working: Promise<void> = Promise.resolve();
  const take = async ({ base, key, value }: SharedSetting) => {
    const actor = bases.get(base);
    if (actor === undefined || OF_FRONTS.has(key) || current[base][key] === value) return;
    const changed = { ...current[base], [key]: value };
    const inForce = await applySetting(actor, NO_WINDOWS, { base, settings: changed, key });
    current[base] = { ...changed, [key]: inForce };
    if (inForce === value) log.info({ base, setting: key, value }, 'setting of the cluster taken');
    else log.error({ base, setting: key, value, in_force: inForce }, 'setting of the cluster not taken');
  };
  const takeAll = async (before: Promise<void>) => {
    await before;
    for (const setting of settings.all()) {
      try {
        await take(setting);
      } catch (error) {
        log.error({ ...setting, err: error }, 'setting of the cluster not taken');
      }
    }
  };
  settings.onChange(() => {
    working = takeAll(working);
  });
}

/** A node has no windows. */
const NO_WINDOWS = { changeWindows: () => undefined };
