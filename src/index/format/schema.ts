import { INDEXED_FIELDS } from './bm25f.ts';
import { TIPO_NO_ARQUIVO, TRIBUNAL_NO_ARQUIVO } from '../../contract/catalog.ts';
import type { Base, CodigoTribunal, Tipo } from '../../contract/vocabulary.ts';
import { join } from 'node:path';

/**
 * The layout of a base file: what ingest writes and the pool's threads read. Any change to it raises the
 * version, and a file of another version is refused with the command that mends it.
 */
export const SCHEMA_VERSION = 5;
/** The versions that `ingest --upgrade` makes into this one. */
export const UPGRADED_VERSIONS: readonly unknown[] = [3, 4];
/** Marks a file as ours (SQLite's application_id): "JURI" in ASCII. */
export const APPLICATION_ID = 0x4a555249;

/**
 * `FORMAT.md` beside this folder says what each table holds, byte by byte. In short:
 * - `resumo`: the values of each Resumo; `moldura`: those that many have alike (`record.ts`).
 * - `documento`: what Documentos have beside these, in compressed blocks; `dicionario`: what they are compressed with.
 * - `coluna`: what filters and coverage ask of each decision, a row for each block of 65,536 numbers and column.
 * - `lexico`: the term dictionary. `impacto`: the posting lists. `posicao`: where words stand in decisions.
 * - `origem`: each court's own key and a digest of what was loaded, for replacing and for skipping repeats.
 * - `vetor`: the words of a decision indexed by a full text that is not stored, so that it can be replaced.
 * - `versao`: what a replaced decision weighed before the data generation that replaced it, for a while: who
 *   reads on from a page made before then sees it at its old place, neither twice nor never.
 * - `estado`: how far all of these go. A reader knows from it what must be there, and so notices what is missing.
 * - `fts`: the same words in FTS5's own index, contentless. No search reads it; tests hold the answers against it.
 */
/**
 * A load's words gather in memory until there are so many bytes of them or its transaction ends (FTS5 else writes them
 * out after each megabyte), and fewer merges are made on the way: measured, 82 to 62 µs a decision with 64 MB; with 16 MB,
 * which the processor's caches hold better, 5% less than that.
 */
const FTS_MEMORY = 16 * 1024 * 1024;
const FTS_SEGMENTS = 8;
export const FTS_SETTINGS_SQL = `
  INSERT INTO fts (fts, rank) VALUES ('hashsize', ${FTS_MEMORY}), ('automerge', ${FTS_SEGMENTS});
`;

/** `tokens.ts` does the same in TypeScript; a pool's thread, which gets its words folded, does without. */
export const TOKENIZER = 'unicode61 remove_diacritics 2';

/** The tables of terms and their posting lists. */
export const LISTS_SQL = `
  CREATE TABLE lexico (linha INTEGER PRIMARY KEY, primeiro BLOB NOT NULL UNIQUE, dados BLOB NOT NULL);
  CREATE TABLE impacto (lista INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE posicao (parte INTEGER PRIMARY KEY, dados BLOB NOT NULL);
`;

/** The tables of what loads need, and of how far all else goes. */
export const STATE_SQL = `
  CREATE TABLE vetor (numero INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE versao (serie INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE estado (unico INTEGER PRIMARY KEY, dados BLOB NOT NULL);
`;

/** The tables that hold the contract's objects. */
export const RECORDS_SQL = `
  CREATE TABLE documento (bloco INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE dicionario (id INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE resumo (numero INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE moldura (numero INTEGER PRIMARY KEY, dados BLOB NOT NULL);
`;

/** In `meta`, since the first of them was loaded: the base holds made-up decisions, and none of a court. */
export const MADE_UP_SQL = `SELECT EXISTS (SELECT 1 FROM meta WHERE chave = 'demonstracao')`;

export const MARK_MADE_UP_SQL = `INSERT OR IGNORE INTO meta (chave, valor) VALUES ('demonstracao', 1)`;

export const SCHEMA_SQL = `
  CREATE TABLE meta (chave TEXT PRIMARY KEY, valor) WITHOUT ROWID;
  ${RECORDS_SQL}
  CREATE TABLE coluna (parte INTEGER PRIMARY KEY, dados BLOB NOT NULL);
  CREATE TABLE origem (
    tribunal INTEGER NOT NULL,
    chave TEXT NOT NULL,
    numero INTEGER NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (tribunal, chave)
  ) WITHOUT ROWID;
  ${LISTS_SQL}
  ${STATE_SQL}
  CREATE VIRTUAL TABLE fts USING fts5(
    ${INDEXED_FIELDS.join(', ')}, content = '', contentless_delete = 1, tokenize = "${TOKENIZER}"
  );
  ${FTS_SETTINGS_SQL}
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Decisions in one block of an `impacto` list; the offset in a block fits two bytes. */
export const BLOCK_SIZE = 65_536;
/** Days for which a replaced version is kept: a cursor older than that may miss or repeat the decision. */
export const VERSION_DAYS = 2;

/** Ids of lists begin with 1 and fit three bytes. */
export const LISTS_MAX = 2 ** 24;
/** Parts of a list's positions in one block. */
const PLACE_PARTS_MAX = 128;

/** The row of `impacto` that holds the given block of a list: who stands in it. */
export function listKey(list: number, block: number): number {
  return (block * LISTS_MAX + list) * 2;
}

/** The row that holds the weights of a list too long to have them beside its members. */
export function weightsKey(list: number, block: number): number {
  return listKey(list, block) + 1;
}

/** The row of `posicao` that holds a part of the positions of a word in a block. */
export function placesKey(list: number, block: number, part: number): number {
  return (block * LISTS_MAX + list) * PLACE_PARTS_MAX + part;
}

/** Values kept of each decision in the table `coluna`, with the bytes of one. */
export const DOC_VALUES = { tribunal: 1, tipo: 1, julgamento: 4, publicacao: 4 } as const;
export type DocValue = keyof typeof DOC_VALUES;
export const DOC_VALUE_NAMES: readonly DocValue[] = ['tribunal', 'tipo', 'julgamento', 'publicacao'];

/** The row of `coluna` that holds the given column of a block. */
export function partKey(name: DocValue, block: number): number {
  return block * DOC_VALUE_NAMES.length + DOC_VALUE_NAMES.indexOf(name);
}

/** A contract object's JSON text without its `id`, which comes first. @param json with an empty `id`. */
export function withoutId(json: string): string {
  return json.slice('{"id":""'.length);
}

export function withId(base: Base, numero: number, rest: string): string {
  return `{"id":"${base}:${numero}"${rest}`;
}

/** A type as the column `tipo` holds it. */
export function tipoCode(tipo: Tipo): number {
  return TIPO_NO_ARQUIVO[tipo];
}

/** A court as the column `tribunal` holds it. */
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
