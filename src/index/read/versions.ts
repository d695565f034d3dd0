import { WORD_BYTES } from '../format/schema.ts';
import type { Connection } from './connection.ts';

/** The words of a decision as it was before it was replaced: impacts by word id. */
export type OldWords = ReadonlyMap<number, number>;

/** Newest first, so that of several versions the one that the reader's first page saw is read last. */
const SINCE_SQL = 'SELECT numero, dados FROM versao WHERE geracao > ? ORDER BY geracao DESC';

/** The decisions replaced after the reader's first page, with what they weighed then. @throws BudgetExceeded */
export function replacedSince(connection: Connection, geracao: number): ReadonlyMap<number, OldWords> {
  const found = new Map<number, Buffer>();
  for (const row of connection.statement<{ numero: number; dados: Buffer }>(SINCE_SQL).iterate(geracao)) {
    connection.budget.check();
    found.set(row.numero, row.dados);
  }
  return new Map([...found].map(([numero, dados]) => [numero, unpack(dados)]));
}

function unpack(dados: Buffer): OldWords {
  const words = new Map<number, number>();
  for (let at = 0; at < dados.length; at += WORD_BYTES) {
    words.set(dados.readUIntLE(at, WORD_BYTES - 1), dados.readUInt8(at + WORD_BYTES - 1));
  }
  return words;
}
