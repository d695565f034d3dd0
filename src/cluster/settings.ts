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
import { SERVICE, type BaseKey } from '../config/settings.ts';
import { forEachOf } from '../contract/records.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import type { Clock } from '../clock.ts';
import type { Serving, Shared } from '../processes/serving.ts';
import { explain } from '../process/fail.ts';
import type { Bucket } from './bucket.ts';
import type { Beat } from './messages.ts';
import type { Node, Nodes } from './nodes.ts';

/** Longest wait of a front for nodes to handle a setting, longer than `RESIZE_MS_MAX`; and the polling interval. */
const SETTING_TAKEN_MS_MAX = 15_000;
const SETTING_TAKEN_LOOK_MS = 20;

/** The bucket of settings changed while the cluster runs: `BASE.KEY` or `servico.KEY`, a whole number. */
export const SETTINGS_BUCKET = 'jur_settings';

/** A setting of a base, or of the whole service, changed in a console. */
interface SharedSetting {
  readonly base: Place;
  readonly key: LiveKey;
  readonly value: number;
}

export type SettingsBucket = Pick<Bucket, 'entries' | 'readTo' | 'change' | 'onChange'>;

function settingsIn({ entries }: SettingsBucket): SharedSetting[] {
  return PLACES.flatMap((base) =>
    settingsAt(base).flatMap(({ key, min, max }) => {
      const text = entries.get(`${base}.${key}`)?.text ?? '';
      const value = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? [{ base, key, value }] : [];
    }),
  );
}

/** A process's settings, overridden by the cluster's. */
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

/** Applies a setting in the whole cluster. @throws ChangeNotShared unless the broker answers. */
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

/** A base's settings that fronts apply; nodes apply all other settings. */
const OF_FRONTS: ReadonlySet<LiveKey> = new Set(['relevance_ms', 'recency_ms', 'count_ms', 'record_ms']);

/**
 * Stores a change of a front in the cluster, then applies it here; nodes read it from the cluster.
 * @throws ChangeNotShared; ChangeRefused that names the nodes that refused it.
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

/** Waits until every live node of the base has handled a setting. @returns which nodes refused it, and why. */
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

/** Applies settings changed in any console to this front. @param here applies one in this process. */
export function followSettings(
  bucket: SettingsBucket,
  tuning: Tuning,
  here: Serving['change'],
  log: Pick<Logger, 'error'>,
): void {
  // Fronts run no searches.
  const applied = { apply: onFront(here), applyService: () => Promise.resolve() };
  followAll(bucket, log, async ({ base, key, value }) => {
    if (tuning.valueOf(base, key) !== value) await tuning.follow(base, key, value, applied);
  });
}

/** A front only records the value of a setting that nodes apply. */
function onFront(here: Serving['change']): Serving['change'] {
  return (base, changed, key) =>
    OF_FRONTS.has(key) ? here(base, changed, key) : Promise.resolve(changed[key]);
}

type Refused = NonNullable<Beat['refused']>[number];
const REASON_LENGTH_MAX = 500;

/** Results of applying the cluster's settings on a node. */
export class TakenSettings {
  /** The revision up to which they are handled. */
  to = 0;
  /** By base, the settings that it could not apply. */
  readonly refused = new Map<Base, Refused[]>();

  /** @param reason why the base could not apply it, for the operator; empty if it could. */
  note(base: Base, { key, value, reason }: Refused): void {
    const others = (this.refused.get(base) ?? []).filter((one) => one.key !== key);
    const refused = { key, value, reason: reason.slice(0, REASON_LENGTH_MAX) };
    this.refused.set(base, reason === '' ? others : [...others, refused]);
  }
}

interface FollowParts {
  readonly taken: TakenSettings;
  readonly changeExpensive: (setting: number) => void;
  /** Called once all known settings are handled. */
  readonly onTaken: () => void;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

type Changeable = Pick<AskedBase, 'changeThreads' | 'changeQueueMax' | 'changeResultCacheMb'>;
/** Nodes have no windows. */
const NO_WINDOWS = { changeWindows: () => undefined };

/** Applies settings to a node's bases. @param start the bases' current settings. */
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
    const setting = { key: key as BaseKey, value };
    try {
      taken.note(base, { ...setting, reason: await take(base, setting.key, value) });
    } catch (error) {
      taken.note(base, { ...setting, reason: explain(error) });
      throw error;
    }
  };
  followAll(bucket, log, takeAndNote, (to) => {
    taken.to = to;
    onTaken();
  });
}

/** Applies all settings now and after each change, one pass at a time, so that the latest values win. */
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
