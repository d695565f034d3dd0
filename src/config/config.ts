import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { TomlError, parse } from 'smol-toml';
import { PlainError, PlainErrors, explain } from '../process/fail.ts';
import { isHost, isLoopback, withoutBrackets } from '../process/listen.ts';
import { forEachOf } from '../contract/records.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import { makeFolder } from '../process/files.ts';
import { mistakesOfLive, unknownBaseKey, unknownKey, unknownVariable } from './names.ts';
import {
  BASE_SETTINGS,
  DATA_DIR_DEFAULT,
  SERVICE_SETTINGS,
  type BaseKey,
  type Live,
  type Setting,
} from './settings.ts';

export type BaseConfig = Readonly<Record<BaseKey, number>>;

type ValueOf<Fallback> = Fallback extends number
  ? number
  : Fallback extends string
    ? string
    : readonly string[];
type ServiceConfig = {
  readonly [S in (typeof SERVICE_SETTINGS)[number] as S['key']]: ValueOf<S['fallback']>;
};

/** The source of a setting: a variable, a key of `live.toml` or `config.toml`, or the default. */
export interface Source {
  readonly kind: 'environment' | 'live' | 'file' | 'default';
  /** As the operator writes it: `BASES_TST_THREADS`, `bases.tst.threads`. */
  readonly name: string;
}

/** The complete configuration, read once, checked and frozen. */
export interface Config extends ServiceConfig {
  readonly data_dir: string;
  readonly bases: Readonly<Record<Base, BaseConfig>>;
  readonly sources: Live<Source>;
  /** The environment at the start, so that a later read of the file combines it with the same variables. */
  readonly environment: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;
type Value = number | string | readonly string[];
type Table = Record<string, unknown>;

/** The data folder, for commands that need no other setting. */
export function dataFolder(env: Environment = process.env): string {
  return resolve(
    env['DATA_DIR'] === undefined || env['DATA_DIR'] === '' ? DATA_DIR_DEFAULT : env['DATA_DIR'],
  );
}

/** Creates the data folder if it is missing. @throws PlainError that names the setting, the folder and the fix. */
export function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    const isFile = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const reason = isFile ? 'a file stands where a folder is needed' : explain(error);
    throw new PlainError(`DATA_DIR: there can be no folder ${dataDir}: ${reason}; ${OTHER_FOLDER}`);
  }
}

const OTHER_FOLDER = 'set DATA_DIR to a folder that can be written';

/** Checks that the data folder can be written. @throws PlainError that names the folder and the fix. */
export function refuseUnwritable(dataDir: string, access = accessSync): void {
  try {
    access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const isReadOnly = error instanceof Error && 'code' in error && error.code === 'EROFS';
    const mend = isReadOnly
      ? 'its file system is read-only; mount it for writing'
      : `uid ${process.getuid?.()} may not; give it to that user with chown`;
    throw new PlainError(`DATA_DIR: ${dataDir} cannot be written: ${mend}, or ${OTHER_FOLDER}`);
  }
}

/** Folders of the commands. */
const FOLDERS = { demo: 'tools/demo', ingest: 'ingest', keys: 'keys' } as const;

/**
 * The command line of a command on this data folder. It uses npm only if this process was started with it: an image has
 * Bun alone.
 */
export function commandFor(dataDir: string, command: 'demo' | 'ingest' | 'keys', args: string): string {
  const setting = resolve(DATA_DIR_DEFAULT) === dataDir ? '' : `DATA_DIR=${quoted(dataDir)} `;
  const script = relative(process.cwd(), join(import.meta.dirname, '..', FOLDERS[command], 'command.ts'));
  const isScript = (process.env['npm_lifecycle_event'] ?? '') !== '';
  return `${setting}${isScript ? `npx --yes bun@1.4.5 run ${command}` : `bun ${script}`} ${args}`;
}

/** The same to issue a key, with what it needs to reach NATS. */
export function issueCommand(config: Pick<Config, 'data_dir' | (typeof NATS_SETTINGS)[number]>): string {
  const shared = NATS_SETTINGS.flatMap((key) => {
    const value = String(config[key]);
    return value === '' ? [] : [`${key.toUpperCase()}=${quoted(value)} `];
  });
  return shared.join('') + commandFor(config.data_dir, 'keys', 'issue NAME');
}
const NATS_SETTINGS = ['nats_url', 'nats_creds', 'nats_ca', 'nats_cert', 'nats_key'] as const;

/** Quoted as one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Reads the environment, `DATA_DIR/live.toml`, which the console writes, and `DATA_DIR/config.toml`; the first that sets
 * something wins, and of the last two what is set for one base wins over what is set for all.
 * @throws PlainError that lists all mistakes with their fixes.
 */
