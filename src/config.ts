import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import leven from 'leven';
import { TomlError, parse } from 'smol-toml';
import { PlainError, explain } from './cli/fail.ts';
import { isLoopback } from './cli/listen.ts';
import { BASES, type Base } from './contract/vocabulary.ts';
import { BASE_SETTINGS, DATA_DIR_DEFAULT, SERVICE_SETTINGS, type BaseKey, type Setting } from './settings.ts';

export type BaseConfig = Readonly<Record<BaseKey, number>>;

type ValueOf<S extends { readonly kind: Setting['kind'] }> = S['kind'] extends 'whole'
  ? number
  : S['kind'] extends 'text'
    ? string
    : readonly string[];
type ServiceConfig = {
  readonly [S in (typeof SERVICE_SETTINGS)[number] as S['key']]: ValueOf<S>;
};

/** What decided a base's setting: the variable or the key of `config.toml` that was set, if any. */
export interface Source {
  readonly kind: 'environment' | 'file' | 'default';
  /** As an operator writes it: `BASES_TST_THREADS`, `bases.tst.threads`. */
  readonly name: string;
}
export type BaseSources = Readonly<Record<BaseKey, Source>>;

/** The whole configuration, read once, checked and frozen. */
export interface Config extends ServiceConfig {
  readonly data_dir: string;
  readonly bases: Readonly<Record<Base, BaseConfig>>;
  readonly sources: Readonly<Record<Base, BaseSources>>;
  /** What it was read from, beside the file: whoever looks at the file again reads both as this time. */
  readonly environment: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;
type Value = number | string | readonly string[];
type Table = Record<string, unknown>;

/** The data folder, for commands that need nothing else. */
export function dataFolder(env: Environment = process.env): string {
  return resolve(
    env['DATA_DIR'] === undefined || env['DATA_DIR'] === '' ? DATA_DIR_DEFAULT : env['DATA_DIR'],
  );
}

/**
 * Reads the environment and `DATA_DIR/config.toml`; the environment wins.
 * @throws PlainError that lists everything that is wrong, each with its mend.
 */
export function readConfig(env: Environment = process.env): Config {
  const errors: string[] = [];
  const data_dir = dataFolder(env);
  const file = join(data_dir, 'config.toml');
  const table = readToml(file, errors);
  const shared = tableAt(table, 'bases', 'bases', errors);
  refuseUnknown(table, [...SERVICE_SETTINGS.map(({ key }) => key), 'bases'], '', errors);
  refuseUnknown(shared, [...BASE_SETTINGS.map(({ key }) => key), ...BASES], 'bases.', errors);
  refuseUnknownEnv(env, errors);

  const service = Object.fromEntries(
    SERVICE_SETTINGS.map((setting) => [
      setting.key,
      choose(setting, [ofVariable(setting.env, env), ofFile([setting.key], table)], errors).value,
    ]),
  );
  const read = BASES.map((base) => [base, readBase(base, shared, env, errors)] as const);
  const bases = Object.fromEntries(read.map(([base, { values }]) => [base, values]));
  const sources = Object.fromEntries(read.map(([base, one]) => [base, one.sources]));
  checkProxies(service['trusted_proxies'], errors);
  checkAdmin(service['admin_host'], service['admin_token'], errors);
  refuseInvalid(errors);
  // The keys and kinds are those of the two lists that the type is made of.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.freeze({
    ...service,
    data_dir,
    bases: Object.freeze(bases),
    sources,
    environment: { ...env },
  }) as unknown as Config;
}

/** Everything at once, each thing once: what is wrong for all six bases is one mistake. */
function refuseInvalid(errors: readonly string[]): void {
  if (errors.length === 0) return;
  const list = [...new Set(errors)].map((error) => `  - ${error}`).join('\n');
  throw new PlainError(`the configuration is not valid:\n${list}`);
}

interface BaseRead {
  readonly values: BaseConfig;
  readonly sources: BaseSources;
}

function readBase(base: Base, shared: Table, env: Environment, errors: string[]): BaseRead {
  const own = tableAt(shared, base, `bases.${base}`, errors);
  refuseUnknown(
    own,
    BASE_SETTINGS.map(({ key }) => key),
    `bases.${base}.`,
    errors,
  );
  const chosen = BASE_SETTINGS.map((setting) => {
    const candidates = [
      ofVariable(`BASES_${base.toUpperCase()}_${setting.env}`, env),
      ofFile(['bases', base, setting.key], own),
      ofVariable(`BASES_${setting.env}`, env),
      ofFile(['bases', setting.key], shared),
    ];
    return [setting.key, choose(setting, candidates, errors)] as const;
  });
  const values = Object.fromEntries(chosen.map(([key, { value }]) => [key, value]));
  const sources = Object.fromEntries(chosen.map(([key, { source }]) => [key, source]));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in readConfig
  return { values: Object.freeze(values), sources } as unknown as BaseRead;
}

interface Candidate {
  readonly source: Source;
  readonly raw: unknown;
}

function ofVariable(name: string, env: Environment): Candidate {
  return { source: { kind: 'environment', name }, raw: env[name] };
}

