import leven from 'leven';
import { BASES, isOneOf } from '../contract/vocabulary.ts';
import { BASE_SETTINGS, liveSettings, SERVICE_SETTINGS } from './settings.ts';

/** A mistyped name has one wrong letter in this many at most; with a lower number other programs' names would match. */
const LETTERS_A_MISTAKE = 5;
/** Shorter names resemble too many names. */
const LENGTH_MIN = 7;
/** The same in `config.toml`, where every name is meant for this service. */
const LETTERS_A_MISTAKE_IN_FILE = 3;

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
  if (BASE_KEYS.includes(key)) return `${none}; ${key} stands below [bases], or the [bases.…] of one`;
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
  return `${none}; ${choicesOf(key, [...BASE_KEYS, ...tables], `${table}.`)}`;
}

/** What in `live.toml` is no setting of the console's. */
export function mistakesOfLive({ bases = {}, ...service }: Readonly<Record<string, unknown>>): string[] {
  const ofBases = Object.entries(bases ?? {}).flatMap(([base, table]: [string, unknown]) =>
    isOneOf(BASES, base)
      ? Object.keys(table ?? {}).flatMap((key) => (BASE_KEYS.includes(key) ? [] : `bases.${base}.${key}`))
      : `bases.${base}`,
  );
  const ofService = new Set<string>(liveSettings('servico').map(({ key }) => key));
  return [...Object.keys(service).filter((key) => !ofService.has(key)), ...ofBases].map(
    (path) => `live.toml: ${path} is no setting that the console writes; move it to config.toml`,
  );
}

function choicesOf(key: string, known: readonly string[], path: string): string {
  const { meant, letters } = nearest(key.toLowerCase(), known);
  if (letters <= Math.max(1, Math.floor(meant.length / LETTERS_A_MISTAKE_IN_FILE)))
    return `the nearest is ${path}${meant}`;
  return `there are ${known.map((name) => `${path}${name}`).join(', ')}`;
}

function nearest(name: string, known: readonly string[]): { meant: string; letters: number } {
  const all = known.map((meant) => ({ meant, letters: leven(name, meant) }));
  return all.reduce((best, one) => (one.letters < best.letters ? one : best));
}