export function readConfig(env: Environment = process.env): Config {
  const errors: string[] = [];
  const data_dir = dataFolder(env);
  const file = join(data_dir, 'config.toml');
  const table = readToml(file, errors);
  const shared = tableAt(table, 'bases', 'bases', errors);
  const live = readToml(join(data_dir, 'live.toml'), errors);
  for (const mistake of mistakesOfLive(live)) errors.push(mistake);
  const liveBases = tableAt(live, 'bases', 'bases', errors, 'live.toml');
  for (const key of Object.keys(table)) report(unknownKey(key), errors);
  for (const key of Object.keys(shared)) report(unknownBaseKey('bases', key, BASES), errors);
  for (const name of Object.keys(env)) report(unknownVariable(name), errors);

  const { values: service, sources: servico } = readEach(
    SERVICE_SETTINGS,
    ({ key, env: name }) => [ofVariable(name, env), ofFile(live, key, '', 'live'), ofFile(table, key)],
    errors,
  );
  const named = Object.fromEntries(Object.entries(servico).map(([key, source]) => [key, nameOf(source)]));
  const read = forEachOf(BASES, (base) => readBase(base, { live: liveBases, shared }, env, errors));
  const bases = forEachOf(BASES, (base) => Object.freeze(read[base].values));
  const sources = { ...forEachOf(BASES, (base) => read[base].sources), servico };
  checkProxies(service['trusted_proxies'], named['trusted_proxies'], errors);
  for (const key of ['host', 'admin_host']) service[key] = readHost(service[key], named[key], errors);
  checkPorts(service, errors);
  checkAdmin(service['admin_host'], service['admin_token'], errors);
  checkNats(service, named, errors);
  // Each mistake once: a wrong shared value is one mistake, not six.
  if (errors.length > 0) throw new PlainErrors('the configuration is not valid', [...new Set(errors)]);
  // The keys and kinds come from the two lists from which the type is derived.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.freeze({
    ...service,
    data_dir,
    bases: Object.freeze(bases),
    sources,
    environment: { ...env },
  }) as unknown as Config;
}

/** The tables `bases` of the two files. */
interface Tables {
  readonly live: Table;
  readonly shared: Table;
}

function readBase(base: Base, { live, shared }: Tables, env: Environment, errors: string[]) {
  const changed = tableAt(live, base, `bases.${base}`, errors, 'live.toml');
  const own = tableAt(shared, base, `bases.${base}`, errors);
  for (const key of Object.keys(own)) report(unknownBaseKey(`bases.${base}`, key, []), errors);
  return readEach(
    BASE_SETTINGS,
    ({ key, env: name }) => [
      ofVariable(`BASES_${base.toUpperCase()}_${name}`, env),
      ofFile(changed, key, `bases.${base}.`, 'live'),
      ofFile(own, key, `bases.${base}.`),
      ofVariable(`BASES_${name}`, env),
      ofFile(shared, key, 'bases.'),
    ],
    errors,
  );
}

/** The value of each setting, and its source. @param candidatesOf the places where it may be set, the strongest first. */
function readEach<S extends Setting>(
  settings: readonly S[],
  candidatesOf: (setting: S) => readonly Candidate[],
  errors: string[],
) {
  const values: Record<string, Value> = {};
  const sources: Record<string, Source> = {};
  for (const setting of settings) {
    const { value, source } = choose(setting, candidatesOf(setting), errors);
    values[setting.key] = value;
    sources[setting.key] = source;
  }
  return { values, sources };
}

interface Candidate {
  readonly source: Source;
  readonly raw: unknown;
}

function ofVariable(name: string, env: Environment): Candidate {
  return { source: { kind: 'environment', name }, raw: env[name] };
}

/** @param tables the names of the tables around the key in the file, each with a point. */
function ofFile(table: Table, key: string, tables = '', kind: 'live' | 'file' = 'file'): Candidate {
  return { source: { kind, name: tables + key }, raw: table[key] };
}

/** The first source that is set wins; errors name it. */
function choose(
  setting: Setting,
  candidates: readonly Candidate[],
  errors: string[],
): { readonly value: Value; readonly source: Source } {
  const found = candidates.find(({ raw }) => raw !== undefined && raw !== '');
  if (found === undefined) return { value: setting.fallback, source: { kind: 'default', name: '' } };
  const { source, raw } = found;
  const value = readValue(setting, raw);
  if (value !== null) return { value, source };
  const isSecret = 'secret' in setting;
  errors.push(
    `${nameOf(source)}: must be ${expected(setting)}${isSecret ? '' : `, not ${JSON.stringify(raw)}`}`,
  );
  return { value: setting.fallback, source };
}

