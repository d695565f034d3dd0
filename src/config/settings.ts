import { bug } from '../bug.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';

/**
 * Every setting: its name in `config.toml`, and its default. The variable in the environment is the name in capital letters.
 * docs/settings.md says what each is for, and a test keeps the names and defaults there equal to these.
 */
interface WholeSetting {
  readonly key: string;
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}
interface TextSetting {
  readonly key: string;
  /** A list if the setting is a list. */
  readonly fallback: string | readonly string[];
  readonly choices?: readonly string[];
  /** Never shown, not even when it is wrong. */
  readonly secret?: true;
}
export type Setting = WholeSetting | TextSetting;

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Settings of the service that count from its start. `DATA_DIR` is not among them, because the file is in that folder. */
const START_SETTINGS = withVariables([
  { key: 'host', fallback: '127.0.0.1' },
  { key: 'port', fallback: 3000, min: 0, max: 65_535 },
  { key: 'admin_host', fallback: '127.0.0.1' },
  { key: 'admin_port', fallback: 3001, min: 0, max: 65_535 },
  { key: 'admin_token', fallback: '', secret: true },
  { key: 'demo', fallback: 1, min: 0, max: 1 },
  { key: 'log_level', fallback: 'info', choices: LOG_LEVELS },
  { key: 'slow_ms', fallback: 500, min: 0, max: 600_000 },
  { key: 'search_log', fallback: '' },
  { key: 'quota_per_day', fallback: 1_000_000, min: 1, max: 1_000_000_000 },
  { key: 'ip_requests', fallback: 20_000, min: 1, max: 100_000_000 },
  { key: 'ip_window_s', fallback: 1, min: 1, max: 3_600 },
  { key: 'trusted_proxies', fallback: [] },
  { key: 'idle_timeout_s', fallback: 30, min: 1, max: 255 },
  { key: 'shutdown_ms', fallback: 5_000, min: 0, max: 60_000 },
  { key: 'share_port', fallback: 0, min: 0, max: 1 },
  { key: 'nats_url', fallback: [] },
  { key: 'nats_creds', fallback: '' },
  { key: 'nats_ca', fallback: '' },
  { key: 'nats_cert', fallback: '' },
  { key: 'nats_key', fallback: '' },
  { key: 'bases_url', fallback: '' },
  { key: 'stj_portal_url', fallback: 'https://dadosabertos.web.stj.jus.br' },
]);

/** Settings of the service that can also change while it runs, like those of a base. */
const LIVE_SERVICE_SETTINGS = withVariables([
  { key: 'expensive_at_once', fallback: 0, min: 0, max: 256 },
  { key: 'result_cache_mb', fallback: 48, min: 0, max: 65_536 },
]);
export const SERVICE_SETTINGS = [...START_SETTINGS, ...LIVE_SERVICE_SETTINGS] as const;

/** Settings of a base; `[bases]` sets them for all six, `[bases.tst]` for one. */
export const BASE_SETTINGS = withVariables([
  { key: 'threads', fallback: 2, min: 1, max: 64 },
  { key: 'queue_max', fallback: 512, min: 1, max: 1_000_000 },
  { key: 'relevance_ms', fallback: 1_500, min: 1, max: 60_000 },
  { key: 'recency_ms', fallback: 1_000, min: 1, max: 60_000 },
  { key: 'count_ms', fallback: 150, min: 0, max: 60_000 },
  { key: 'record_ms', fallback: 2_000, min: 1, max: 60_000 },
]);

export type BaseKey = (typeof BASE_SETTINGS)[number]['key'];
export const BASE_KEYS: readonly BaseKey[] = BASE_SETTINGS.map(({ key }) => key);

/** What has settings that can change while it runs: a base, or the whole service. */
export const PLACES = [...BASES, 'servico'] as const;
export type Place = (typeof PLACES)[number];
type ServiceKey = (typeof LIVE_SERVICE_SETTINGS)[number]['key'];
export type LiveKey = BaseKey | ServiceKey;
/** Something for each setting that can change. */
export type Live<T> = Readonly<Record<Base, Readonly<Record<BaseKey, T>>>> & {
  readonly servico: Readonly<Record<ServiceKey, T>>;
};

export function liveSettings(place: Place): readonly (WholeSetting & { readonly key: LiveKey })[] {
  return place === 'servico' ? LIVE_SERVICE_SETTINGS : BASE_SETTINGS;
}

/** @param key of a setting that the place has. */
export function liveAt<T>(all: Live<T>, place: Place, key: LiveKey): T {
  const ofPlace: Readonly<Partial<Record<LiveKey, T>>> = all[place];
  return ofPlace[key] ?? bug(`${place} has no ${key}`);
}

export const DATA_DIR_DEFAULT = './data';

function withVariables<const S extends readonly Setting[]>(settings: S) {
  const named = settings.map((setting) => ({ ...setting, env: setting.key.toUpperCase() }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same settings in the same order
  return named as unknown as { readonly [I in keyof S]: S[I] & { readonly env: string } };
}
