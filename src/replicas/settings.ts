import type { Logger } from 'pino';
import { ChangeNotShared, type Tuning } from '../admin/console/tuning.ts';
import { liveAt, liveSettings, PLACES, type LiveKey, type Place } from '../config/settings.ts';
import { explain } from '../process/fail.ts';
import type { SharedSettings } from '../serving.ts';
import type { Bucket } from './bucket.ts';

/** The place of settings in the bucket: `settings.BASE.KEY`, a whole number. */
export const SETTINGS = 'settings';

interface SharedSetting {
  readonly base: Place;
  readonly key: LiveKey;
  readonly value: number;
}

/** Settings that a console changes on all replicas. One that this replica cannot apply is taken back on all. */
export function settingsOver(bucket: Bucket, log: Pick<Logger, 'error'>): SharedSettings {
  return {
    apply: (here) => async (base, key, value) => {
      await share(bucket, { base, key, value });
      const inForce = await here(base, key, value);
      if (inForce !== value) await share(bucket, { base, key, value: inForce });
      return inForce;
    },
    follow: (tuning, here) => {
      let working: Promise<void> = Promise.resolve();
      const take = async (before: Promise<void>) => {
        await before;
        for (const setting of settingsIn(bucket)) await follow(tuning, setting, here, log);
      };
      const takeAll = () => {
        working = take(working);
      };
      bucket.onChange(takeAll);
      takeAll();
    },
  };
}

async function follow(
  tuning: Tuning,
  { base, key, value }: SharedSetting,
  here: Parameters<Tuning['follow']>[3],
  log: Pick<Logger, 'error'>,
): Promise<void> {
  if (liveAt(tuning.current, base, key) === value) return;
  const result = await tuning
    .follow(base, key, value, here)
    .catch((error: unknown) => ({ erro: explain(error) }));
  if ('erro' in result && liveAt(tuning.current, base, key) !== value)
    log.error({ base, setting: key, value, reason: result.erro }, 'shared setting not applied here');
}

/** @throws ChangeNotShared unless NATS stores it. */
async function share(bucket: Bucket, { base, key, value }: SharedSetting): Promise<void> {
  const text = String(value);
  try {
    await bucket.change(`${SETTINGS}.${base}.${key}`, (known) => (known === text ? null : text));
  } catch (error) {
    throw new ChangeNotShared(explain(error));
  }
}

function settingsIn({ entries }: Pick<Bucket, 'entries'>): SharedSetting[] {
  return PLACES.flatMap((base) =>
    liveSettings(base).flatMap(({ key, min, max }) => {
      const text = entries.get(`${SETTINGS}.${base}.${key}`)?.text ?? '';
      const value = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? [{ base, key, value }] : [];
    }),
  );
}
