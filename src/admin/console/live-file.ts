import { existsSync, readFileSync } from 'node:fs';
import { parse, stringify } from 'smol-toml';
import { writeAtomically } from '../../process/files.ts';
import type { SettingToWrite } from './tuning.ts';

type Table = Record<string, unknown>;

const HEADER =
  '# Written by the console, over config.toml. Delete a line here to go back to what stands there.\n\n';

/** Adds settings to `live.toml`, which only the console writes. @throws system errors. */
export function writeSettings(file: string, settings: readonly SettingToWrite[]): void {
  const before = existsSync(file) ? parse(readFileSync(file, 'utf8')) : {};
  writeAtomically(file, `${HEADER}${stringify(withSettings(before, settings))}\n`);
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
