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
import type { BaseConfig, Config } from '../config/config.ts';
import { SETTING_TAKEN_LOOK_MS, SETTING_TAKEN_MS_MAX } from '../config/limits.ts';
import { SERVICE, type BaseKey } from '../config/settings.ts';
import { forEachOf } from '../contract/records.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import type { Clock } from '../engine/clock.ts';
import type { Serving, Shared } from '../processes/serving.ts';
import { explain } from '../process/fail.ts';
import type { Bucket } from './bucket.ts';
import type { Beat } from './messages.ts';
import type { Node, Nodes } from './nodes.ts';

/** The name of the bucket with settings that were changed while the cluster runs: `BASE.KEY` or `servico.KEY`, a whole number. */
export const SETTINGS_BUCKET = 'jur_settings';

/** A setting of a base, or of all of the service, that was changed in some console. */
interface SharedSetting {
  readonly base: Place;
  readonly key: LiveKey;
  readonly value: number;
}

export type SettingsBucket = Pick<Bucket, 'entries' | 'readTo' | 'change' | 'onChange'>;

/** The values of the bucket that are settings, and within their bounds. */
function settingsIn({ entries }: SettingsBucket): SharedSetting[] {
  return PLACES.flatMap((base) =>
    settingsAt(base).flatMap(({ key, min, max }) => {
      const text = entries.get(`${base}.${key}`)?.text ?? '';
      const value = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? [{ base, key, value }] : [];
    }),
  );
}

/** The settings of a process with those of the cluster in their place. */
export function settingsOver(
  bucket: SettingsBucket,
  own: Pick<Config, 'bases' | 'expensive_at_once'>,
): Pick<Config, 'bases' | 'expensive_at_once'> {
  const shared = settingsIn(bucket);
  const at = (place: Place) =>
    Object.fromEntries(shared.flatMap(({ base, key, value }) => (base === place ? [[key, value]] : [])));
  return {
    bases: forEachOf(BASES, (base) => ({ ...own.bases[base], ...at(base) })),
    expensive_at_once: own.expensive_at_once,
    ...at(SERVICE),
  };
}

/** Makes a setting hold in the whole cluster. @throws ChangeNotShared if the broker does not answer. */
export async function shareSetting(
  bucket: SettingsBucket,
  { base, key, value }: SharedSetting,
): Promise<void> {
  const text = String(value);
  try {
    await bucket.change(`${base}.${key}`, (known) => (known === text ? null : text));
  } catch (error) {
    throw new ChangeNotShared(error instanceof Error ? error.message : String(error));
  }
}

/** Settings of a base that a front has for itself; the others are its nodes'. */
const OF_FRONTS: ReadonlySet<LiveKey> = new Set(['relevance_ms', 'recency_ms', 'count_ms', 'record_ms']);

/**
 * A change in the console of a front becomes the cluster's first, and then holds here. Nodes take theirs from there.
 * @throws ChangeNotShared; ChangeRefused that names the nodes that did not take it.
 */
export function shareChanges(
  bucket: SettingsBucket,
  nodes: Pick<Nodes, 'liveOf'>,
  clock: Clock,
): NonNullable<Shared['change']> {
  return (here) => async (base, changed, key) => {
    const setting = { base, key, value: changed[key] };
    await shareSetting(bucket, setting);
    const revision = bucket.entries.get(`${base}.${key}`)?.revision ?? 0;
    const refused = OF_FRONTS.has(key) ? [] : await refusalsOf(nodes, clock, setting, revision);
    if (refused.length === 0) return onFront(here)(base, changed, key);
    throw new ChangeRefused(
      `${key} = ${setting.value} vale para a base ${base}, mas não em todos os nós: ${refused.join('; ')}; ` +
        'veja o log desses nós e escolha outro valor',
    );
  };
}

