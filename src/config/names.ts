import leven from 'leven';
import { BASES, isOneOf } from '../contract/vocabulary.ts';
import { BASE_SETTINGS, LIVE_SERVICE_SETTINGS, SERVICE_SETTINGS } from './settings.ts';

/** One wrong letter in this many is a typing error; with a lower number other programs' names would match. */
const LETTERS_A_MISTAKE = 5;
/** Shorter names resemble too many names: only two swapped letters count as a mistake. */
const LENGTH_MIN = 7;
/** The same in `config.toml`, where every name is meant for this service. */
const LETTERS_A_MISTAKE_IN_FILE = 3;
/** Shortest prefix that suggests a setting. */
const BEGINNING_MIN = 4;

/** Prefixes of the variables of bases. */
const SCOPES = ['BASES', ...BASES.map((base) => `BASES_${base.toUpperCase()}`)];
const VARIABLES = [
  'DATA_DIR',
  ...SERVICE_SETTINGS.map(({ env }) => env),
  ...SCOPES.flatMap((scope) => BASE_SETTINGS.map(({ env }) => `${scope}_${env}`)),
];
const VARIABLES_OF_BASES = VARIABLES.filter((name) => name.startsWith('BASES_'));
const REPLICAS =
  'is gone in 0.4.0: run the same process on each machine, behind a balancer (docs/replicas.md)';
/** Settings of earlier versions: what to do instead, as in CHANGELOG.md. */
const GONE: Readonly<Record<string, string>> = {
  ROLE: REPLICAS,
  BASES_SERVED: REPLICAS,
  NODE_NAME: REPLICAS,
  FILES_HOST: REPLICAS,
  FILES_PORT: REPLICAS,
  FILES_URL: REPLICAS,
  PROCESSES: 'is gone in 0.4.0: for more cores give the bases more threads, or run several replicas',
  ...Object.fromEntries(
    SCOPES.map((scope) => [
      `${scope}_RESULT_CACHE_MB`,
      'is gone in 0.4.0: one cache serves all bases; set RESULT_CACHE_MB',
    ]),
  ),
};
const LIVE_KEYS = new Set<string>(LIVE_SERVICE_SETTINGS.map(({ key }) => key));
const SERVICE_KEYS: readonly string[] = SERVICE_SETTINGS.map(({ key }) => key);
const BASE_KEYS: readonly string[] = BASE_SETTINGS.map(({ key }) => key);

/**
 * The mistake in a variable's name; null if there is none. The environment holds many other programs' names. A mistake is a
 * name that begins with `BASES_`, that lacks only this prefix (`TST_THREADS`, `COUNT_MS`), or that differs from a setting by at
 * most one letter in five. `THREADS` alone may belong to any program.
 */
export function unknownVariable(name: string): string | null {
  if (VARIABLES.includes(name)) return null;
  const gone = GONE[name];
  if (gone !== undefined) return `${name}: ${gone}`;
  if (name.includes('_') && VARIABLES.includes(`BASES_${name}`))
    return `there is no setting ${name}; the nearest is BASES_${name}`;
  const isOfBases = name.startsWith('BASES_');
  // Common in other programs.
  if (name === 'BASE_URL') return null;
  const { meant, letters } = nearest(name, isOfBases ? VARIABLES_OF_BASES : VARIABLES);
  if (letters <= mistakesMax(meant) || isOfBases)
    return `there is no setting ${name}; the nearest is ${meant}`;
  return null;
}

function mistakesMax(name: string): number {
  return name.length < LENGTH_MIN ? 0 : Math.floor(name.length / LETTERS_A_MISTAKE);
}