/** The name of a source in an error. */
function nameOf({ kind, name }: Source): string {
  const file = { live: 'live.toml: ', file: 'config.toml: ', environment: '', default: '' }[kind];
  return `${file}${name}`;
}

function readValue(setting: Setting, raw: unknown): Value | null {
  if ('min' in setting) {
    const number = typeof raw === 'string' && /^\d{1,15}$/u.test(raw.trim()) ? Number(raw) : raw;
    const isWhole = typeof number === 'number' && Number.isSafeInteger(number);
    return isWhole && number >= setting.min && number <= setting.max ? number : null;
  }
  if (typeof setting.fallback === 'string') {
    if (typeof raw !== 'string') return null;
    return setting.choices === undefined || setting.choices.includes(raw) ? raw : null;
  }
  const list: unknown = typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : raw;
  return Array.isArray(list) && list.every((part) => typeof part === 'string') ? list : null;
}

function expected(setting: Setting): string {
  if ('min' in setting) return `a whole number from ${setting.min} to ${setting.max}`;
  if (setting.choices !== undefined) return `one of ${setting.choices.join(', ')}`;
  return typeof setting.fallback === 'string' ? 'a text' : 'a list of texts';
}

function readToml(file: string, errors: string[]): Table {
  if (!existsSync(file)) return {};
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    errors.push(`${file}: ${explainToml(error)}`);
    return {};
  }
}

function explainToml(error: unknown): string {
  if (error instanceof TomlError) return `line ${error.line}: ${error.message.split('\n', 1).join('')}`;
  return explain(error);
}

function tableAt(table: Table, key: string, path: string, errors: string[], file = 'config.toml'): Table {
  const value = table[key];
  if (value === undefined) return {};
  if (isTable(value)) return value;
  errors.push(`${file}: ${path} must be a table, [${path}]`);
  return {};
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function report(mistake: string | null, errors: string[]): void {
  if (mistake !== null) errors.push(mistake);
}

function readHost(value: Value | undefined, name: string | undefined, errors: string[]): Value {
  if (typeof value !== 'string') return '';
  if (!isHost(value))
    errors.push(`${name}: must be an IP address or a host name, not ${JSON.stringify(value)}`);
  return withoutBrackets(value);
}

function checkProxies(value: unknown, name: string | undefined, errors: string[]): void {
  if (!Array.isArray(value)) return;
  for (const range of value) {
    const isRange = typeof range === 'string' && (ipaddr.isValid(range) || ipaddr.isValidCIDR(range));
    if (!isRange) errors.push(`${name}: ${JSON.stringify(range)} is not an address or a CIDR range`);
  }
}

/** Port 0 is any free port, a different one each time. */
function checkPorts({ port, admin_port, host, admin_host }: Record<string, unknown>, errors: string[]): void {
  const isShared = host === admin_host || [host, admin_host].some((one) => one === '0.0.0.0' || one === '::');
  if (port === admin_port && port !== 0 && isShared)
    errors.push(`PORT and ADMIN_PORT: are both ${String(port)}; set one of them to another port`);
}

const NATS_SERVER = /^(?:nats|tls):\/\/[^\s/]+$/u;

function checkNats(service: Table, named: Readonly<Record<string, string>>, errors: string[]): void {
  const servers: readonly unknown[] = Array.isArray(service['nats_url']) ? service['nats_url'] : [];
  for (const server of servers)
    if (typeof server !== 'string' || !NATS_SERVER.test(server))
      errors.push(`${named['nats_url']}: ${JSON.stringify(server)} is not of the form nats://HOST:PORT`);
  const { nats_ca, nats_cert, nats_key } = service;
  if (nats_cert !== '' && nats_key === '')
    errors.push('NATS_KEY: is needed with NATS_CERT, whose private key it is');
  if (nats_key !== '' && nats_cert === '')
    errors.push('NATS_CERT: is needed with NATS_KEY, whose certificate it is');
  if (nats_cert !== '' && nats_ca === '')
    errors.push('NATS_CA: is needed with NATS_CERT; without it there is no TLS');
}

const ADMIN_TOKEN = /^[\x21-\x7e]{16,}$/u;

/** An admin listener beyond this machine needs a token, which must fit into a header. */
function checkAdmin(host: unknown, token: unknown, errors: string[]): void {
  const mend = 'make one with: openssl rand -hex 16';
  if (typeof host !== 'string' || typeof token !== 'string') return;
  if (token === '' && isHost(host) && !isLoopback(host)) {
    errors.push(`ADMIN_TOKEN: is needed where ADMIN_HOST is beyond this machine (${host}); ${mend}`);
  }
  if (token !== '' && !ADMIN_TOKEN.test(token)) {
    errors.push(`ADMIN_TOKEN: must be 16 characters or more, of ASCII and without spaces; ${mend}`);
  }
}
