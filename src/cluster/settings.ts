import type { Logger } from 'pino';
import { applySetting } from '../admin/console/apply-setting.ts';
import {
  ChangeNotShared,
  ChangeRefused,
  PLACES,
  settingsAt,
  type LiveKey,
  type Place,
  type Tuning,
} from '../admin/console/tuning.ts';
import type { BaseConfig } from '../config/config.ts';
import { SERVICE, type BaseKey } from '../config/settings.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import type { Serving, Shared } from '../processes/serving.ts';
import { explain } from '../process/fail.ts';
import type { Bucket } from './bucket.ts';
import type { TakenSettings } from './taken-settings.ts';

/** The name of the bucket with settings that were changed while the cluster runs: `BASE.KEY` or `servico.KEY`, a whole number. */
export const SETTINGS_BUCKET = 'jur_settings';

/** A setting of a base, or of all of the service, that was changed in some console. */
export interface SharedSetting {
  readonly base: Place;
  readonly key: LiveKey;
  readonly value: number;
}

/** What is asked of a bucket. */
type Kept = Pick<Bucket, 'entries' | 'readTo' | 'change' | 'onChange'>;

/** Settings that hold in the whole cluster, in place of those of each process. */
export class SharedSettings {
  readonly #bucket: Kept;

  constructor(bucket: Kept) {
    this.#bucket = bucket;
  }

  /** Of those there are, what is a setting and in its bounds. */
  all(): SharedSetting[] {
    return PLACES.flatMap((base) =>
      settingsAt(base).flatMap(({ key, min, max }) => {
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

  /** How many expensive searches run at once. @param own where the cluster has no setting of it. */
  expensiveAtOnce(own: number): number {
    return this.all().find(({ base }) => base === SERVICE)?.value ?? own;
  }

  /** @throws ChangeNotShared where the broker does not answer. */
  async set({ base, key, value }: SharedSetting): Promise<void> {
    const text = String(value);
    try {
      await this.#bucket.change(`${base}.${key}`, (known) => (known === text ? null : text));
    } catch (error) {
      throw new ChangeNotShared(error instanceof Error ? error.message : String(error));
    }
  }

  /** When one was set, among all changes. */
  revisionOf({ base, key }: Pick<SharedSetting, 'base' | 'key'>): number {
    return this.#bucket.entries.get(`${base}.${key}`)?.revision ?? 0;
  }

  /** Up to which revision all are known here. */
  get readTo(): number {
    return this.#bucket.readTo;
  }

  onChange(listener: () => void): void {
    this.#bucket.onChange(listener);
  }
}

/** Settings of a base that a front has for itself; the others are its nodes'. */
const OF_FRONTS: ReadonlySet<LiveKey> = new Set(['relevance_ms', 'recency_ms', 'count_ms', 'record_ms']);

/**
 * A change in the console of a front becomes the cluster's first, and then holds here. Nodes take theirs from there.
 * @param refusals waits for the nodes, and says which did not take it. @throws ChangeNotShared, ChangeRefused.
 */
export function shareChanges(
  settings: SharedSettings,
  refusals: (
    setting: { base: Base; key: BaseKey; value: number },
    revision: number,
  ) => Promise<readonly string[]>,
): NonNullable<Shared['change']> {
  return (here) => async (base, changed, key) => {
    const setting = { base, key, value: changed[key] };
    await settings.set(setting);
    const refused = OF_FRONTS.has(key) ? [] : await refusals(setting, settings.revisionOf(setting));
    if (refused.length === 0) return onFront(here)(base, changed, key);
    throw new ChangeRefused(
      `${key} = ${setting.value} vale para a base ${base}, mas não em todos os nós: ${refused.join('; ')}; ` +
        'veja o log desses nós e escolha outro valor',
    );
  };
}

/** Has a front’s settings follow those that were changed in any console. @param here applies one in this process. */
export function followSettings(
  settings: SharedSettings,
  tuning: Tuning,
  here: Serving['change'],
  log: Pick<Logger, 'error'>,
): void {
  // A front runs no search itself.
  const applied = { apply: onFront(here), applyService: () => Promise.resolve() };
  followAll(settings, log, async ({ base, key, value }) => {
    if (tuning.valueOf(base, key) !== value) await tuning.follow(base, key, value, applied);
  })();
}

/** What is its nodes' is only noted. */
function onFront(here: Serving['change']): Serving['change'] {
  return (base, changed, key) =>
    OF_FRONTS.has(key) ? here(base, changed, key) : Promise.resolve(changed[key]);
}

interface FollowParts {
  readonly taken: TakenSettings;
  readonly changeExpensive: (setting: number) => void;
  readonly onTaken: () => void;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

type Changeable = Pick<AskedBase, 'changeThreads' | 'changeQueueMax' | 'changeResultCacheMb'>;

/**
 * Has the bases of a node follow them. @param start the settings that the bases run with. @param taken notes what became of
 * them. @param onTaken called when all that are known were dealt with.
 */
export function followOnNode(
  settings: SharedSettings,
  bases: ReadonlyMap<Base, Changeable>,
  start: Readonly<Record<Base, BaseConfig>>,
  { taken, changeExpensive, onTaken, log }: FollowParts,
): void {
  const current = { ...start };
  const take = async (base: Base, key: BaseKey, value: number) => {
    const actor = bases.get(base);
    if (actor === undefined || OF_FRONTS.has(key) || current[base][key] === value) return '';
    const changed = { ...current[base], [key]: value };
    const inForce = await applySetting(actor, NO_WINDOWS, { base, settings: changed, key });
    current[base] = { ...changed, [key]: inForce };
    if (inForce === value) log.info({ base, setting: key, value }, 'setting of the cluster taken');
    else log.error({ base, setting: key, value, in_force: inForce }, 'setting of the cluster not taken');
    return inForce === value ? '' : `ficou com ${inForce}: as novas threads não iniciaram`;
  };
  const takeAndNote = async ({ base, key, value }: SharedSetting) => {
    if (base === SERVICE) {
      changeExpensive(value);
      return;
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a base has no other setting
    const setting = { base, key: key as BaseKey, value };
    try {
      taken.note(setting, await take(base, setting.key, value));
    } catch (error) {
      taken.note(setting, explain(error));
      throw error;
    }
  };
  // Some may have come since the start.
  followAll(settings, log, takeAndNote, (to) => {
    taken.to = to;
    onTaken();
  })();
}

/** Has each setting taken whenever they change, one time after the other: what is taken last is what holds. @returns does it now. */
function followAll(
  settings: SharedSettings,
  log: Pick<Logger, 'error'>,
  take: (setting: SharedSetting) => Promise<void>,
  onTaken: (to: number) => void = () => undefined,
): () => void {
  let working: Promise<void> = Promise.resolve();
  const takeAll = async (before: Promise<void>) => {
    await before;
    const to = settings.readTo;
    for (const setting of settings.all()) {
      try {
        await take(setting);
      } catch (error) {
        log.error({ ...setting, err: error }, 'setting of the cluster not taken');
      }
    }
    onTaken(to);
  };
  const follow = () => {
    working = takeAll(working);
  };
  settings.onChange(follow);
  return follow;
}

/** A node has no windows. */
const NO_WINDOWS = { changeWindows: () => undefined };
