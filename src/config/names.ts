import leven from 'leven';
import { BASES } from '../contract/vocabulary.ts';
import { renamedKey, renamedVariable } from './renamed.ts';
import { BASE_SETTINGS, SERVICE_SETTINGS } from './settings.ts';

/** Letters of a name for which one may be wrong: enough that no other program's name is taken for ours. */
const LETTERS_A_MISTAKE = 5;
/** Names shorter than this are near to too many others: only two letters that changed places count. */
const LENGTH_MIN = 7;
/** A name in the file is ours anyway, so that more may be wrong with it. */
const LETTERS_A_MISTAKE_IN_FILE = 3;
/** A beginning of a name that is worth naming the whole for. */
const BEGINNING_MIN = 4;

const SCOPES = ['BASES', ...BASES.map((base) => `BASES_${base.toUpperCase()}`)];
const VARIABLES = [
  'DATA_DIR',
  ...SERVICE_SETTINGS.map(({ env }) => env),
  ...SCOPES.flatMap((scope) => BASE_SETTINGS.map(({ env }) => `${scope}_${env}`)),
];
const SERVICE_KEYS: readonly string[] = SERVICE_SETTINGS.map(({ key }) => key);
const BASE_KEYS: readonly string[] = BASE_SETTINGS.map(({ key }) => key);

/**
 * What is wrong with a variable's name, null where nothing is. The environment is full of other programs' names,
 * which are none of our business. A mistake is a name that begins with `BASES_`, that sets a base without saying so
 * (`TST_THREADS`, `COUNT_MS`), or that is one of ours but for a letter in five; `THREADS` alone is anybody's.
 */
export function unknownVariable(name: string): string | null {
  if (VARIABLES.includes(name) || renamedVariable(name) !== null) return null;
  const renamed = renamedVariable(`BASES_${name}`);
  if (renamed !== null) return `there is no setting ${name}; the nearest is ${renamed}`;
  if (name.includes('_') && VARIABLES.includes(`BASES_${name}`))
    return `there is no setting ${name}; the nearest is BASES_${name}`;
  const { meant, letters } = nearest(name, VARIABLES);
  if (letters <= mistakesMax(meant) || name.startsWith('BASES_'))
    return `there is no setting ${name}; the nearest is ${meant}`;
  return null;
}

function mistakesMax(name: string): number {
  return name.length < LENGTH_MIN ? 0 : Math.floor(name.length / LETTERS_A_MISTAKE);
}

/** What is wrong with a key of the file's top, null where nothing is. */
export function unknownKey(key: string): string | null {
  if (key === 'bases' || SERVICE_KEYS.includes(key)) return null;
  const none = `config.toml: there is no setting ${key}`;
  if (key.toLowerCase() === 'data_dir') {
    return `${none}; the folder is named by the environment alone, in DATA_DIR`;
  }
  const inFile = ofVariable(key);
  if (inFile !== null) return `${none}; in the file it is ${inFile}`;
  return `${none}; ${choicesOf(key, [...SERVICE_KEYS, 'bases'], '')}`;
}

/**
 * What is wrong with a key of the table of all bases, or of one base.
 * @param table `bases`, `bases.tst`. @param tables that may stand in it.
 */
export function unknownBaseKey(table: string, key: string, tables: readonly string[]): string | null {
  if (BASE_KEYS.includes(key) || tables.includes(key) || renamedKey(key) !== null) return null;
  const none = `config.toml: there is no setting ${table}.${key}`;
  if (SERVICE_KEYS.includes(key)) return `${none}; ${key} stands before the first [table]`;
  const lower = key.toLowerCase();
  if (BASE_KEYS.includes(lower)) return `${none}; the nearest is ${table}.${lower}`;
  const inFile = ofVariable(key);
  if (inFile !== null) return `${none}; in the file it is ${inFile}`;
  return `${none}; ${choicesOf(key, [...BASE_KEYS, ...tables], `${table}.`)}`;
}

/** A variable's name, in whatever case, as the file has it; a base's setting alone is that of all. */
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

/** Letters to change, add or leave out; none where two neighbours changed places, for then all of them are there. */
function mistakenLetters(name: string, meant: string): number {
  return isSwapped(name, meant) ? 0 : leven(name, meant);
}

function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a === `${b.slice(0, at)}${b[at + 1] ?? ''}${b[at] ?? ''}${b.slice(at + 2)}`;
}
