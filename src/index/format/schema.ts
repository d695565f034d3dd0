import { TIPO_NO_ARQUIVO, TRIBUNAL_NO_ARQUIVO } from '../../contract/catalog.ts';
import type { Base, CodigoTribunal, Tipo } from '../../contract/vocabulary.ts';
import { join } from 'node:path';

/** Longest wait for another writer of a base file. */
export const BUSY_TIMEOUT_MS = 60_000;

/** The layout of a base file (`../FORMAT.md`). A change raises the version; other versions are refused. */
export const SCHEMA_VERSION = 7;
/** Marks a file as ours (SQLite's application_id): "JURI" in ASCII. */
export const APPLICATION_ID = 0x4a555249;

/** Whether the base has made-up decisions and no real ones. */
export const MADE_UP_SQL = `SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'made_up')`;

export const MARK_MADE_UP_SQL = `INSERT OR IGNORE INTO meta (key, value) VALUES ('made_up', 1)`;

export const SCHEMA_SQL = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE state (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE item (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE frame (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE record (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE dictionary (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE doc_values (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE terms (id INTEGER PRIMARY KEY, first_term BLOB NOT NULL UNIQUE, data BLOB NOT NULL);
  CREATE TABLE postings (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE positions (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE term_vectors (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE replaced (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE withdrawn (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE commits (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE source_keys (
    court INTEGER NOT NULL,
    key TEXT NOT NULL,
    doc_id INTEGER NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (court, key)
  ) WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Decisions in a block of a posting list; an offset fits two bytes. */
export const BLOCK_SIZE = 65_536;
/** Days for which a replaced version is kept. An older cursor may miss or repeat the decision. */
export const VERSION_DAYS = 2;

/** Term ids begin with 1 and fit three bytes. */
export const TERMS_MAX = 2 ** 24;
/** Parts of a term's positions in a block. */
const POSITION_PARTS_MAX = 128;

/** The key of a term's `postings` row that begins with a block. */
export function postingsKey(termId: number, block: number): number {
  return (block * TERMS_MAX + termId) * 2;
}

/** The key of the row with a bitmap's impacts. */
export function impactsKey(termId: number, block: number): number {
  return postingsKey(termId, block) + 1;
}

export function positionsKey(termId: number, block: number, part: number): number {
  return (block * TERMS_MAX + termId) * POSITION_PARTS_MAX + part;
}

/** The court and the type of a withdrawn decision, which has no dates. */
export const WITHDRAWN_CODE = 255;

/** The columns of `doc_values`, with the bytes of a value. */
export const DOC_VALUES = { tribunal: 1, tipo: 1, julgamento: 4, publicacao: 4 } as const;
export type DocValue = keyof typeof DOC_VALUES;
export const DOC_VALUE_NAMES: readonly DocValue[] = ['tribunal', 'tipo', 'julgamento', 'publicacao'];

export function docValuesKey(name: DocValue, block: number): number {
  return block * DOC_VALUE_NAMES.length + DOC_VALUE_NAMES.indexOf(name);
}

export function tipoCode(tipo: Tipo): number {
  return TIPO_NO_ARQUIVO[tipo];
}

export function tribunalCode(codigo: CodigoTribunal): number {
  return TRIBUNAL_NO_ARQUIVO[codigo];
}

/** `2024-03-01` → 20240301. */
export function dateCode(date: string): number {
  return Number(date.replaceAll('-', ''));
}

/** 20240301 → `2024-03-01`. */
export function dateText(code: number): string {
  const digits = String(code).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`;
}

export function basesFolder(dataDir: string): string {
  return join(dataDir, 'bases');
}

export function baseFile(dataDir: string, base: Base): string {
  return join(basesFolder(dataDir), `${base}.db`);
}

/** The manifest of a file that was fetched: such a base is loaded elsewhere, and published from there. */
export function followedMark(dataDir: string, base: Base): string {
  return join(basesFolder(dataDir), `${base}.json`);
}

/** The paths for metrics of the disk and the base files. */
export function dataFiles(dataFolder: string) {
  return { dataFolder, fileOf: (base: Base) => baseFile(dataFolder, base) };
}
