import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { patch } from '@decimalturn/toml-patch';
import { parse } from 'smol-toml';
import { writeAtomically } from '../../process/files.ts';
import { SERVICE } from '../../config/settings.ts';
import type { LiveKey, Place } from './tuning.ts';
import { codeOf } from '../../process/fail.ts';

export interface SettingToWrite {
  readonly base: Place;
  readonly chave: LiveKey;
  readonly valor: number;
}

/** Why the file was not written, and how to correct it. */
export class ConfigFileError extends Error {}

type Table = Record<string, unknown>;

const PERMISSIONS = 0o777;

/** Writes settings to `config.toml` atomically; comments, other keys and the layout stay. @throws ConfigFileError */
export function writeSettings(file: string, settings: readonly SettingToWrite[]): void {
  const before = readText(file);
  const wanted = withSettings(readTable(file, before), settings);
  const after = edited(file, before, wanted, settings);
  try {
    if (!existsSync(file)) writeAtomically(file, after);
    else {
      // Replaces the target of a link, not the link, and keeps the permissions.
      const target = realpathSync(file);
      accessSync(target, constants.W_OK);
      writeAtomically(target, after, statSync(target).mode & PERMISSIONS);
    }
  } catch (error) {
    throw new ConfigFileError(`não foi possível gravar ${file}: ${reasonOf(error)}`);
  }
}

/** The text with the settings added. A base without a table gets a new table, if the file's form allows it. */
function edited(file: string, before: string, wanted: Table, settings: readonly SettingToWrite[]): string {
  const after = patched(withHeaders(before, settings), wanted) ?? patched(before, wanted);
  if (after !== null) return after;
  throw new ConfigFileError(`${file} tem uma forma que a edição não preserva; escreva os ajustes à mão`);
}

function withHeaders(before: string, settings: readonly SettingToWrite[]): string {
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  const bases = tableIn(parse(before), 'bases');
  const without = new Set(
    settings.map(({ base }) => base).filter((base) => base !== SERVICE && !Object.hasOwn(bases, base)),
  );
  const headers = [...without].map((base) => `[bases.${base}]${end}`);
  const start = before === '' || before.endsWith(end) ? before : before + end;
  return [...(start === '' ? [] : [start]), ...headers].join(end);
}

/** The edited text, if it parses to exactly the wanted content; null otherwise. */
function patched(text: string, wanted: Table): string | null {
  try {
    let after = patch(text, wanted);
    if (!after.endsWith('\n')) after += '\n';
    return isDeepStrictEqual(plain(parse(after)), plain(wanted)) ? after : null;
  } catch {
    return null;
  }
}

function readText(file: string): string {
  let isDangling: boolean;
  try {
    if (existsSync(file)) return readFileSync(file, 'utf8');
    isDangling = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new ConfigFileError(`não foi possível ler ${file}: ${reasonOf(error)}`);
  }
  if (!isDangling) return '';
  throw new ConfigFileError(`${file} é um link que não leva a arquivo algum; corrija-o e grave de novo`);
}

function readTable(file: string, text: string): Table {
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new ConfigFileError(`${file} não é TOML válido (${reason ?? ''}); corrija-o e grave de novo`);
  }
}

function withSettings(table: Table, settings: readonly SettingToWrite[]): Table {
  const wanted: Table = { ...table };
  for (const { base, chave, valor } of settings) {
    const bases = tableIn(wanted, 'bases');
    if (base === SERVICE) wanted[chave] = valor;
    else wanted['bases'] = { ...bases, [base]: { ...tableIn(bases, base), [chave]: valor } };
  }
  return wanted;
}

function tableIn(table: Table, key: string): Table {
  const value = table[key];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TOML value that is no table has no entries
  return typeof value === 'object' && value !== null ? (value as Table) : {};
}

/** A copy with plain prototypes, which the parser's tables lack. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

const NOT_PERMITTED = 'sem permissão; dê ao usuário do serviço o direito de escrever nele e na pasta';
const DISK_FULL = 'o disco está cheio; libere espaço e grave de novo';
const NO_FOLDER = 'a pasta de dados não está lá; confira DATA_DIR';
const REASONS: Readonly<Record<string, string>> = {
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: 'o sistema de arquivos é só de leitura',
  EBUSY: 'o arquivo está montado por si só, e não pode ser substituído; monte a pasta em que ele está',
  EDQUOT: DISK_FULL,
  ENOSPC: DISK_FULL,
  EISDIR: 'há uma pasta com este nome; remova-a',
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  ENOENT: NO_FOLDER,
};

function reasonOf(error: unknown): string {
  return REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}
