/**
 * Every setting: its name in `config.toml`, its variable in the environment, its default, and what it does.
 * The tables of docs/settings.md are this list, and a test keeps them equal.
 */
export interface WholeSetting {
  readonly kind: 'whole';
  readonly key: string;
  readonly env: string;
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly help: string;
}
export interface TextSetting {
  readonly kind: 'text';
  readonly key: string;
  readonly env: string;
  readonly fallback: string;
  readonly choices?: readonly string[];
  /** Never shown, not even when it is wrong. */
  readonly secret?: true;
  readonly help: string;
}
export interface ListSetting {
  readonly kind: 'list';
  readonly key: string;
  readonly env: string;
  readonly fallback: readonly string[];
  readonly help: string;
}
export type Setting = WholeSetting | TextSetting | ListSetting;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** What a process of the service is: all of it, or a part of a cluster. */
export const ROLES = ['all', 'front', 'base'] as const;
export type Role = (typeof ROLES)[number];

/** Settings of the service. `DATA_DIR` is not among them, because the file is in that folder. */
export const SERVICE_SETTINGS = [
  { kind: 'text', key: 'host', env: 'HOST', fallback: '127.0.0.1', help: 'Address to listen on' },
  {
    kind: 'whole',
    key: 'port',
    env: 'PORT',
    fallback: 3000,
    min: 0,
    max: 65_535,
    help: 'Port to listen on; 0 takes a free one',
  },
  {
    kind: 'text',
    key: 'admin_host',
    env: 'ADMIN_HOST',
    fallback: '127.0.0.1',
    help: 'Address of the admin listener; one beyond this machine needs a token',
  },
  {
    kind: 'whole',
    key: 'admin_port',
    env: 'ADMIN_PORT',
    fallback: 3001,
    min: 0,
    max: 65_535,
    help: 'Port of the admin listener; 0 takes a free one',
  },
  {
    kind: 'text',
    key: 'admin_token',
    env: 'ADMIN_TOKEN',
    fallback: '',
    secret: true,
    help: 'Asked for on every route of the admin listener; at least 16 characters',
  },
  {
    kind: 'whole',
    key: 'demo',
    env: 'DEMO',
    fallback: 1,
    min: 0,
    max: 1,
    help: '1: the first start of an empty folder makes a demo, with a key; 0: it makes none',
  },
  {
    kind: 'text',
    key: 'log_level',
    env: 'LOG_LEVEL',
    fallback: 'info',
    choices: LOG_LEVELS,
    help: 'Lowest level of log lines to show',
  },
  {
    kind: 'whole',
    key: 'slow_ms',
    env: 'SLOW_MS',
    fallback: 500,
    min: 0,
    max: 600_000,
    help: 'Requests that take this long are logged with what each base did, milliseconds; 0: none',
  },
  {
    kind: 'whole',
    key: 'quota_per_day',
    env: 'QUOTA_PER_DAY',
    fallback: 1_000_000,
    min: 1,
    max: 1_000_000_000,
    help: 'Searches and record reads a key may make in one UTC day, unless the key has its own',
  },
  {
    kind: 'whole',
    key: 'ip_requests',
    env: 'IP_REQUESTS',
    fallback: 20_000,
    min: 1,
    max: 100_000_000,
    help: 'Requests that one IP address (IPv6: one /64) may make in a window',
  },
  {
    kind: 'whole',
    key: 'ip_window_s',
    env: 'IP_WINDOW_S',
    fallback: 1,
    min: 1,
    max: 3_600,
    help: 'Length of that window, seconds',
  },
  {
    kind: 'list',
    key: 'trusted_proxies',
    env: 'TRUSTED_PROXIES',
    fallback: [],
    help: 'Addresses or CIDR ranges whose X-Forwarded-For is believed, separated by commas',
  },
  {
    kind: 'whole',
    key: 'idle_timeout_s',
    env: 'IDLE_TIMEOUT_S',
    fallback: 30,
    min: 1,
    max: 255,
    help: 'Seconds after which an idle connection is closed; never before the longest windows are over',
  },
  {
    kind: 'whole',
    key: 'shutdown_ms',
    env: 'SHUTDOWN_MS',
    fallback: 5_000,
    min: 0,
    max: 60_000,
    help: 'Longest wait for requests under way when the service is told to stop, milliseconds',
  },
  {
    kind: 'whole',
    key: 'processes',
    env: 'PROCESSES',
    fallback: 1,
    min: 1,
    max: 256,
    help: 'Processes that serve, each with threads of its own; several need Linux',
  },
  {
    kind: 'text',
    key: 'role',
    env: 'ROLE',
    fallback: 'all',
    choices: ROLES,
    help: 'all: the whole service, no broker; front: HTTP without base files; base: base files without HTTP',
  },
  {
    kind: 'list',
    key: 'nats_url',
    env: 'NATS_URL',
    fallback: [],
    help: 'NATS servers of the cluster, `nats://HOST:4222`, separated by commas; fronts and bases need one',
  },
  {
    kind: 'text',
    key: 'nats_creds',
    env: 'NATS_CREDS',
    fallback: '',
    help: 'File of the credentials for NATS: an NKey seed or a `.creds` file',
  },
  {
    kind: 'text',
    key: 'nats_ca',
    env: 'NATS_CA',
    fallback: '',
    help: 'File of the certificate authority that signed the servers’ certificates; turns TLS on',
  },
  {
    kind: 'text',
    key: 'nats_cert',
    env: 'NATS_CERT',
    fallback: '',
    help: 'File of the certificate that this process shows to others, where they ask for one',
  },
  {
    kind: 'text',
    key: 'nats_key',
    env: 'NATS_KEY',
    fallback: '',
    help: 'File of the private key of that certificate',
  },
  {
    kind: 'text',
    key: 'node_name',
    env: 'NODE_NAME',
    fallback: '',
    help: 'Name of this process in the cluster, unlike any other; without it the host’s name',
  },
  {
    kind: 'list',
    key: 'bases_served',
    env: 'BASES_SERVED',
    fallback: [],
    help: 'Bases that a process with `ROLE=base` serves, separated by commas; none: all six',
  },
  {
    kind: 'text',
    key: 'files_host',
    env: 'FILES_HOST',
    fallback: '127.0.0.1',
    help: 'Address at which `bun run files` serves published base files to nodes',
  },
  {
    kind: 'whole',
    key: 'files_port',
    env: 'FILES_PORT',
    fallback: 3002,
    min: 0,
    max: 65_535,
    help: 'Port of the same; 0 takes a free one',
  },
  {
    kind: 'text',
    key: 'files_url',
    env: 'FILES_URL',
    fallback: '',
    help: 'Where nodes reach these files, `https://HOST:3002`; `bun run publish` needs it',
  },
] as const satisfies readonly Setting[];