/** The mistake in a top-level key of the file; null if there is none. */
export function unknownKey(key: string): string | null {
  if (key === 'bases' || SERVICE_KEYS.includes(key)) return null;
  const gone = GONE[key.toUpperCase()];
  if (gone !== undefined) return `config.toml: ${key}: ${gone}`;
  const none = `config.toml: there is no setting ${key}`;
  if (key.toLowerCase() === 'data_dir') {
    return `${none}; the folder is named by the environment alone, in DATA_DIR`;
  }
  const inFile = ofVariable(key);
  if (inFile !== null) return `${none}; in the file it is ${inFile}`;
  return `${none}; ${choicesOf(key, [...SERVICE_KEYS, 'bases'], '')}`;
}

/**
 * The mistake in a key of the table of all bases or of a base; null if there is none.
 * @param table `bases`, `bases.tst`. @param tables allowed inside it.
 */
export function unknownBaseKey(table: string, key: string, tables: readonly string[]): string | null {
  if (BASE_KEYS.includes(key) || tables.includes(key)) return null;
  const none = `config.toml: there is no setting ${table}.${key}`;
  if (SERVICE_KEYS.includes(key)) return `${none}; ${key} stands before the first [table]`;
  const lower = key.toLowerCase();
  if (BASE_KEYS.includes(lower)) return `${none}; the nearest is ${table}.${lower}`;
  const inFile = ofVariable(key);
  if (inFile !== null) return `${none}; in the file it is ${inFile}`;
  return `${none}; ${choicesOf(key, [...BASE_KEYS, ...tables], `${table}.`)}`;
}

/** What in `live.toml` is no setting of the console's. */
export function mistakesOfLive({ bases = {}, ...service }: Readonly<Record<string, unknown>>): string[] {
  const ofBases = Object.entries(bases ?? {}).flatMap(([base, table]: [string, unknown]) =>
    isOneOf(BASES, base)
      ? Object.keys(table ?? {}).flatMap((key) => (BASE_KEYS.includes(key) ? [] : `bases.${base}.${key}`))
      : `bases.${base}`,
  );
  return [...Object.keys(service).filter((key) => !LIVE_KEYS.has(key)), ...ofBases].map(
    (path) => `live.toml: ${path} is no setting that the console writes; move it to config.toml`,
  );
}

/** The key in the file for a variable's name in any case; a base's setting without a scope belongs to `[bases]`. */
function ofVariable(key: string): string | null {
  const name = key.toUpperCase();
  const service = SERVICE_SETTINGS.find(({ env }) => env === name);
  if (service !== undefined) return service.key;
  for (const [scope, table] of [['', 'bases'] as const, ...tablesByScope()]) {
    const setting = BASE_SETTINGS.find(({ env }) => name === `${scope}${env}`);
    if (setting !== undefined) return `[${table}] ${setting.key}`;
  }
  return null;
}

function tablesByScope(): [scope: string, table: string][] {
  return SCOPES.map((scope) => [`${scope}_`, scope.toLowerCase().replace('_', '.')]);
}

function choicesOf(key: string, known: readonly string[], path: string): string {
  const { meant, letters } = nearest(key, known);
  const begun = known.find((name) => name.startsWith(key) && key.length >= BEGINNING_MIN);
  const mistakes = Math.max(1, Math.floor(meant.length / LETTERS_A_MISTAKE_IN_FILE));
  if (letters <= mistakes || begun !== undefined) return `the nearest is ${path}${begun ?? meant}`;
  return `there are ${known.map((name) => `${path}${name}`).join(', ')}`;
}

function nearest(name: string, known: readonly string[]): { meant: string; letters: number } {
  let found = { meant: '', letters: Number.POSITIVE_INFINITY };
  for (const meant of known) {
    const letters = mistakenLetters(name, meant);
    if (letters < found.letters) found = { meant, letters };
  }
  return found;
}

/** Letters to change, add or remove; 0 when only two neighbours are swapped. */
function mistakenLetters(name: string, meant: string): number {
  return isSwapped(name, meant) ? 0 : leven(name, meant);
}

function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a === `${b.slice(0, at)}${b[at + 1] ?? ''}${b[at] ?? ''}${b.slice(at + 2)}`;
}
