import { WORD_BYTES } from '../src/base/schema.ts';
import type { Connection } from './connection.ts';

/** A match that was replaced after the reader's first page: its place among the matches, and its old words. */
export interface Replaced {
  readonly index: number;
  /** Impacts by word id. */
  readonly words: ReadonlyMap<number, number>;
}

/** Newest first, so that of several versions the one that the reader's first page saw is read last. */
const SINCE_SQL = 'SELECT numero, dados FROM versao WHERE geracao > ? ORDER BY geracao DESC';

/** @param matches numbers in ascending order. */
export function replacedSince(
  connection: Connection,
  geracao: number,
  matches: readonly number[],
): readonly Replaced[] {
  const indexes = new Map<number, number>();
  const found = new Map<number, Replaced>();
  for (const row of connection.statement<{ numero: number; dados: Buffer }>(SINCE_SQL).iterate(geracao)) {
    connection.budget.check();
    if (indexes.size === 0) for (const [index, numero] of matches.entries()) indexes.set(numero, index);
    const index = indexes.get(row.numero);
    if (index !== undefined) found.set(index, { index, words: unpack(row.dados) });
  }
  return [...found.values()];
}

function unpack(dados: Buffer): Map<number, number> {
  const words = new Map<number, number>();
  for (let at = 0; at < dados.length; at += WORD_BYTES) {
    words.set(dados.readUIntLE(at, WORD_BYTES - 1), dados.readUInt8(at + WORD_BYTES - 1));
  }
  return words;
}
