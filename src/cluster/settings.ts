import type { BaseConfig } from '../config/config.ts';
import { BASE_SETTINGS, type BaseKey } from '../config/settings.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import type { Bucket } from './bucket.ts';

/** The name of the bucket with settings that were changed while the cluster runs: `BASE.KEY`, a whole number. */
export const SETTINGS_BUCKET = 'jur_settings';
const WRITES_MAX = 10;

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
    const place = `${base}.${key}`;
    for (let writes = 0; writes < WRITES_MAX; writes += 1) {
      const entry = this.#bucket.entries.get(place);
      if (entry?.text === String(value)) return;
      if (await this.#bucket.put(place, String(value), entry?.revision ?? 0)) return;
      await this.#bucket.look();
    }
    throw new Error(`${place} could not be written: others write to it all the time`);
  }

  onChange(listener: () => void): void {
    this.#bucket.onChange(listener);
  }
}
