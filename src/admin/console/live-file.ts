import { existsSync, readFileSync } from 'node:fs';
import { parse, stringify } from 'smol-toml';
import { codeOf } from '../../process/fail.ts';
import { writeAtomically } from '../../process/files.ts';
import type { SettingToWrite } from './tuning.ts';

/** Why the file was not written, and how to correct it. */
export class LiveFileError extends Error {}

type Table = Record<string, unknown>;

const HEADER =
  '# Written by the console, over config.toml. Delete a line here to go back to what stands there.\n\n';

/** Adds settings to `live.toml`, which only the console writes. @throws LiveFileError */
export function writeSettings(file: string, settings: readonly SettingToWrite[]): void {
  try {
    const before = existsSync(file) ? parse(readFileSync(file, 'utf8')) : {};
    writeAtomically(file, `${HEADER}${stringify(withSettings(before, settings))}\n`);
  } catch (error) {
    throw new LiveFileError(`não foi possível gravar ${file}: ${reasonOf(error)}`);
  }
}

function withSettings(table: Table, settings: readonly SettingToWrite[]): Table {
  const wanted: Table = { ...table };
  for (const { base, chave, valor } of settings) {
    const bases = tableIn(wanted, 'bases');
    if (base === 'servico') wanted[chave] = valor;
    else wanted['bases'] = { ...bases, [base]: { ...tableIn(bases, base), [chave]: valor } };
  }
  return wanted;
}

function tableIn(table: Table, key: string): Table {
  const value = table[key];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TOML value that is no table has no entries
  return typeof value === 'object' && value !== null ? (value as Table) : {};
}

const NOT_PERMITTED = 'sem permissão; dê ao usuário do serviço o direito de escrever nele e na pasta';
const DISK_FULL = 'o disco está cheio; libere espaço e grave de novo';
const NO_FOLDER = 'a pasta de dados não está lá; confira DATA_DIR';
const REASONS: Readonly<Record<string, string>> = {
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: 'o sistema de arquivos é só de leitura',
  EDQUOT: DISK_FULL,
  ENOSPC: DISK_FULL,
  EEXIST: NO_FOLDER,
  EISDIR: 'há uma pasta com este nome; remova-a',
  ENOTDIR: NO_FOLDER,
  ENOENT: NO_FOLDER,
};

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return REASONS[codeOf(error)] ?? text.split('\n', 1).join('');
}