/** Settings that each base has; `[bases]` sets them for all six, `[bases.tst]` for one. */
export const BASE_SETTINGS = [
  {
    kind: 'whole',
    key: 'threads',
    env: 'THREADS',
    fallback: 2,
    min: 1,
    max: 64,
    help: 'Threads of the pool; of several, expensive searches leave one to the others',
  },
  {
    kind: 'whole',
    key: 'queue_max',
    env: 'QUEUE_MAX',
    fallback: 512,
    min: 1,
    max: 1_000_000,
    help: 'Requests that may wait for a thread; more are refused as overload',
  },
  {
    kind: 'whole',
    key: 'result_cache_mb',
    env: 'RESULT_CACHE_MB',
    fallback: 8,
    min: 0,
    max: 4_096,
    help: 'Memory for the result cache, MB; 0: no cache',
  },
  {
    kind: 'whole',
    key: 'relevance_ms',
    env: 'RELEVANCE_MS',
    fallback: 1_500,
    min: 1,
    max: 60_000,
    help: 'Window for relevance, milliseconds, the queue included',
  },
  {
    kind: 'whole',
    key: 'recency_ms',
    env: 'RECENCY_MS',
    fallback: 1_000,
    min: 1,
    max: 60_000,
    help: 'Window for recency after it',
  },
  {
    kind: 'whole',
    key: 'count_ms',
    env: 'COUNT_MS',
    fallback: 150,
    min: 0,
    max: 60_000,
    help: 'Window for counting on the first page',
  },
  {
    kind: 'whole',
    key: 'record_ms',
    env: 'RECORD_MS',
    fallback: 2_000,
    min: 1,
    max: 60_000,
    help: 'Window for reading one record',
  },
] as const satisfies readonly WholeSetting[];

export type BaseKey = (typeof BASE_SETTINGS)[number]['key'];
export const DATA_DIR_DEFAULT = './data';
