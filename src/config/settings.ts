import { bug } from '../bug.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';

/**
 * Every setting: its name in `config.toml`, its default and its effect. The variable in the environment is the name in capital
 * letters. The tables of docs/settings.md are this list, and a test keeps them equal.
 */
interface Described {
  readonly key: string;
  readonly help: string;
}
interface WholeSetting extends Described {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}
interface TextSetting extends Described {
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
  { key: 'host', fallback: '127.0.0.1', help: 'Address to listen on' },
  { key: 'port', fallback: 3000, min: 0, max: 65_535, help: 'Port to listen on; 0 takes a free one' },
  {
    key: 'admin_host',
    fallback: '127.0.0.1',
    help: 'Address of the admin listener; one beyond this machine needs a token',
  },
  {
    key: 'admin_port',
    fallback: 3001,
    min: 0,
    max: 65_535,
    help: 'Port of the admin listener; 0 takes a free one',
  },
  {
    key: 'admin_token',
    fallback: '',
    secret: true,
    help: 'Asked for on every route of the admin listener; at least 16 characters',
  },
  {
    key: 'demo',
    fallback: 1,
    min: 0,
    max: 1,
    help: '1: the first start of an empty folder makes a demo, with a key; 0: it makes none',
  },
  { key: 'log_level', fallback: 'info', choices: LOG_LEVELS, help: 'Lowest level of log lines to show' },
  {
    key: 'slow_ms',
    fallback: 500,
    min: 0,
    max: 600_000,
    help: 'Requests that take this long are logged with what each base did, milliseconds; 0: none',
  },
  {
    key: 'search_log',
    fallback: '',
    help: 'File that records each search and read, for load tests; it shows what users search. Empty: none',
  },
  {
    key: 'quota_per_day',
    fallback: 1_000_000,
    min: 1,
    max: 1_000_000_000,
    help: 'Searches and record reads a key may make in one UTC day, unless the key has its own',
  },
  {
    key: 'ip_requests',
    fallback: 20_000,
    min: 1,
    max: 100_000_000,
    help: 'Requests that one IP address (IPv6: one /64) may make in a window',
  },
  { key: 'ip_window_s', fallback: 1, min: 1, max: 3_600, help: 'Length of that window, seconds' },
  {
    key: 'trusted_proxies',
    fallback: [],
    help: 'Addresses or CIDR ranges whose X-Forwarded-For is believed, separated by commas',
  },
  {
    key: 'idle_timeout_s',
    fallback: 30,
    min: 1,
    max: 255,
    help: 'Seconds after which an idle connection is closed; never before the longest windows are over',
  },
  {
    key: 'shutdown_ms',
    fallback: 5_000,
    min: 0,
    max: 60_000,
    help: 'Longest wait for running requests when the service stops, milliseconds',
  },
  {
    key: 'share_port',
    fallback: 0,
    min: 0,
    max: 1,
    help: '1: replicas of one host listen on one `PORT`, each with an `ADMIN_PORT` of its own; Linux',
  },
  {
    key: 'nats_url',
    fallback: [],
    help: 'NATS servers by which replicas share, `nats://HOST:4222`, all of them, separated by commas',
  },
  {
    key: 'nats_creds',
    fallback: '',
    help: 'File of the credentials for NATS: an NKey seed or a `.creds` file',
  },
  {
    key: 'nats_ca',
    fallback: '',
    help: 'File of the certificate authority that signed the servers’ certificates; turns TLS on',
  },
  {
    key: 'nats_cert',
    fallback: '',
    help: 'File of the certificate that this process shows to NATS, where it asks for one',
  },
  { key: 'nats_key', fallback: '', help: 'File of the private key of that certificate' },
  {
    key: 'bases_url',
    fallback: '',
    help: 'Where published base files are followed: a folder, http(s)://… or s3://BUCKET/PATH; empty: nowhere',
  },
  {
    key: 'stj_portal_url',
    fallback: 'https://dadosabertos.web.stj.jus.br',
    help: 'The STJ’s open data portal, from which `sync` loads; it asks no other origin',
  },
]);

/** Settings of the service that can also change while it runs, like those of a base. */
const LIVE_SERVICE_SETTINGS = withVariables([
  {
    key: 'expensive_at_once',
    fallback: 0,
    min: 0,
    max: 256,
    help: 'Expensive searches that run at once, in all bases; 0: one fewer than processors, at least 1',
  },
  {
    key: 'result_cache_mb',
    fallback: 48,
    min: 0,
    max: 65_536,
    help: 'Memory for pages and records that are asked for again, MB; 0: no cache',
  },
]);
export const SERVICE_SETTINGS = [...START_SETTINGS, ...LIVE_SERVICE_SETTINGS] as const;

/** Settings of a base; `[bases]` sets them for all six, `[bases.tst]` for one. */
export const BASE_SETTINGS = withVariables([
  {
    key: 'threads',
    fallback: 2,
    min: 1,
    max: 64,
    help: 'Threads of the pool; of several, expensive searches leave one to the others',
  },
  {
    key: 'queue_max',
    fallback: 512,
    min: 1,
    max: 1_000_000,
    help: 'Requests that may wait for a thread; more are refused as overload',
  },
  {
    key: 'relevance_ms',
    fallback: 1_500,
    min: 1,
    max: 60_000,
    help: 'Window for relevance, milliseconds, the queue included',
  },
  { key: 'recency_ms', fallback: 1_000, min: 1, max: 60_000, help: 'Window for recency after it' },
  { key: 'count_ms', fallback: 150, min: 0, max: 60_000, help: 'Window for counting on the first page' },
  { key: 'record_ms', fallback: 2_000, min: 1, max: 60_000, help: 'Window for reading one record' },
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

export interface LiveSetting extends WholeSetting {
  readonly key: LiveKey;
}

export function liveSettings(place: Place): readonly LiveSetting[] {
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