/** Waits until each live node of the base has dealt with a setting. @returns which did not take it, and why. */
async function refusalsOf(
  nodes: Pick<Nodes, 'liveOf'>,
  clock: Clock,
  { base, key, value }: { readonly base: Base; readonly key: BaseKey; readonly value: number },
  revision: number,
): Promise<readonly string[]> {
  const endAt = clock.now() + SETTING_TAKEN_MS_MAX;
  const isSilent = ({ settingsTo }: Node) => settingsTo < revision;
  while (nodes.liveOf(base).some(isSilent) && clock.now() < endAt)
    await new Promise<void>((resolve) => clock.after(SETTING_TAKEN_LOOK_MS, resolve));
  return nodes.liveOf(base).flatMap((node) => {
    if (isSilent(node)) return [`${node.name} não confirmou em ${SETTING_TAKEN_MS_MAX / 1_000} s`];
    const refused = node.bases.get(base)?.refused?.find((one) => one.key === key && one.value === value);
    return refused === undefined ? [] : [`${node.name} ${refused.reason}`];
  });
}

/** Has a front follow the settings that were changed in any console. @param here applies one in this process. */
export function followSettings(
  bucket: SettingsBucket,
  tuning: Tuning,
  here: Serving['change'],
  log: Pick<Logger, 'error'>,
): void {
  // A front runs no search itself.
  const applied = { apply: onFront(here), applyService: () => Promise.resolve() };
  followAll(bucket, log, async ({ base, key, value }) => {
    if (tuning.valueOf(base, key) !== value) await tuning.follow(base, key, value, applied);
  });
}

/** Of a setting of its nodes a front only notes the value. */
function onFront(here: Serving['change']): Serving['change'] {
  return (base, changed, key) =>
    OF_FRONTS.has(key) ? here(base, changed, key) : Promise.resolve(changed[key]);
}

type Refused = NonNullable<Beat['refused']>[number];
const REASON_LENGTH_MAX = 500;

/** What a node has made of the settings of its cluster. */
export class TakenSettings {
  /** Up to which revision it has dealt with them. */
  to = 0;
  readonly #refused = new Map<Base, Map<BaseKey, Refused>>();

  /** The settings that a base does not run with; undefined if none. */
  refused(base: Base): Refused[] | undefined {
    const known = this.#refused.get(base);
    return known === undefined || known.size === 0 ? undefined : [...known.values()];
  }

  /** @param reason why the base does not run with it, for the operator; empty if it does. */
  note({ base, key, value }: Omit<Refused, 'reason'> & { readonly base: Base }, reason: string): void {
    const known = this.#refused.get(base) ?? new Map<BaseKey, Refused>();
    this.#refused.set(base, known);
    if (reason === '') known.delete(key);
    else known.set(key, { key, value, reason: reason.slice(0, REASON_LENGTH_MAX) });
  }
}

interface FollowParts {
  readonly taken: TakenSettings;
  readonly changeExpensive: (setting: number) => void;
  /** Called when all known settings were dealt with. */
  readonly onTaken: () => void;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

type Changeable = Pick<AskedBase, 'changeThreads' | 'changeQueueMax' | 'changeResultCacheMb'>;
/** A node has no windows. */
const NO_WINDOWS = { changeWindows: () => undefined };

/** Has the bases of a node follow the settings. @param start the settings that the bases run with. */
export function followOnNode(
  bucket: SettingsBucket,
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
  followAll(bucket, log, takeAndNote, (to) => {
    taken.to = to;
    onTaken();
  });
}

/** Has each setting taken now and after each change, one time after the other, so that the latest ends in force. */
function followAll(
  bucket: SettingsBucket,
  log: Pick<Logger, 'error'>,
  take: (setting: SharedSetting) => Promise<void>,
  onTaken: (to: number) => void = () => undefined,
): void {
  let working: Promise<void> = Promise.resolve();
  const takeAll = async (before: Promise<void>) => {
    await before;
    const to = bucket.readTo;
    for (const setting of settingsIn(bucket)) {
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
  bucket.onChange(follow);
  follow();
}
