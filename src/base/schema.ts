import { COLUMNS } from './relevance.ts';
import { TOKENIZER } from './tokens.ts';
import { TIPOS, type Base, CODIGOS_TRIBUNAL } from '../contract/enums.ts';
import { join } from 'node:path';

/**
 * The layout of a base file: what ingest writes and the pool's threads read. Any change to it raises the
 * version, and a file of another version is refused with the command that mends it.
 */
export const SCHEMA_VERSION = 2;
/** Marks a file as ours (SQLite's application_id): "JURI" in ASCII. */
export const APPLICATION_ID = 0x4a555249;

/**
 * - `documento`, `resumo`: the JSON text of each contract object, ready to send, and its checksum, for a damaged
 *   page of the file must never be served as a record. Only the rows of a page are ever read from them.
 * - `coluna`: what filters and coverage ask of each decision, one row for each block of 65,536 numbers and each
 *   of `COLUNAS`: fixed-size little-endian values in the order of the numbers. Dates are `yyyymmdd`, 0 for none.
 * - `fts`: the words, contentless, so the text stands once; `contentless_delete` lets a decision be replaced.
 * - `origem`: each court's own key and a digest of what was loaded, for replacing and for skipping repeats.
 * - `lexico`, `impacto`: for relevance, each word's decisions with one byte of weight each. A row holds the
 *   decisions of one block of 65,536 numbers, three bytes each, by number: offset (u16, little endian), impact.
 * - `vetor`: the words of a decision indexed by a full text that is not kept, so that it can be replaced.
 * - `versao`: what a replaced decision weighed before the data generation that replaced it, for a while: who
 *   reads on from a page made before then sees it at its old place, neither twice nor never.
 * `dados` of the last two are a decision's words, four bytes each: word id (u24, little endian), impact.
 */
export const SCHEMA_SQL = `
  CREATE TABLE meta (chave TEXT PRIMARY KEY, valor) WITHOUT ROWID;
  CREATE TABLE documento (numero INTEGER PRIMARY KEY, json TEXT NOT NULL, soma INTEGER NOT NULL);
  CREATE TABLE resumo (numero INTEGER PRIMARY KEY, json TEXT NOT NULL, soma INTEGER NOT NULL);
  CREATE TABLE coluna (parte INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE origem (
    tribunal INTEGER NOT NULL,
    chave TEXT NOT NULL,
    numero INTEGER NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (tribunal, chave)
  ) WITHOUT ROWID;
  CREATE TABLE lexico (id INTEGER PRIMARY KEY, termo TEXT NOT NULL UNIQUE);
  CREATE TABLE impacto (lista INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE vetor (numero INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE versao (
    geracao INTEGER NOT NULL,
    numero INTEGER NOT NULL,
    dia INTEGER NOT NULL,
    dados BLOB NOT NULL,
    PRIMARY KEY (geracao, numero)
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE fts USING fts5(
    ${COLUMNS.join(', ')}, content = '', contentless_delete = 1, tokenize = "${TOKENIZER}"
  );
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Decisions in one block of an `impacto` list; the offset in a block fits two bytes. */
export const BLOCK_SIZE = 65_536;
export const POSTING_BYTES = 3;
/** A word of a decision in `vetor` and `versao`. */
export const WORD_BYTES = 4;
/** Days for which a replaced version is kept: a cursor older than that may miss or repeat the decision. */
export const VERSION_DAYS = 2;

/** The row of `impacto` that holds the given block of a word's list. */
export function listKey(termId: number, block: number): number {
  return termId * BLOCK_SIZE + block;
}

/** The columns kept of each decision, with the bytes of one value. */
export const COLUNAS = { tribunal: 1, tipo: 1, julgamento: 4, publicacao: 4 } as const;
export type Coluna = keyof typeof COLUNAS;
const COLUNA_NAMES = Object.keys(COLUNAS);

/** The row of `coluna` that holds the given column of a block. */
export function partKey(coluna: Coluna, block: number): number {
  return block * COLUNA_NAMES.length + COLUNA_NAMES.indexOf(coluna);
}

/** The checksum (CRC-32) that stands beside a JSON text. */
export function checksum(json: string): number {
  return Bun.hash.crc32(json);
}

/** A type as the column `tipo` holds it: its place in the contract's list, which only ever grows at the end. */
export function tipoCode(tipo: (typeof TIPOS)[number]): number {
  return TIPOS.indexOf(tipo);
}

/** A court as the column `tribunal` holds it: its place in the contract's list. */
export function tribunalCode(codigo: (typeof CODIGOS_TRIBUNAL)[number]): number {
  return CODIGOS_TRIBUNAL.indexOf(codigo);
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