/** @param path of the key in the file; its last part is looked up in `table`. */
function ofFile(path: readonly string[], table: Table): Candidate {
  return { source: { kind: 'file', name: path.join('.') }, raw: table[path.at(-1) ?? ''] };
}

/** The first source that is set decides; its name is what an error speaks of. */
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
  const name = source.kind === 'file' ? `config.toml: ${source.name}` : source.name;
  const isSecret = setting.kind === 'text' && setting.secret === true;
  errors.push(`${name}: must be ${expected(setting)}${isSecret ? '' : `, not ${JSON.stringify(raw)}`}`);
  return { value: setting.fallback, source };
}

function readValue(setting: Setting, raw: unknown): Value | null {
  switch (setting.kind) {
    case 'whole': {
      const number = typeof raw === 'string' && /^\d{1,15}$/u.test(raw.trim()) ? Number(raw) : raw;
      const isWhole = typeof number === 'number' && Number.isSafeInteger(number);
      return isWhole && number >= setting.min && number <= setting.max ? number : null;
    }
    case 'text':
      if (typeof raw !== 'string') return null;
      return setting.choices === undefined || setting.choices.includes(raw) ? raw : null;
    case 'list': {
      const list: unknown = typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : raw;
      return Array.isArray(list) && list.every((part) => typeof part === 'string') ? list : null;
    }
  }
}

function expected(setting: Setting): string {
  switch (setting.kind) {
    case 'whole':
      return `a whole number from ${setting.min} to ${setting.max}`;
    case 'text':
      return setting.choices === undefined ? 'a text' : `one of ${setting.choices.join(', ')}`;
    case 'list':
      return 'a list of texts';
  }
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
  if (error instanceof TomlError) return `line ${error.line}: ${error.message.split('\n')[0] ?? ''}`;
  return explain(error);
}

function tableAt(table: Table, key: string, path: string, errors: string[]): Table {
  const value = table[key];
  if (value === undefined) return {};
  if (isTable(value)) return value;
  errors.push(`config.toml: ${path} must be a table, [${path}]`);
  return {};
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function refuseUnknown(table: Table, known: readonly string[], path: string, errors: string[]): void {
  for (const key of Object.keys(table)) {
    if (!known.includes(key)) {
      errors.push(
        `config.toml: there is no setting ${path}${key}; the nearest is ${path}${nearest(key, known)}`,
      );
    }
  }
}

/**
 * The environment is full of other programs' names, which are none of our business. A name that begins like
 * ours, that sets a base without saying so, or that is one of ours but for a few letters is a mistake.
 */
function refuseUnknownEnv(env: Environment, errors: string[]): void {
  const scopes = ['BASES', ...BASES.map((base) => `BASES_${base.toUpperCase()}`)];
  const known = [
    'DATA_DIR',
    ...SERVICE_SETTINGS.map((setting) => setting.env),
    ...scopes.flatMap((scope) => BASE_SETTINGS.map((setting) => `${scope}_${setting.env}`)),
  ];
  for (const name of Object.keys(env)) {
    if (!known.includes(name) && looksLikeOurs(name, known)) {
      const meant = known.includes(`BASES_${name}`) ? `BASES_${name}` : nearest(name, known);
      errors.push(`there is no setting ${name}; the nearest is ${meant}`);
    }
  }
}

function looksLikeOurs(name: string, known: readonly string[]): boolean {
  const isOfABase = BASES.some((base) => name.startsWith(`${base.toUpperCase()}_`));
  const setsABase = BASE_SETTINGS.some((setting) => name.endsWith(`_${setting.env}`));
  if (name.startsWith('BASES_') || name.startsWith('BASE_') || (isOfABase && setsABase)) return true;
  // Short names are near to too many others.
  return known.some((ours) => ours.length >= 8 && leven(name, ours) <= Math.floor(ours.length / 5) + 1);
}

function nearest(name: string, known: readonly string[]): string {
  return known.toSorted((a, b) => leven(name, a) - leven(name, b))[0] ?? '';
}

function checkProxies(value: unknown, errors: string[]): void {
  if (!Array.isArray(value)) return;
  for (const range of value) {
    const isRange = typeof range === 'string' && (ipaddr.isValid(range) || ipaddr.isValidCIDR(range));
    if (!isRange) errors.push(`trusted_proxies: ${JSON.stringify(range)} is not an address or a CIDR range`);
  }
}

const ADMIN_TOKEN = /^[\x21-\x7e]{16,}$/u;

/** Whoever reaches the admin listener from another machine must know the token; and it goes in a header. */
function checkAdmin(host: unknown, token: unknown, errors: string[]): void {
  const mend = 'make one with: openssl rand -hex 16';
  if (typeof host !== 'string' || typeof token !== 'string') return;
  if (token === '' && !isLoopback(host)) {
    errors.push(`ADMIN_TOKEN: is needed where ADMIN_HOST is beyond this machine (${host}); ${mend}`);
  }
  if (token !== '' && !ADMIN_TOKEN.test(token)) {
    errors.push(`ADMIN_TOKEN: must be 16 characters or more, of ASCII and without spaces; ${mend}`);
  }
}
